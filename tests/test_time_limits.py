"""Limits that share a timer: each ends its own call, at its own time, and no other."""

import asyncio

import pytest

from bot.tasks import TimeLimit


def now() -> float:
    return asyncio.get_running_loop().time()


async def waits(seconds: float, limit: float) -> float:
    """Wait so long within a limit. Return when that was over; a TimeoutError is passed on."""
    async with TimeLimit(now() + limit):
        await asyncio.sleep(seconds)
    return now()


async def test_what_takes_too_long_ends_at_its_limit() -> None:
    began = now()
    with pytest.raises(TimeoutError):
        await waits(10.0, limit=3.0)
    assert now() == began + 3.0


async def test_each_ends_by_itself_whichever_was_begun_first() -> None:
    began, ended = now(), dict[float, float]()

    async def hangs(limit: float) -> None:
        with pytest.raises(TimeoutError):
            await waits(60.0, limit)
        ended[limit] = now() - began

    quick = asyncio.ensure_future(waits(4.0, limit=5.0))
    await asyncio.gather(*(hangs(limit) for limit in (10.0, 3.0, 7.0, 3.5)))
    assert ended == {3.0: 3.0, 3.5: 3.5, 7.0: 7.0, 10.0: 10.0}
    assert await quick == began + 4.0


async def test_a_limit_that_is_over_already_ends_the_first_wait() -> None:
    began = now()
    with pytest.raises(TimeoutError):
        await waits(1.0, limit=-5.0)
    assert now() == began


async def test_the_inner_of_two_limits_leaves_the_outer_one_as_it_was() -> None:
    began, ends = now(), list[float]()

    async def inner() -> None:
        with pytest.raises(TimeoutError):
            await waits(10.0, limit=1.0)
        ends.append(now() - began)
        await asyncio.sleep(10.0)

    with pytest.raises(TimeoutError):
        async with TimeLimit(began + 3.0):
            await inner()
    assert [*ends, now() - began] == [1.0, 3.0]


async def test_whoever_is_cancelled_by_others_hears_of_that_and_of_no_limit() -> None:
    task = asyncio.ensure_future(waits(10.0, limit=3.0))
    await asyncio.sleep(1.0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()


async def test_a_cancellation_at_the_limit_is_none_of_the_limits() -> None:
    """As with `asyncio.timeout`: whoever cancels a task has to see it end as cancelled."""
    task = asyncio.ensure_future(waits(10.0, limit=3.0))
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    loop.call_at(loop.time() + 3.0, task.cancel)
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_ended_in_time_is_never_cancelled() -> None:
    await waits(1.0, limit=3.0)
    await asyncio.sleep(10.0)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError):
        async with TimeLimit(now() + 3.0):
            _ = 1 // 0


async def test_a_thousand_calls_set_one_timer() -> None:
    loop = asyncio.get_running_loop()
    set_at = list[float]()
    call_at = loop.call_at

    def counted(when: float, *args: object, **more: object) -> asyncio.TimerHandle:
        set_at.append(when)
        return call_at(when, *args, **more)  # type: ignore[arg-type]

    async with TimeLimit(now() + 1.0):
        loop.call_at = counted  # type: ignore[method-assign]
        for _ in range(1_000):
            async with TimeLimit(now() + 3.0):
                await asyncio.sleep(0)
    assert not set_at
