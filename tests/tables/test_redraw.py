"""Many changes, few edits, one at a time, and the newest state last."""

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from bot.tables.running.redraw import Redraw
from bot.tables.running.supervisor import TRIES, Supervisor
from bot.tables.running.table import Table
from bot.tasks import OwnedTasks
from tests.tables.clock import HandClock, settle
from tests.tables.test_supervisor import table_number
from tests.tables.unowned import never

GAP = 1.05


class Easel:
    """A painter whose draws take `takes` seconds and show the state they began with."""

    def __init__(self, clock: HandClock, takes: float = 0.2) -> None:
        self.clock = clock
        self.takes = takes
        self.state = 0
        self.fails = 0
        self.at_once = self.most_at_once = 0
        self.drawn: list[tuple[float, int]] = []
        self.given_up: list[int] = []
        self.tasks = OwnedTasks()
        supervisor = Supervisor(self.tasks, self._give_up, clock, never)
        table = table_number(7, clock)
        self.redraw = Redraw(
            self._draw, GAP, clock, lambda p: supervisor.start(table, "board", p.run)
        )

    def change(self, *, at_once: bool = False) -> None:
        self.state += 1
        self.redraw.touch(at_once=at_once)

    @property
    def shown(self) -> list[int]:
        return [state for _, state in self.drawn]

    async def _draw(self) -> None:
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            began, state = self.clock.now(), self.state
            await self.clock.sleep(self.takes)
            if self.fails:
                self.fails -= 1
                raise RuntimeError("the brush broke")
            self.drawn.append((began, state))
        finally:
            self.at_once -= 1

    async def _give_up(self, table: Table) -> None:
        self.given_up.append(table.id)


@pytest.fixture
async def easel() -> AsyncIterator[Easel]:
    easel = Easel(HandClock())
    yield easel
    await easel.tasks.stop()


async def test_one_change_is_one_draw_and_the_painter_rests(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(10)
    assert easel.shown == [1]
    assert not easel.tasks._tasks


async def test_a_burst_of_changes_is_two_draws(easel: Easel) -> None:
    easel.change()
    await settle()
    for _ in range(50):
        easel.change()
    await easel.clock.advance(10)
    assert easel.shown == [1, 51]


async def test_never_two_draws_at_once_and_the_gap_is_kept(easel: Easel) -> None:
    for _ in range(100):
        easel.change()
        await easel.clock.advance(0.1)
    await easel.clock.advance(10)
    begins = [began for began, _ in easel.drawn]
    assert easel.most_at_once == 1
    assert all(later - earlier >= GAP + easel.takes - 1e-9 for earlier, later in pairwise(begins))
    assert len(begins) == pytest.approx(10 / (GAP + easel.takes), abs=1)
    assert easel.shown[-1] == 100


async def test_a_change_during_a_draw_is_shown_by_the_next_one(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(0.1)
    easel.change()
    await easel.clock.advance(10)
    assert easel.shown == [1, 2]


async def test_a_change_after_a_rest_is_drawn_at_once(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(10)
    easel.change()
    await easel.clock.advance(10)
    assert easel.drawn == [(0.0, 1), (10.0, 2)]


async def test_what_cannot_wait_cuts_the_rest_short(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(0.5)
    easel.change(at_once=True)
    easel.change()
    await easel.clock.advance(10)
    assert easel.drawn == [(0.0, 1), (0.5, 3)]
    assert not easel.tasks._tasks


async def test_what_cannot_wait_still_waits_for_the_draw_before_it(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(0.1)
    easel.change(at_once=True)
    await easel.clock.advance(10)
    assert easel.shown == [1, 2]
    assert easel.most_at_once == 1


async def test_however_often_the_rest_is_cut_short_one_draw_is_under_way(easel: Easel) -> None:
    for _ in range(100):
        easel.change(at_once=True)
        await easel.clock.advance(0.07)
    await easel.clock.advance(10)
    assert easel.most_at_once == 1
    assert easel.shown[-1] == 100
    assert not easel.tasks._tasks


async def test_a_draw_that_fails_is_tried_again_with_the_newest_state(easel: Easel) -> None:
    easel.fails = 1
    easel.change()
    await easel.clock.advance(30)
    assert easel.shown == [1]
    assert easel.given_up == []


async def test_a_painter_whose_draws_keep_failing_is_given_up(easel: Easel) -> None:
    easel.fails = TRIES
    easel.change()
    await easel.clock.advance(30)
    assert easel.shown == []
    assert easel.given_up == [7]


async def test_after_a_failure_there_is_still_one_draw_at_a_time(easel: Easel) -> None:
    easel.fails = 1
    easel.change()
    await easel.clock.advance(0.1)
    easel.change()
    await easel.clock.advance(0.15)
    easel.change()
    await easel.clock.advance(30)
    assert easel.most_at_once == 1
    assert easel.shown[-1] == 3


async def test_a_painter_that_is_stopped_can_be_started_again(easel: Easel) -> None:
    easel.change()
    await easel.clock.advance(0.1)
    for task in tuple(easel.tasks._tasks):
        task.cancel()
    await settle()
    easel.change()
    await easel.clock.advance(10)
    assert easel.shown == [2]


async def test_at_once_never_means_two_draws_at_once(easel: Easel) -> None:
    """Not during the first draw, and not during the second, when a rest has been between."""
    easel.change()
    await easel.clock.advance(easel.takes / 2)
    easel.change(at_once=True)
    await easel.clock.advance(easel.takes + GAP)
    assert easel.at_once == 1, "the second draw is under way"
    easel.change(at_once=True)
    await easel.clock.advance(10)
    assert easel.most_at_once == 1
    assert easel.shown == [1, 2, 3]
