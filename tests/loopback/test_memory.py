"""What presses leave behind: every object that the bot's parts refer to is counted.

Bytes would tell less: caches fill up to their bounds, and freed memory is not given back at once.
"""

import asyncio
import gc
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import BuiltinFunctionType, CodeType, CoroutineType, FunctionType, ModuleType

import discord

from bot.fakediscord import Server
from bot.tables.presses.replay_guard import ReplayGuard
from tests.bench.people import flippers
from tests.loopback.bots import Here, bot_here
from tests.loopback.players import Player, all_ready, seated

PAUSE = 0.1
"""Seconds between two presses, so that nobody presses too often."""
SETTLED = 20.0
"""Seconds after which nothing that a press has led to is still going on."""
OVER = 60 * 60.0
"""Seconds after which a finished table is closed, and the tokens of its panels are dead."""
LIFE = 16
"""Minutes after which a token has died."""
WARM, PRESSES, MATCHES = 40, 240, 4
FEW = 60
"""The objects by which two counts may differ: other cards are on the screens, and a statement more
is prepared. A single object per press or sixteen per match would be more.
"""
NOT_HELD = (
    *(type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, CoroutineType, weakref.ref),
    *(asyncio.Future, asyncio.AbstractEventLoop),
    ReplayGuard,  # remembers 100,000 presses at most
)
"""Shared by everything, soon over, or with a bound of its own."""
OUTSIDE = ("aiohttp", "asyncio", "bot.fakediscord", "concurrent", "logging", "tests")
"""Packages whose objects are not the bot's own, or are buffers."""


def held(here: Here) -> Counter[str]:
    """Count the objects that the bot refers to by type, numbers and texts among them."""
    gc.collect()
    seen, left = dict[int, object](), list[object]((here.app, here.client))
    while left:
        one = left.pop()
        is_other = isinstance(one, NOT_HELD) or type(one).__module__.startswith(OUTSIDE)
        if not is_other and id(one) not in seen:
            seen[id(one)] = one
            left += gc.get_referents(one)
    return Counter(type(one).__qualname__ for one in seen.values())


def more(after: Counter[str], before: Counter[str]) -> str:
    """Say what there is more of; empty if it is little."""
    gained = after - before
    return f"{gained.most_common(8)}" if gained.total() > FEW else ""


async def flipped(people: Sequence[Player], presses: int) -> None:
    """Flip cards so often, and wait until all of it is over."""
    turns = flippers([people])
    for number in range(presses):
        answer = await turns[number % len(turns)].press().wait()
        assert answer.ok
        await asyncio.sleep(PAUSE)
    await asyncio.sleep(SETTLED)


async def waiting(server: Server) -> list[Player]:
    """A match of one round before its deal."""
    return await seated(server, server.all_channels[0], ["anna", "ben"], 1)


async def begun(server: Server) -> list[Player]:
    """A live match of one round."""
    people = await waiting(server)
    await all_ready(people)
    return people


async def ended(people: Sequence[Player]) -> None:
    for one in people:
        await one.press_public("End round")
    await asyncio.sleep(SETTLED)


async def test_presses_leave_only_journal_lines_behind(tmp_path: Path) -> None:
    """Nothing grows in a round that goes on and on, nor with the matches that are over."""
    async with Server(channels=1) as server, bot_here(server, tmp_path / "x.db") as here:
        people = await begun(server)
        await flipped(people, WARM)
        before = held(here)
        await flipped(people, PRESSES)
        assert not more(held(here), before), "after a long round"
        await ended(people)
        await asyncio.sleep(OVER)
        before = held(here)
        for _ in range(MATCHES):
            people = await begun(server)
            await flipped(people, PRESSES // MATCHES)
            await ended(people)
        await asyncio.sleep(OVER)
        assert not more(held(here), before), "after many matches"


async def test_answered_presses_wait_for_no_garbage_collection(tmp_path: Path) -> None:
    """Full collections are rare, and until the next one every press would be kept."""
    async with Server(channels=1) as server, bot_here(server, tmp_path / "x.db"):
        people = await begun(server)
        gc.collect()
        gc.disable()
        before = interactions()
        try:
            await flipped(people, WARM)
            left = interactions()
        finally:
            gc.enable()
        assert left <= before, "those of other tests may be there still"


def interactions() -> int:
    return sum(isinstance(one, discord.Interaction) for one in gc.get_objects())


async def test_private_notes_are_forgotten_with_their_tokens(tmp_path: Path) -> None:
    """Somebody presses what is refused again and again: before a deal, for which calls are kept,
    and in play, where one note at a time waits to be deleted.
    """
    async with Server(channels=1) as server, bot_here(server, tmp_path / "x.db") as here:
        channel = server.all_channels[0]
        people, eve = await waiting(server), Player(server, server.user("eve"), channel)
        await refused(eve, "Ready", WARM)
        await asyncio.sleep(SETTLED)
        before = held(here)
        await refused(eve, "Ready", 100)
        for _ in range(LIFE):
            await people[0].press_public("Rules")
            await asyncio.sleep(60)
        await refused(eve, "Ready", WARM)
        assert not more(held(here), before), "before a deal"
        for one in people:
            await one.press_public("My cards")
        await all_ready(people)
        await refused(eve, "End round", 100)
        deleting = [one for one in asyncio.all_tasks() if "old panel" in one.get_name()]
        assert len(deleting) <= 1, "one at a time"


async def refused(person: Player, label: str, presses: int) -> None:
    for _ in range(presses):
        await person.press_public(label)
        await asyncio.sleep(PAUSE)
    await asyncio.sleep(SETTLED)
