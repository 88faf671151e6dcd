"""Pictures are drawn beside the loop, and never two at once: each would keep its memory."""

import asyncio
import threading
import time

import pytest

from bot.ui.render.image_worker import drawn
from tests import real


async def test_pictures_are_drawn_one_at_a_time_and_the_loop_goes_on() -> None:
    at_work: list[int] = []
    go = threading.Event()
    most = 0

    def draw(number: int, *, ground: bytes) -> bytes:
        nonlocal most
        at_work.append(number)
        most = max(most, len(at_work))
        assert go.wait(real.PATIENCE)
        time.sleep(0.001)
        at_work.remove(number)
        assert threading.current_thread() is not threading.main_thread()
        return ground + str(number).encode()

    pictures = asyncio.gather(*(drawn(draw, number, ground=b"#") for number in range(5)))
    await asyncio.sleep(0.01)
    assert not pictures.done(), "nobody was held up"
    go.set()
    assert await pictures == [b"#0", b"#1", b"#2", b"#3", b"#4"]
    assert most == 1


async def test_one_that_nobody_waits_for_any_more_is_not_drawn() -> None:
    begun: list[str] = []
    go = threading.Event()

    def draw(name: str) -> bytes:
        begun.append(name)
        assert go.wait(real.PATIENCE)
        return b""

    first = asyncio.ensure_future(drawn(draw, "first"))
    await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await drawn(draw, "second")
    go.set()
    _ = await first
    _ = await drawn(draw, "third")
    assert begun == ["first", "third"]
