"""Rate limits on panels: they should be learned, not assumed."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.fakediscord.rate_limits import falsely, fully, not_at_all, partly, without_an_end
from bot.fakediscord.rest.api import WEBHOOK_CALL
from tests.stories.discord_world import (
    Player,
    Server,
    World,
    becomes,
    labels,
    seated,
    stand_in,
    world,
)
from tests.stories.test_live_check import begun, is_over, rows

NAMES = [f"player{number}" for number in range(12)]
PUSH = "PATCH .*/webhooks/"
Belief: TypeAlias = tuple[int, bool, Callable[[Mapping[str, str]], Mapping[str, str]]]
PUSHED = ("PATCH /webhooks/#/*/messages/#", 200)


async def ready(players: list[Player]) -> None:
    for player in players:
        _ = await player.press("Ready")


def are_dealt(players: list[Player]) -> bool:
    return all(has_cards(player) for player in players)


def has_cards(player: Player) -> bool:
    """Return whether a player's panel shows cards that can be played, not the count before them."""
    return any(one.label == "Flip" and not one.disabled for one in player.panel.controls)


async def free(here: World) -> None:
    """Start the bot again, which knows that the first channel takes whatever is sent."""
    await known(here, 100.0, is_limited=False)


async def known(here: World, per_minute: float, *, is_limited: bool) -> None:
    """Start the bot again, which knows what the first channel takes."""
    channel = here.server.all_channels[0]
    assert channel.guild is not None
    _ = await here.bot.stop()
    with sqlite3.connect(here.bot.database) as db:
        pace = (channel.id, channel.guild.id, per_minute, is_limited)
        db.execute(
            "INSERT INTO paces (channel, guild, per_minute, is_limited) VALUES (?, ?, ?, ?)", pace
        )
    here.bot.start()
    await here.server.wait_ready(30, commands=True)


def limited() -> Server:
    """A Discord on which a channel takes 30 webhook calls a minute."""
    server = stand_in(Server)
    server.settings.webhook_calls = 30
    return server


def refused(server: Server) -> int:
    """The webhook calls that were too many for their channel."""
    return server.limiter.refused[WEBHOOK_CALL]


@pytest.mark.parametrize(("people", "within"), [(8, 10.0), (12, 15.0)])
async def test_full_table_is_dealt_where_a_channel_is_limited(
    tmp_path: Path, people: int, within: float
) -> None:
    """Everybody sees their cards within 10 s of the last Ready, 12 people within 15 s: calls are
    kept for that.
    """
    server = limited()
    async with world(tmp_path, server):
        players = await seated(server, server.all_channels[0], NAMES[:people], 3)
        await ready(players)
        await becomes(server, lambda: are_dealt(players), within)
        waiting = [player.user.name for player in players if not has_cards(player)]
        assert not waiting, f"they see no cards {within:.0f} s after the last Ready"
        assert not refused(server)


def sees(player: Player, game: str, number: int) -> bool:
    """Return whether a player's panel shows the cards or dice of this round."""
    turn = "Roll" if game == "dice" else "Flip"
    live = (item for item in player.panel.controls if not item.disabled)
    turns = (item.custom_id or "" for item in live if (item.label or "").startswith(turn))
    return any(word.split(":")[2] == str(number) for word in turns)


def all_see(players: list[Player], game: str, number: int) -> bool:
    return all(sees(player, game, number) for player in players)


@pytest.mark.parametrize(
    ("game", "people", "lasts", "belief"),
    [
        ("dice", 2, 40, (30, False, not_at_all)),
        ("dice", 4, 30, (30, False, fully)),
        ("dice", 4, 30, (30, True, falsely)),
        ("ligretto", 4, 12, (30, True, fully)),
        ("ligretto", 8, 25, (30, False, partly)),
        ("ligretto", 8, 40, (30, True, not_at_all)),
        ("ligretto", 12, 45, (30, False, falsely)),
        ("ligretto", 12, 30, (60, False, fully)),
    ],
)
async def test_no_deal_is_late_where_a_channel_is_limited(
    tmp_path: Path, game: str, people: int, lasts: int, belief: Belief
) -> None:
    """The first, and those after the bot has tried how many calls the channel takes. Somebody who
    only looks on sees each round go on. `lasts`: seconds after which a round is ended by agreement,
    if it isn't over. `belief`: the calls that a channel takes in a minute, whether each minute
    begins with a call, and what headers tell.
    """
    server, within = stand_in(Server), 15.0 if people > 8 else 10.0
    server.settings.webhook_calls, server.settings.webhook_minutes, server.limiter.tell = belief
    async with world(tmp_path, server, seed=5):
        players = await seated(server, server.all_channels[0], NAMES[:people], 10, game)
        seen = []
        for number in range(1, 5):
            for player in players:
                _ = await player.press_public("Ready" if number == 1 else "Next round")
            dealt = await becomes(server, partial(all_see, players, game, number), within)
            assert dealt, f"round {number} isn't dealt {within:.0f} s after the last Ready"
            before = players[-1].panel.version
            await round_over(players[:-1], lasts, players)
            seen.append(players[-1].panel.version - before)
        assert refused(server) <= people, "what was learned is kept to"
        assert seen[0] >= 1, f"the panel of somebody who looks on changed so often: {seen}"
        assert sum(seen) >= 4, f"the panel of somebody who looks on changed so often: {seen}"


@pytest.mark.parametrize(
    ("game", "people", "first", "then"),
    [("ligretto", 4, 6, 4), ("ligretto", 8, 4, 10), ("ligretto", 12, 1, 5), ("dice", 4, 5, 1)],
)
async def test_first_minute_is_no_silence_where_nothing_is_limited(
    tmp_path: Path, game: str, people: int, first: int, then: int
) -> None:
    """Somebody who only looks on sees the first half minute of cards in steps, of however many
    calls surely are taken. A full table has then shown that more are. Nothing is called slow:
    nothing was refused.
    """
    async with world(tmp_path, seed=5) as here:
        server = here.server
        *players, idle = await seated(server, server.all_channels[0], NAMES[:people], 10, game)
        await asyncio.sleep(60)
        slow, seen = False, []
        for number in (1, 2):
            for player in (*players, idle):
                _ = await player.press_public("Ready" if number == 1 else "Next round")
            assert await becomes(server, partial(all_see, [*players, idle], game, number), 10)
            before = idle.panel.version
            for _ in range(30):
                await play(players, 1)
                slow = slow or "Panels are slow" in idle.public.text
            seen.append(idle.panel.version - before)
            await round_over(players, 30, [*players, idle])
        assert seen >= [first, then], seen
        assert not slow
        if people >= 8:
            assert rows(here, "SELECT is_limited FROM paces") == [(0,)], "the channel is known"


@pytest.mark.parametrize("channel", ["known", "unknown"])
@pytest.mark.parametrize(
    "odd",
    [
        {"status": 429, "body": {"message": "x", "retry_after": 30.0, "global": False}},
        {"retry_after": 600.0, "scope": "shared"},
    ],
    ids=["unscoped", "shared"],
)
async def test_one_odd_refusal_is_forgotten_within_minutes(
    tmp_path: Path, channel: str, odd: dict[str, Any]
) -> None:
    """It is waited out, for a minute at most. No limit of a minute is concluded from it, and none
    is kept.
    """
    async with world(tmp_path, seed=7) as here:
        if channel == "known":
            await free(here)
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:6], 10)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        fault = server.fault(PUSH, times=1, **odd)
        before = await pushes(server, players, 5)
        assert fault.hits
        await asyncio.sleep(120)
        assert not rows(here, "SELECT * FROM paces WHERE is_limited AND per_minute < 100")
        after = await lively(server, players, 30)
        least = 60 if channel == "known" else 7
        assert after >= least, f"{after} pushes in half a minute, {before} before it"
        assert not rows(here, "SELECT * FROM paces WHERE is_limited AND per_minute < 100")


async def lively(server: Server, players: list[Player], seconds: int) -> int:
    """How many panels are pushed while everybody makes a move a second, through all rounds."""
    begun = server.statuses[PUSHED]
    for _ in range(seconds):
        await play(players, 1)
        if "Next round" in labels(players[0].public):
            for player in players:
                _ = await player.press_public("Next round")
            assert await becomes(server, lambda: are_dealt(players), 10)
    return server.statuses[PUSHED] - begun


async def test_cards_that_have_no_room_left_are_told_as_slow(tmp_path: Path) -> None:
    """Three deals of twelve within half a minute are more than 30 calls. The table says so, and
    they come when Discord takes them.
    """
    server = limited()
    async with world(tmp_path, server):
        players = await seated(server, server.all_channels[0], NAMES, 10)
        for number in (1, 2, 3):
            for player in players:
                _ = await player.press_public("Ready" if number == 1 else "Next round")
            await becomes(server, partial(all_see, players, "ligretto", number), 10)
            if number < 3:
                await round_over(players, 5)
        assert "Discord is slow here" in players[0].public.text
        assert await becomes(server, partial(all_see, players, "ligretto", 3), 40)


async def round_over(
    players: list[Player], lasts: int, everybody: list[Player] | None = None
) -> None:
    """Let these make a move a second, every third of them where they are many, until the round is
    over or all agree to end it.
    """
    await asyncio.sleep(2)  # the table's message shows the new round
    every = 3 if len(players) > 4 else 1
    for second in range(lasts):
        await play(players[second % every :: every], 1)
        if "Next round" in labels(players[0].public):
            return
    for player in everybody or players:
        _ = await player.press_public("End round")
    await asyncio.sleep(3)


@pytest.mark.parametrize(("people", "within", "pause"), [(8, 10.0, 4.0), (12, 15.0, 2.0)])
async def test_every_deal_of_a_match_is_in_time_where_a_channel_is_limited(
    tmp_path: Path, people: int, within: float, pause: float
) -> None:
    """Also where the channel was tested before: nothing is tried out with what the next cards need.
    Quiet minutes would else end in a limit that is met with a deal.
    """
    server = limited()
    async with world(tmp_path, server) as here:
        report, _ = await begun(here, server.owner, server.owner)
        assert await becomes(server, lambda: is_over(report), 400)
        server.restart_client(server.owner)
        await asyncio.sleep(90)
        server.limiter.refused.clear()
        players = await seated(server, server.all_channels[0], NAMES[:people], 10)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), within)
        for number in range(2, 5):
            while "Next round" not in labels(players[0].public):
                for player in players:
                    _ = await player.act()
                await asyncio.sleep(pause)
            await asyncio.sleep(4)
            for player in players:
                _ = await player.press_public("Next round")
            await becomes(server, lambda: are_dealt(players), within)
            waiting = [player.user.name for player in players if not has_cards(player)]
            assert not waiting, f"{within:.0f} s after the last Ready of round {number}"
        assert not refused(server)


@pytest.mark.parametrize(("people", "most", "tidied"), [(8, 18, 9), (12, 14, 2)])
async def test_calls_before_a_deal_are_kept_where_nothing_is_known(
    tmp_path: Path, people: int, most: int, tidied: int
) -> None:
    """Also where everybody has one more panel from the table's message, beside the one in the lobby
    and the host's from Start: the old ones are deleted after the deal, as far as there is room
    beside the next cards.
    """
    async with world(tmp_path) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:people], 3)
        for player in players:
            _ = await player.press_public("My cards")
            await asyncio.sleep(0.2)
            _ = await player.press_public("Ready")
        await asyncio.sleep(2.5)
        assert not any(has_cards(player) for player in players), "it is counted"
        assert webhook_calls(server) <= most
        assert [len(one.panels) for one in players] == [3] + [2] * (people - 1), "old ones stay"
        assert await becomes(server, lambda: are_dealt(players), 2)
        assert await becomes(server, lambda: deleted(server) >= tidied, 120), "old panels stay"


async def test_old_panels_that_wait_for_room_wait_for_the_next_cards(tmp_path: Path) -> None:
    """They were left while cards were played and the channel took nothing. It has room again before
    the next deal, which is kept for it.
    """
    server = limited()
    async with world(tmp_path, server) as here:
        await known(here, 27.0, is_limited=True)
        players = await seated(server, server.all_channels[0], NAMES[:8], 10)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 10)
        await play(players, 6)
        before = deleted(server)
        for player in players:
            _ = await player.press_public("My cards")
        await round_over(players, 0)
        await asyncio.sleep(90)
        assert "Next round" in labels(players[0].public)
        assert deleted(server) == before
        for player in players:
            _ = await player.press_public("Next round")
        assert await becomes(server, partial(all_see, players, "ligretto", 2), 10)
        assert await becomes(server, lambda: deleted(server) == before + 8, 240)


def deleted(server: Server) -> int:
    """The old panels that were deleted."""
    calls = server.statuses.items()
    return sum(n for (call, _), n in calls if call.startswith("DELETE /webhooks"))


async def test_pace_is_remembered_over_a_restart(tmp_path: Path) -> None:
    """What a channel has taught is known to the next process: it meets no limit anew."""
    server = limited()
    async with world(tmp_path, server) as here:
        players = await seated(server, server.all_channels[0], NAMES[:8], 3)
        await asyncio.sleep(60)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 10)
        for _ in range(30):
            await play(players, 1)
            if refused(server):
                break
            await asyncio.sleep(2)
        assert refused(server)
        _ = await here.bot.stop()
        await asyncio.sleep(60)
        server.limiter.refused.clear()
        here.bot.start()
        await server.wait_ready(30, commands=True)
        for player in players:
            _ = await player.press_public("Ready")
        assert await becomes(server, lambda: are_dealt(players), 10)
        await play(players[:4], 15)
        assert not refused(server)


async def test_limit_of_one_token_slows_its_panel_alone(tmp_path: Path) -> None:
    async with world(tmp_path, seed=7) as here:  # a deal with much to lay
        await free(here)
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:4], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        one, *others = players
        before = await versions(players, others, 10)
        for _ in range(3):
            refusal = server.fault(
                f"PATCH .*/messages/{one.panel.id}", retry_after=0.5, scope="user", times=1
            )
            await play(others, 3)
            assert refusal.hits
        after = await versions(players, others, 10)
        assert after[0] < 0.75 * before[0], "its own panel goes slower"
        assert sum(after[1:]) > 0.75 * sum(before[1:]), "no other one does"


async def test_table_says_when_panels_are_slow(tmp_path: Path) -> None:
    server = limited()
    async with world(tmp_path, server) as here:
        await known(here, 27.0, is_limited=True)
        players = await seated(server, server.all_channels[0], NAMES[:8], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 10)
        assert "slow" not in players[0].public.text
        await play(players, 20)
        assert "Discord is slow here" in players[0].public.text


@pytest.mark.parametrize(
    "wrong", [{"retry_after": 50_000.0, "scope": "shared"}, {"status": 429, "body": "<html>"}]
)
async def test_refusal_that_says_nothing_true_stops_no_panel(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    """A time to wait that nobody can mean, and none at all: panels go on a minute later at most."""
    async with world(tmp_path) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:2], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        fault = server.fault(PUSH, times=1, **wrong)
        await play(players, 8)
        assert fault.hits
        await asyncio.sleep(61)
        before = players[0].panel.version
        await play(players[1:], 10)
        assert players[0].panel.version > before


async def test_ready_in_the_lobby_waits_for_start(tmp_path: Path) -> None:
    """The panel has the button already: Start is not pushed to every channel."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = (Player(server, server.user(one), server.all_channels[0]) for one in NAMES[:2])
        _ = await anna.open()
        _ = await ben.press_public("Join")
        _ = await ben.press("Ready")
        assert "Player0 hasn’t pressed Start yet" in ben.panel.text


async def test_limit_of_a_channels_panels_slows_pushes(tmp_path: Path) -> None:
    """When Discord refuses pushes for the whole channel, each refusal halves their pace, for a
    minute at least.
    """
    async with world(tmp_path) as here:
        await free(here)
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:8], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        before = await pushes(server, players, 8)
        for _ in range(3):
            fault = server.fault(PUSH, retry_after=0.5, scope="shared", times=1)
            await pushes(server, players, 2)
            assert fault.hits
        after = await pushes(server, players, 8)
        assert after < 0.75 * before, "the channel's limit slowed nothing down"


@pytest.mark.parametrize(
    "refusal",
    [
        {"retry_after": 1.0, "scope": "global"},
        {"status": 429, "body": {"message": "x", "retry_after": 1.0, "global": True}},
    ],
    ids=["header", "body"],
)
async def test_limit_of_all_calls_is_not_the_channels(
    tmp_path: Path, refusal: dict[str, Any]
) -> None:
    """Nothing is learned of the channel, and every panel goes on when the limit is over."""
    async with world(tmp_path, seed=7) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:4], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        fault = server.fault(PUSH, times=3, **refusal)
        await play(players, 8)
        assert fault.hits == 3
        assert not rows(here, "SELECT * FROM paces WHERE is_limited = 1")
        before = players[0].panel.version
        await play(players[1:], 5)
        assert players[0].panel.version > before


async def test_headers_without_an_end_stop_no_table(tmp_path: Path) -> None:
    """discord.py raises for the answer to an edit that Discord has carried out. It is taken for
    done: else the same edit is made three times and the table is given up.
    """
    async with world(tmp_path) as here:
        server = here.server
        server.limiter.tell = without_an_end
        players = await seated(server, server.all_channels[0], NAMES[:2], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)


async def pushes(server: Server, players: list[Player], seconds: int) -> int:
    """Let everybody make a move a second. How many panels were pushed meanwhile."""
    begun = server.statuses[PUSHED]
    await play(players, seconds)
    return server.statuses[PUSHED] - begun


async def versions(players: list[Player], acting: list[Player], seconds: int) -> list[int]:
    """How often each panel has changed while some have made a move a second."""
    before = [player.panel.version for player in players]
    await play(acting, seconds)
    return [p.panel.version - old for p, old in zip(players, before, strict=True)]


async def play(players: list[Player], seconds: int) -> None:
    """Let everybody make a move a second."""
    for _ in range(seconds):
        for player in players:
            _ = await player.act()
        await asyncio.sleep(1)


def webhook_calls(server: Server) -> int:
    """Calls by interactions' tokens that were no answers."""
    return sum(hits for (call, _), hits in server.statuses.items() if "/webhooks/" in call)
