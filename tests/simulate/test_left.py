"""What is left is seen: a lock that somebody has, a task that never ended."""

import asyncio

from tests.simulate.left import nothing_is_left
from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import PROCESS
from tests.simulate.process import Log, Said
from tests.simulate.witness import Witness

PROCESS_ID = 10_001


class Seen(Witness):
    """A witness of a file in which nothing is left."""

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return [(0,)]


def broken(held: str) -> list[str]:
    """What is said to be left by a process that tells so of what it holds."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    witness = Seen(None, loop.time, None)  # type: ignore[arg-type]
    log = Log(
        [Said(PROCESS_ID, loop.time(), 10, "bot.ui.connection.load_shedding", f"held: {held}")]
    )
    nothing_is_left(witness, log, PROCESS_ID)
    return [one.promise for one in witness.violations]


async def test_a_bot_at_rest_has_nothing_left() -> None:
    assert broken("0 tables, 17 tasks, 0 presses in work, 0 panels, 0 channel queues") == []


async def test_everything_that_is_still_held_is_named() -> None:
    assert broken("1 tables, 17 tasks, 0 presses in work, 0 panels, 2 channel queues") == [
        "no table is left",
        "no channel queue is left",
    ]


async def test_a_lock_that_is_taken_is_left_unless_its_process_was_killed() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    lock = asyncio.Lock()
    await lock.acquire()
    assert lock in loop.locks_taken()
    assert broken("0 tables") == ["no lock is left"]
    loop.kill(PROCESS_ID)
    assert broken("0 tables") == []
    lock.release()


async def test_a_task_of_a_table_is_left() -> None:
    token = PROCESS.set(PROCESS_ID)
    task = asyncio.get_running_loop().create_task(asyncio.sleep(1), name="table 1 board")
    PROCESS.reset(token)
    assert broken("0 tables") == ["no task is left"]
    await task
