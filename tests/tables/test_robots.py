"""Computer players and the count before a round, in simulated time."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from itertools import pairwise
from statistics import fmean

import pytest

from bot.clock import SystemClock
from bot.games.chance import Chance
from bot.ids import UserId
from bot.tables.decisions import decide as d
from bot.tables.running.countdown import Countdown
from bot.tables.running.robots import LEVELS, Robots, wait
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.tasks import OwnedTasks
from tests.tables.table import SlowJournal
from tests.tables.unowned import never, new_table
from tests.ui.matches import HOST, all_ready, live, lobby, started

SEED = bytes(range(32))


class Room:
    """One table, its tasks, and what was written when (in seconds from the beginning)."""

    def __init__(self) -> None:
        self.clock = SystemClock()
        self.tasks = OwnedTasks()
        self.journal = SlowJournal()
        self.supervisor = Supervisor(self.tasks, self._give_up, self.clock, never)
        self._began = self.now

    async def _give_up(self, table: Table) -> None:
        raise AssertionError(f"{table} failed")

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    @property
    def seconds(self) -> float:
        return round(self.now - self._began, 1)

    def table(self, session: Session) -> Table:
        return new_table(TableId(1), session, 10, self.journal, self.clock)


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    room = Room()
    yield room
    await room.tasks.stop()


# -- the count -----------------------------------------------------------------------------


async def test_a_round_is_counted_in_once_from_three_a_second_each(room: Room) -> None:
    table, seen = room.table(all_ready(started(lobby(["Anna", "Ben"])))), []
    countdown = Countdown(room.supervisor, room.clock)

    def changed(table: Table) -> None:
        countdown.watch(table)
        seen.append((room.seconds, table.count, table.session.phase))

    table.on_change = changed
    countdown.watch(table)
    countdown.watch(table)
    await asyncio.sleep(10)
    assert seen == [
        (0.0, 3, Phase.COUNT),
        (1.0, 2, Phase.COUNT),
        (2.0, 1, Phase.COUNT),
        (3.0, 1, Phase.LIVE),
    ]
    assert room.journal.entries == [e.WentLive()]


async def test_a_count_that_was_cut_short_begins_again_at_three(room: Room) -> None:
    table, seen = room.table(all_ready(started(lobby(["Anna", "Ben"])))), []
    countdown = Countdown(room.supervisor, room.clock)
    table.on_change = lambda table: seen.append((room.seconds, table.count, table.session.phase))
    countdown.watch(table)
    await asyncio.sleep(1.5)
    await table.do(d.pause)
    await asyncio.sleep(10)
    assert [phase for _, _, phase in seen] == [Phase.COUNT, Phase.COUNT, Phase.READY]
    for user in (HOST, UserId(HOST + 1)):
        await table.do(partial(d.ready, user=user))
    seen.clear()
    countdown.watch(table)
    await asyncio.sleep(10)
    assert [(count, phase) for _, count, phase in seen] == [
        *((3, Phase.COUNT), (2, Phase.COUNT), (1, Phase.COUNT)),
        (1, Phase.LIVE),
    ]


# -- computer players ----------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_an_action_takes_the_pace_of_the_level_give_or_take_two_fifths(level: str) -> None:
    skill, chance = LEVELS[level], Chance(SEED, 1, 0)
    waits = [wait(skill, chance) / skill.pace for _ in range(2000)]
    assert 0.6 <= min(waits) < 0.605
    assert 1.395 < max(waits) <= 1.4
    assert fmean(waits) == pytest.approx(1.0, abs=0.02)


def test_each_level_is_quicker_and_notices_more_than_the_one_below() -> None:
    assert list(LEVELS) == ["easy", "medium", "hard", "master"]
    for worse, better in pairwise(LEVELS.values()):
        assert worse.pace > better.pace
        assert worse.attention < better.attention
        assert worse.foresight < better.foresight


async def test_each_computer_player_plays_its_seat_once_at_a_time(room: Room) -> None:
    table, moves = room.table(live(lobby(["Anna"], computers=2))), []
    robots = Robots(room.supervisor, room.clock, lambda: SEED)

    def changed(table: Table) -> None:
        robots.watch(table)
        moves.append(room.now)

    table.on_change = changed
    robots.watch(table)
    robots.watch(table)
    assert len(room.tasks._tasks) == 2
    await asyncio.sleep(30)
    moved = [entry.seat for entry in room.journal.entries if isinstance(entry, e.Moved)]
    assert set(moved) == {1, 2}
    # Each of the two takes 1.8 s an action, from 1.08 to 2.52.
    assert 2 * 30 / 2.52 - 2 <= len(moved) <= 2 * 30 / 1.08


async def test_computer_players_rest_when_the_round_does(room: Room) -> None:
    table = room.table(live(lobby(["Anna"], computers=1)))
    robots = Robots(room.supervisor, room.clock, lambda: SEED)
    robots.watch(table)
    await asyncio.sleep(5)
    await table.do(d.pause)
    await asyncio.sleep(5)
    assert not room.tasks._tasks
    robots.watch(table)
    assert not room.tasks._tasks, "a get-ready has nothing to play"
    written = len(room.journal.lines)
    await asyncio.sleep(30)
    assert len(room.journal.lines) == written
