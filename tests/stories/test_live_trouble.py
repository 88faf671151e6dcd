"""The test of Discord from `/settings`, and from `check --live`, where Discord is in trouble."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Channel, Message, Server
from bot.ops.check.finding import Mark
from tests.stories.discord_world import (
    Player,
    World,
    all_ready,
    becomes,
    labels,
    seated,
    spaced,
    world,
)
from tests.stories.test_discord_limits import play
from tests.stories.test_live_check import (
    A_MINUTE_AND_MORE,
    BUTTON,
    begun,
    is_over,
    manager,
    pressed,
    rows,
    settings,
    threads,
    tried,
)

LONG = 10.0
POST = "POST .*/channels/[0-9]+/messages$"


def public(here: World) -> list[Message]:
    return here.server.public(here.server.all_channels[0])


async def report(here: World) -> str:
    """The report of a test that one person starts with two presses."""
    owner = here.server.owner
    first, _ = await begun(here, owner, owner)
    await here.server.wait_for(lambda: is_over(first), 2 * A_MINUTE_AND_MORE)
    return spaced(first.text)


async def restarted(here: World, after: float = 0.0) -> None:
    await here.bot.stop()
    await asyncio.sleep(after)
    here.server.faults.clear()
    here.bot.start()
    await here.server.wait_ready()


# -- what was posted --------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, None], ids=["one answer", "every answer"])
async def test_lost_posting_is_found_and_deleted(tmp_path: Path, times: int | None) -> None:
    async with world(tmp_path) as here:
        lost = here.server.fault(POST, when="after", hold=asyncio.Event(), times=times)
        said = await report(here)
        assert "⚠️ Post: no answer" in said
        assert lost.hits == (1 if times else 2), "the same nonce is sent once more"
        assert ("All test messages are deleted" in said) == (times == 1)
        assert bool(public(here)) == (times is None)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it stayed"


async def test_lost_posting_is_found_by_its_words_later(tmp_path: Path) -> None:
    """Discord has forgotten its nonce."""
    async with world(tmp_path) as here:
        _ = here.server.fault(POST, when="after", hold=asyncio.Event())
        _ = await report(here)
        assert len(public(here)) == 1
        await restarted(here, after=3600)
        assert await becomes(here.server, lambda: not public(here), 30), "it stayed"


@pytest.mark.parametrize("fault", [{"status": 403, "code": 50013}, {"status": 503}, {"drop": True}])
async def test_refused_deletion_is_told_and_tried_again(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault("DELETE .*/channels/[0-9]+/messages", **fault)
        said = await report(here)
        assert "✅ Delete" not in said
        assert ("❌ Delete" if "status" in fault else "⚠️ Delete") in said
        assert "All test messages are deleted" not in said
        assert "couldn’t delete everything" in said
        assert public(here)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it was forgotten"


async def test_what_stays_at_one_start_is_tried_at_the_next(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault("DELETE .*/channels/", status=503)
        _ = await report(here)
        here.bot.kill()
        here.bot.start()
        await here.server.wait_ready()
        await asyncio.sleep(60)
        assert public(here)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it was forgotten"


async def test_thread_that_stays_is_told_as_such(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        said = await report(here)
        assert "✅ Delete" in said
        assert "The test’s thread stays, archived: I’m not allowed to delete threads." in said
        assert "Not everything" not in said
        assert all(thread.archived for thread in threads(here.server))
        assert rows(here, "SELECT value FROM notes WHERE key = 'live check'") == [("[]",)]


@pytest.mark.parametrize(
    ("denied", "said"),
    [
        ("send_messages", "❌ Post: refused (403/50013). Give me Send Messages in this channel"),
        (
            "create_public_threads",
            "❌ Open a thread: refused (403/50013). Give me Create Public Threads in this channel",
        ),
        ("view_channel", "❌ Post: refused (403/50001). Give me View Channel in this channel"),
    ],
)
async def test_refusal_names_the_permission(tmp_path: Path, denied: str, said: str) -> None:
    async with world(tmp_path) as here:
        owner = here.server.owner
        first, _ = await begun(here, owner, owner)
        here.server.deny(first.channel, denied)
        await here.server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        assert said in first.text


# -- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("wait", "scope"), [(2.0, "global"), (2.0, "shared"), (30.0, "global")])
async def test_one_early_limit_is_not_the_channels(tmp_path: Path, wait: float, scope: str) -> None:
    async with world(tmp_path) as here:
        patch = "PATCH .*/webhooks/"
        _ = here.server.fault(patch, retry_after=wait, scope=scope, times=1, skip=2)
        said = await report(here)
        assert "the channel’s rate limit stopped them" not in said
        assert f"Short pauses that Discord asked for: 1, at most {wait:.0f} s" in said
        assert int(said.split("60 s: **")[1].split("*")[0]) >= (15 if wait > LONG else 37)
        await asyncio.sleep(1)
        assert not rows(here, "SELECT * FROM paces WHERE is_limited OR per_minute < 20")


@pytest.mark.parametrize("wait", [0.4, 7.0, 600.0])
@pytest.mark.parametrize("skip", [5, 25])
async def test_one_odd_limit_of_the_channel_is_not_kept(
    tmp_path: Path, wait: float, skip: int
) -> None:
    """A limit shows itself again, or ends when the first edit is a minute old."""
    async with world(tmp_path) as here:
        patch = "PATCH .*/webhooks/"
        _ = here.server.fault(patch, retry_after=wait, scope="shared", times=1, skip=skip)
        said = await report(here)
        assert "the channel’s rate limit stopped them" not in said
        await asyncio.sleep(1)
        assert not rows(here, "SELECT * FROM paces WHERE is_limited")


@pytest.mark.parametrize("scope", ["user", "shared", "global"])
@pytest.mark.parametrize("wait", [0.0, 2.0, 60.0, 50000.0])
async def test_edits_end_in_their_minute_whatever_is_asked_for(
    tmp_path: Path, wait: float, scope: str
) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        first, _ = await begun(here, owner, owner)
        _ = server.fault("PATCH .*/webhooks/.*", retry_after=wait, scope=scope)
        await asyncio.sleep(100)
        server.faults.clear()
        assert await becomes(server, lambda: is_over(first), A_MINUTE_AND_MORE)
        assert not here.tracebacks
        if scope != "shared":
            assert not rows(here, "SELECT is_limited FROM paces WHERE is_limited")


async def test_limits_of_the_bots_own_calls_are_told_as_such(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault("POST .*/threads", retry_after=40.0)
        _ = here.server.fault("PATCH .*/channels/", retry_after=15.0, times=1)
        said = await report(here)
        assert re.search("⏳ Open a thread: Discord asks for a pause of 4[01] s", said)
        assert re.search("⏳ Edit with a picture: Discord asks for a pause of 1[56] s", said)
        assert "no answer" not in said


# -- without a press --------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [(4, "category"), (15, "forum"), (16, "media")])
async def test_check_refuses_where_nothing_can_be_posted(
    tmp_path: Path, kind: int, name: str
) -> None:
    async with world(tmp_path) as here:
        guild = here.server.all_channels[0].guild
        assert guild is not None
        place = here.server.add_channel(guild, name)
        place.type = kind
        await here.bot.stop()
        (refused,) = await tried(here, place)
        assert refused.mark is Mark.FIX
        assert "without messages: choose a text channel" in refused.said


async def test_check_opens_no_thread_in_a_thread(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        (channel, *_) = here.server.all_channels
        assert channel.guild is not None
        place = here.server.add_channel(channel.guild, "thread")
        place.type, place.parent = 11, channel
        await here.bot.stop()
        found = {one.subject: one for one in await tried(here, place)}
        assert all(one.mark is Mark.OK for one in found.values())
        assert "open a thread" not in found


FAULTS: list[dict[str, Any]] = [
    {"status": 403, "code": 50013},
    {"status": 500},
    {"retry_after": 40.0},
    {"retry_after": 4000.0},
    {"latency": 40.0},
]
ROUTES = [POST, "PATCH .*/channels", "POST .*/threads", "DELETE .*/channels", "GET .*/channels/"]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_check_ends_soon_whatever_discord_does(tmp_path: Path, fault: dict[str, Any]) -> None:
    async with world(tmp_path) as here:
        server, (channel, *_) = here.server, here.server.all_channels
        await here.bot.stop()
        for route in ROUTES:
            server.faults.clear()
            _ = server.fault(route, **fault)
            began = asyncio.get_running_loop().time()
            found = await tried(here, channel)
            assert asyncio.get_running_loop().time() - began < A_MINUTE_AND_MORE / 2, route
            assert any(one.mark is Mark.FIX for one in found), route
            assert not any("\n" in one.said for one in found)
            if "retry_after" in fault:
                assert any("try again in 4" in one.said for one in found), route
        server.faults.clear()
        _ = await tried(here, channel)
        assert not server.public(channel), "each deletes what the one before has left"


async def test_check_says_how_the_bot_comes_into_a_server(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        (channel, *_) = here.server.all_channels
        await here.bot.stop()
        assert channel.guild is not None
        channel.guild.bot_in = False
        (refused,) = await tried(here, channel)
        assert refused.mark is Mark.FIX
        assert "oauth2/authorize" in refused.said


# -- presses and tables -----------------------------------------------------------------------


async def test_two_presses_at_once_begin_the_test(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, (channel, *_) = here.server, here.server.all_channels
        users = (server.owner, manager(server, "ben"))
        panels = [await settings(server, user, channel) for user in users]
        presses = [
            server.click(user, panel, label=BUTTON)
            for user, panel in zip(users, panels, strict=True)
        ]
        answers = [(await press.wait()).original for press in presses]
        said = [answer.text for answer in answers if answer is not None]
        assert sum("once more" in text for text in said) == 1
        assert await becomes(
            server,
            lambda: all(answer is not None and is_over(answer) for answer in answers),
            A_MINUTE_AND_MORE,
        )
        assert not here.tracebacks


async def test_press_whose_answer_is_lost_stops_nobody(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panel = await settings(server, owner, channel)
        _ = server.fault("POST .*/callback", status=500, times=8)
        _ = server.click(owner, panel, label=BUTTON)
        await asyncio.sleep(20)
        server.faults.clear()
        again = await pressed(server, owner, await settings(server, owner, channel))
        assert again.original is not None
        assert "once more" in again.original.text


async def test_finished_table_does_not_hold_up_the_test(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        _ = await finished(server, channel)
        answer = await pressed(server, owner, await settings(server, owner, channel))
        assert answer.original is not None
        assert "once more" in answer.original.text


@pytest.mark.parametrize("command", ["ligretto", "dice"])
async def test_no_table_opens_where_a_test_runs(tmp_path: Path, command: str) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        first, _ = await begun(here, owner, owner)
        anna = server.user("anna")
        refused = await server.slash(anna, channel, command).wait()
        assert refused.original is not None
        assert refused.original.ephemeral
        assert "This channel is being tested" in refused.original.text
        assert channel.guild is not None
        elsewhere = server.add_channel(channel.guild, "other")
        await Player(server, server.user("ben"), elsewhere).open()
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        await asyncio.sleep(5)
        await Player(server, anna, channel).open()


async def finished(server: Server, channel: Channel) -> list[Player]:
    """Two whose match is over."""
    players = await seated(server, channel, ["anna", "ben"], 1)
    await all_ready(players)
    await asyncio.sleep(6)
    for _ in range(600):
        await play(players, 1)
        if "Rematch" in labels(players[0].public):
            break
    assert "Rematch" in labels(players[0].public), "the match is over"
    return players


@pytest.mark.parametrize("where", ["board", "panel"])
async def test_no_rematch_opens_where_a_test_runs(tmp_path: Path, where: str) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        anna, _ = await finished(server, channel)
        message = anna.public if where == "board" else anna.panel
        first, _ = await begun(here, owner, owner)
        refused = await server.click(anna.user, message, label="Rematch").wait()
        assert refused.original is not None
        said = refused.original.text + anna.panel.text
        assert "This channel is being tested" in said
        assert not any("Join" in labels(one) for one in public(here))
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        await asyncio.sleep(5)
        _ = await server.click(anna.user, anna.public, label="Rematch").wait()
        assert await becomes(server, lambda: "Join" in labels(anna.public), LONG)
        assert not here.tracebacks


@pytest.mark.parametrize("after", [1, 20, 59])
async def test_kill_in_the_middle_is_told_at_the_next_start(tmp_path: Path, after: int) -> None:
    """No message says for ever that the test runs. No token is kept when it is over."""
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        panels = await begun(here, owner, manager(server, "ben"))
        await asyncio.sleep(after)
        here.bot.kill()
        await asyncio.sleep(60)
        here.bot.start()
        await server.wait_ready()
        assert await becomes(server, lambda: all("Interrupted" in p.text for p in panels), LONG)
        await asyncio.sleep(1)
        assert rows(here, "SELECT value FROM notes WHERE key = 'live check panels'") == [("[]",)]
        first, _ = await begun(here, owner, owner)
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        await asyncio.sleep(1)
        assert rows(here, "SELECT value FROM notes WHERE key = 'live check panels'") == [("[]",)]
        assert all("Interrupted" in panel.text for panel in panels)
        assert not here.tracebacks


@pytest.mark.parametrize("after", [0, 20, 59])
async def test_stop_in_the_middle_is_told(tmp_path: Path, after: int) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        panels = await begun(here, owner, manager(server, "ben"))
        await asyncio.sleep(after)
        await here.bot.stop()
        assert [panel.text.partition(":")[0] for panel in panels] == ["Interrupted"] * 2
        assert not public(here)
        assert not here.tracebacks


async def test_server_without_the_bot_is_told_how_to_invite_it(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panel = await settings(server, owner, channel)
        assert channel.guild is not None
        server.kick_bot(channel.guild)
        await asyncio.sleep(1)
        answer = await server.click(owner, panel, label=BUTTON).wait()
        assert answer.original is not None
        assert "oauth2/authorize" in answer.original.text
