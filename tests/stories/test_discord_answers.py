"""Answers to presses: some hang, some are refused, some were promised."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import (
    COMPONENT,
    AgentsSeen,
    Player,
    Server,
    all_ready,
    becomes,
    seated,
    send,
    stand_in,
    world,
)

CALLBACK = "/callback$"
LOST_FOR = 1000.0
"""Seconds that a hanging answer takes: far longer than anybody waits."""
WELL_AFTER = 4.0
"""Seconds after which an answer that hung has no effect any more."""
SUGGESTED_WITHIN = 11.0
"""Seconds after which suggestions are given up: discord.py answers with them itself."""
ANSWERING = {"discord.py: on_interaction", "CommandTree-invoker"}
"""What discord.py calls the tasks that answer."""
STATES_ITSELF = re.compile(r"DiscordBot \(\S+,? \S+\)")


async def dealt(server: Server) -> tuple[Player, Player]:
    """Anna and Ben in a live round."""
    anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
    await all_ready([anna, ben])
    return anna, ben


async def test_hanging_answer_leaves_its_panel_live(tmp_path: Path) -> None:
    """Discord takes no answer after three seconds: it is given up, and the panel is pushed."""
    async with world(tmp_path) as here:
        anna, ben = await dealt(here.server)
        fault = here.server.fault(CALLBACK, latency=LOST_FOR, times=1)
        before = anna.panel.version
        _ = await anna.act()
        assert fault.hits == 1
        for _ in range(5):
            _ = await ben.act()
        assert await becomes(here.server, lambda: anna.panel.version > before, WELL_AFTER), (
            "her panel shows nothing of what Ben has played"
        )


async def test_hung_answers_count_for_nothing_in_the_load(tmp_path: Path) -> None:
    """Presses of people who sit at no table are dropped while 100 are in work. An answer that hangs
    is none of them: a press is decided meanwhile, and answered as soon as Discord is well again.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, _ = await dealt(server)
        carl = server.user("carl")
        fault = server.fault(CALLBACK, latency=LOST_FOR)
        for number in range(16):
            for _ in range(10):
                who = server.user(f"passer-by-{number}")
                _ = server.click(who, anna.public, "lg1:1:1:panel", stale=True)
        await asyncio.sleep(1.5)
        assert fault.hits >= 100
        server.faults.clear()
        answer = await server.click(carl, anna.public, label="My cards").wait()
        assert answer.ok, "a press long after the last hanging answer was dropped"


@pytest.mark.parametrize("asked", ["Flip", "My cards", "Leave", "ligretto", "help", "time zone"])
async def test_no_answer_is_waited_for_for_ever(tmp_path: Path, asked: str) -> None:
    """Whatever was asked for: once Discord would take no answer any more, nothing waits for it."""
    async with world(tmp_path) as here:
        server = here.server
        anna, _ = await dealt(server)
        other = server.add_channel(next(iter(server.guilds.values())), "other")
        hangs = server.fault(f"{CALLBACK}|/webhooks/", latency=LOST_FOR)
        match asked:
            case "Flip":
                server.click(anna.user, anna.panel, label=asked)
            case "My cards" | "Leave":
                server.click(anna.user, anna.public, label=asked)
            case "ligretto" | "help":
                server.slash(server.owner, other, asked)
            case _:
                typed = {"time_zone": "ber"}
                server.autocomplete(server.owner, other, "settings", typed, "time_zone")
        await asyncio.sleep(1)
        assert hangs.hits
        assert answering()
        await asyncio.sleep(SUGGESTED_WITHIN if asked == "time zone" else WELL_AFTER)
        assert not answering()
        assert not here.tracebacks or asked == "time zone", "discord.py logs what it answers itself"


def answering() -> list[str]:
    """The bot's tasks that answer somebody."""
    return [one.get_name() for one in asyncio.all_tasks() if one.get_name() in ANSWERING]


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10062), (400, 40060), (404, 10015)],
    ids=["too late", "answered already", "unknown webhook"],
)
async def test_refused_answer_is_sent_once(tmp_path: Path, status: int, code: int) -> None:
    """What Discord refuses is not repeated: 10,000 refused calls in ten minutes are a ban."""
    async with world(tmp_path) as here:
        anna, _ = await dealt(here.server)
        fault = here.server.fault(CALLBACK, status=status, code=code)
        _ = await anna.act()
        await asyncio.sleep(1)
        assert fault.hits == 1, "the refused answer was sent again"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("how", [{"drop": True}, {"status": 502}], ids=["cut", "502"])
async def test_answer_that_breaks_off_is_sent_again(
    tmp_path: Path, how: dict[str, Any], when: str
) -> None:
    """Before Discord has taken it or after, which it says to the second (40060). Her
    panel needs no push.
    """
    async with world(tmp_path) as here:
        anna, _ = await dealt(here.server)
        await asyncio.sleep(1)
        fault = here.server.fault(CALLBACK, when=when, times=1, **how)
        began = asyncio.get_running_loop().time()
        answer = await anna.act()
        assert answer is not None
        assert answer.ok
        assert asyncio.get_running_loop().time() - began < 1.5
        assert fault.hits == 1
        await asyncio.sleep(2)
        codes = [status for _, _, path, status, _ in here.server.calls if f"/{answer.id}/" in path]
        assert len(codes) == 2
        assert codes[1] == (204 if when == "before" else 400)
        push = f"/messages/{anna.panel.id}"
        assert not [path for at, _, path, *_ in here.server.calls if at > began and push in path]


async def test_rate_limited_answer_waits_as_long_as_asked(tmp_path: Path) -> None:
    """The second try waits for what Discord asks for."""
    async with world(tmp_path) as here:
        anna, _ = await dealt(here.server)
        _ = here.server.fault(CALLBACK, retry_after=0.5, times=1)
        answer = await anna.act()
        assert answer is not None
        assert answer.ok
        await asyncio.sleep(1)
        refused, taken = [
            (at, seconds)
            for at, _, path, _, seconds in here.server.calls
            if f"/{answer.id}/" in path
        ]
        assert taken[0] - taken[1] - refused[0] >= 0.5, "the answer was repeated at once"


@pytest.mark.parametrize(
    ("asked", "most"),
    [({"retry_after": 60.0}, 1), ({"retry_after": 0.3}, 7), ({"status": 429, "body": "<html>"}, 1)],
    ids=["long", "always", "in front of Discord"],
)
async def test_answer_is_not_repeated_when_it_would_be_late(
    tmp_path: Path, asked: dict[str, Any], most: int
) -> None:
    """An answer is given up as soon as the pause asked for takes it beyond its three seconds; the
    panel is right all the same.
    """
    async with world(tmp_path) as here:
        anna, _ = await dealt(here.server)
        before = anna.panel.version
        fault = here.server.fault(CALLBACK, **asked)
        _ = await anna.act()
        await asyncio.sleep(WELL_AFTER)
        assert 1 <= fault.hits <= most
        assert anna.panel.version > before, "her panel was not pushed"
        assert not here.tracebacks


async def test_promised_answer_is_completed_by_an_edit(tmp_path: Path) -> None:
    """`/privacy`'s export edits the answer that it promised."""
    async with world(tmp_path) as here:
        server = here.server
        owner, channel = server.owner, server.all_channels[0]
        page = await server.slash(owner, channel, "privacy").wait()
        assert page.original is not None
        promised = await server.click(owner, page.original, "lr1:privacy:export").wait()
        assert promised.callback_type == 5
        await server.wait_for(lambda: promised.original and not promised.original.loading)
        await asyncio.sleep(1)
        posted = server.statuses["POST /webhooks/#/*", 200]
        assert posted == 0, "the answer was posted instead of edited"


async def test_export_that_is_refused_is_told(tmp_path: Path) -> None:
    """A promise that cannot be kept doesn't stay "thinking"."""
    async with world(tmp_path) as here:
        server = here.server
        page = await server.slash(server.owner, server.all_channels[0], "privacy").wait()
        assert page.original is not None
        refused = server.fault("PATCH .*/messages/@original", status=400, code=40005, times=1)
        promised = await server.click(server.owner, page.original, "lr1:privacy:export").wait()
        await server.wait_for(lambda: promised.original and not promised.original.loading)
        assert refused.hits == 1
        assert promised.original is not None
        assert "Something went wrong" in promised.original.text


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/callback"), ("PATCH", "/webhooks/"), ("", "/channels/"), ("GET", "/gateway")],
)
async def test_calls_carry_the_documented_user_agent(
    tmp_path: Path, method: str, path: str
) -> None:
    """Every call says `DiscordBot (address, version)`, those of interactions and webhooks too."""
    server = stand_in(AgentsSeen)
    async with world(tmp_path, server):
        anna, ben = await dealt(server)
        before = anna.panel.version
        _ = await ben.act()
        await server.wait_for(lambda: anna.panel.version > before)
        agents = {one for how, where, one in server.agents if method in how and path in where}
        assert agents, "there was such a call"
        strange = {one for one in agents if not STATES_ITSELF.match(one)}
        assert not strange, "calls do not say that a bot sends them"


async def test_send_reaches_the_bot(tmp_path: Path) -> None:
    """An interaction sent as it is is answered as the same press of a client is."""
    async with world(tmp_path) as here:
        anna, _ = await seated(here.server, here.server.all_channels[0], ["anna", "ben"], 3)
        data = {"custom_id": "lg1:1:0:panel", "component_type": 2, "id": 1}
        answer = await send(here.server, anna.user, anna.public, COMPONENT, data).wait()
        assert answer.ok
