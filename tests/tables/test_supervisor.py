"""A failing table is tried again, twice, and then given up alone."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

import pytest

from bot.ids import ChannelId, GuildId, UserId
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.events import Opened
from bot.tables.state.evolve import begin
from bot.tables.state.journal import JournalLine, TableId
from bot.tasks import PAUSE, OwnedTasks
from tests.tables.clock import HandClock, settle
from tests.tables.unowned import never, new_table

OPENED = Opened(
    "ligretto",
    1,
    GuildId(77),
    ChannelId(88),
    UserId(1001),
    "en-US",
    {"rounds": "3", "target": "off"},
)


class NoJournal:
    """Implements `bot.tables.state.journal.Journal` for tables at which nothing happens."""

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        raise AssertionError(lines)

    def note(self, line: JournalLine) -> None:
        raise AssertionError(line)


def table_number(number: int, clock: HandClock) -> Table:
    return new_table(TableId(number), begin(OPENED, 0), 1, NoJournal(), clock)


class Watch:
    """A supervisor and what it gave up; `fails` is how often the work of table 7 will fail."""

    def __init__(self) -> None:
        self.tasks = OwnedTasks()
        self.table = table_number(7, HandClock())
        self.given_up: list[int] = []
        self.tried = self.fails = 0
        self.giving_up_fails = False
        self.clock = HandClock()
        self.supervisor = Supervisor(self.tasks, self._give_up, self.clock, never)

    async def work(self) -> None:
        self.tried += 1
        await asyncio.sleep(0)
        if self.tried <= self.fails:
            raise RuntimeError("the dog ate it")

    async def _give_up(self, table: Table) -> None:
        self.given_up.append(table.id)
        if self.giving_up_fails:
            raise RuntimeError("cannot even close it")


@pytest.fixture
async def watch() -> AsyncIterator[Watch]:
    watch = Watch()
    yield watch
    await watch.tasks.stop()


async def test_work_that_succeeds_is_done_once(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    watch.supervisor.start(watch.table, "board", watch.work)
    await settle()
    assert (watch.tried, watch.given_up, caplog.records) == (1, [], [])
    assert not watch.tasks._tasks


async def test_a_crew_that_has_stopped_takes_nothing_on(watch: Watch) -> None:
    async def goes_on_at_its_end() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            watch.supervisor.start(watch.table, "board", watch.work)

    watch.supervisor.start(watch.table, "panel", goes_on_at_its_end)
    await settle()
    await watch.tasks.stop()
    await settle()
    assert (watch.tried, watch.given_up) == (0, [])
    assert not watch.tasks._tasks


async def test_a_failure_is_logged_with_its_table_and_tried_again(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    watch.fails = 2
    watch.supervisor.start(watch.table, "board", watch.work)
    await settle()
    assert watch.tried == 1, "what may pass by itself has time for that"
    await watch.clock.advance(2 * PAUSE)
    assert (watch.tried, watch.given_up) == (3, [])
    assert [record.getMessage() for record in caplog.records] == [
        "table 7 in channel 88: board failed (1 of 3)",
        "table 7 in channel 88: board failed (2 of 3)",
    ]
    assert "the dog ate it" in caplog.text


async def test_after_three_failures_the_table_is_given_up(watch: Watch) -> None:
    watch.fails = 3
    watch.supervisor.start(watch.table, "board", watch.work)
    await watch.clock.advance(2 * PAUSE)
    assert (watch.tried, watch.given_up) == (3, [7])


async def test_other_tables_never_notice(watch: Watch) -> None:
    watch.fails = 3
    other = table_number(8, HandClock())
    done: list[int] = []

    async def work() -> None:
        await settle()
        done.append(other.id)

    watch.supervisor.start(other, "board", work)
    watch.supervisor.start(watch.table, "board", watch.work)
    await watch.clock.advance(2 * PAUSE)
    assert (done, watch.given_up) == ([8], [7])


async def test_a_table_that_cannot_be_given_up_is_logged(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    watch.fails, watch.giving_up_fails = 3, True
    watch.supervisor.start(watch.table, "board", watch.work)
    await watch.clock.advance(2 * PAUSE)
    last = caplog.records[-1]
    assert (last.levelno, last.getMessage()) == (
        logging.ERROR,
        "table 7 in channel 88: could not be closed",
    )


async def test_stop_cancels_what_runs_and_waits_for_its_end(watch: Watch) -> None:
    ends: list[str] = []
    never = asyncio.Event()

    async def for_ever() -> None:
        try:
            await never.wait()
        finally:
            await asyncio.sleep(0)
            ends.append("tidied up")

    watch.supervisor.start(watch.table, "count", for_ever)
    watch.tasks(for_ever(), name="tick")
    await settle()
    try:
        async with asyncio.timeout(1):
            await watch.tasks.stop()
    finally:
        never.set()
    assert ends == ["tidied up"] * 2
    assert watch.given_up == []


async def test_a_task_that_ends_by_an_error_is_logged_by_its_name(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    watch.fails = 1
    watch.tasks(watch.work(), name="writer")
    await settle()
    assert [record.getMessage() for record in caplog.records] == ["task writer failed"]
    assert "the dog ate it" in caplog.text
