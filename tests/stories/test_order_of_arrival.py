"""Order of arrival is the law for whoever was to be released, too."""

import asyncio
import re
from dataclasses import replace

from bot.games.values import Refused
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.press import Press
from bot.tables.registry.outcome import Outcome
from bot.tables.state.actions import parse as action
from bot.tables.state.journal import TableId
from bot.text import margin
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock
from tests.stories.world import LONG, Player, World, given
from tests.tables.table import ANNA, BEN, CHLOE, NAMES, USERS, SlowJournal, live, race
from tests.tables.unowned import new_table, new_tables

BEHIND = 0.04
"""Seconds by which Anna presses later than Ben."""
BUSY = 0.1
"""Seconds that the disk takes for each write."""


class BusyJournal(SlowJournal):
    """A journal on a disk that others use too."""

    async def append(self, *args: object, **options: object) -> None:
        await asyncio.sleep(BUSY)
        await super().append(*args, **options)  # type: ignore[arg-type]


async def raced() -> tuple[Outcome, Outcome]:
    """Ben and then Anna press for the same place, while Chloe's vote to release Ben is open. What
    became of Ben's press, and of Anna's.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    journal, clock = BusyJournal(), VirtualClock(loop)
    tables = new_tables(journal, clock)
    session = replace(live(race()), release_votes=frozenset({(CHLOE, BEN)}))
    table = new_table(TableId(1), session, 10, journal, clock)
    tables.index.enter(table)
    for user in USERS.values():
        table.shown(user, session)

    async def pressed(seat: int) -> Outcome:
        press = Press(seat, USERS[seat], NAMES[seat], clock.wall(), clock.now())  # type: ignore[index]
        return await tables.press(TableId(1), 1, action("r2"), press)

    async with asyncio.TaskGroup() as group:
        bens = group.create_task(pressed(BEN))
        await asyncio.sleep(BEHIND)
        annas = group.create_task(pressed(ANNA))
    return bens.result(), annas.result()


async def test_a_release_vote_loses_nobody_a_race() -> None:
    """Ben gets the place for which he pressed 40 ms before Anna. That he is back is written at the
    turn of his press, and not before it.
    """
    bens, annas = await raced()
    given((bens.refused is None) != (annas.refused is None), "there is one place")
    assert bens.refused is None


async def test_the_margin_of_a_lost_race_is_true() -> None:
    """The one who reads of a margin is the one who pressed later, and it is 40 ms."""
    outcomes = await raced()
    (late,) = (one.refused for one in outcomes if isinstance(one.refused, Refused))
    given(late.why is TableRefusal.TOO_LATE, "the loser is told of the race")
    assert dict(late.values)["ms"] == margin(BEHIND * 1000)


async def test_seats_of_a_rematch_are_taken_in_order_of_arrival(world: World) -> None:
    people = await world.live("anna", "ben", "cleo", rounds=1)
    await world.agreed(people)
    await in_this_order(world, [people[2], people[0], people[1]], "Rematch")
    assert seats(world) == ["Cleo", "Anna", "Ben"]


async def test_seats_are_taken_in_order_of_arrival_after_a_restart(world: World) -> None:
    await world.lobby("anna")
    world.bot.kill()
    await world.start()
    await in_this_order(world, [world.person(name) for name in ("dora", "ben", "cleo")], "Join")
    assert seats(world) == ["Anna", "Dora", "Ben", "Cleo"]


async def in_this_order(world: World, people: list[Player], label: str) -> None:
    """They press this on the table's message, one right after the other, and wait together."""
    public = world.public
    pressed = [world.server.click(one.user, public, label=label, stale=True) for one in people]
    for one in pressed:
        assert (await one.wait()).ok
    await asyncio.sleep(LONG)


def seats(world: World) -> list[str]:
    """Who sits in the lobby, by seat."""
    lines = [line for line in world.public.text.splitlines() if line[:1].isdigit()]
    return [re.sub(r"[^A-Za-z ]", "", line).split()[0] for line in lines]
