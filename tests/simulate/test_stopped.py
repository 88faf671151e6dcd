"""A process that stands still does nothing, and goes on where it was."""

import asyncio

from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import PROCESS

MINE = 7


async def test_what_was_due_is_done_when_a_process_goes_on() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    began, seen = loop.time(), list[tuple[str, float]]()

    async def waits(seconds: float) -> None:
        await asyncio.sleep(seconds)
        seen.append((f"after {seconds:.0f}", loop.time() - began))

    token = PROCESS.set(MINE)
    tasks = [loop.create_task(waits(seconds)) for seconds in (3.0, 1.0, 9.0)]
    PROCESS.reset(token)
    await asyncio.sleep(0.5)
    loop.stop_process(MINE)
    await asyncio.sleep(4.5)
    assert not seen
    loop.resume_process(MINE)
    await asyncio.gather(*tasks)
    assert seen == [("after 1", 5.0), ("after 3", 5.0), ("after 9", 9.0)]


async def test_a_process_that_stands_still_can_be_killed() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    token = PROCESS.set(MINE)
    task = loop.create_task(asyncio.sleep(1.0))
    PROCESS.reset(token)
    await asyncio.sleep(0.5)
    loop.stop_process(MINE)
    loop.kill(MINE)
    loop.resume_process(MINE)
    await asyncio.sleep(5.0)
    assert not task.done()
