"""The process that draws: one at a time, bounded, shared by who asks for the same, and ended."""

import asyncio
import os
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest

from bot.ui.watch import drawing_process
from bot.ui.watch.drawing_process import (
    WAITING,
    BusyError,
    DrawingError,
    DrawingProcess,
    DrawingRun,
)
from bot.watch.messages import Watched, WatchRequest, answered, read
from tests import real
from tests.watch.logs import random_log
from tests.watch.measured import LATER, NAMES

ALL = NAMES + LATER


async def a_request(round_: int | None = None) -> WatchRequest:
    log = zlib.compress((await random_log(9)).encode(), 9)
    return WatchRequest(log, ALL, round_)


class Slow:
    """Draws when it is told to, in the thread in which it is called."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.most = self.now = 0
        self.go = threading.Event()

    def __call__(self, _run: DrawingRun, request: bytes) -> bytes:
        self.asked.append(request)
        self.now += 1
        self.most = max(self.most, self.now)
        assert self.go.wait(60)
        self.now -= 1
        return b""


def requests(count: int) -> list[WatchRequest]:
    return [WatchRequest(b"log", ALL, number) for number in range(1, count + 1)]


async def test_a_process_of_its_own_draws_what_is_drawn_here() -> None:
    request = await a_request()
    before = time.process_time()
    found = await DrawingProcess(patience=real.PATIENCE).watched(request)
    assert time.process_time() - before < 0.1, "the bot's own process has drawn it"
    assert found is not None
    here = answered(request.written())
    assert here.endswith(found.gif)
    assert found.gif[:6] == b"GIF89a"


async def test_the_same_picture_is_drawn_once_and_no_two_at_once() -> None:
    slow = Slow()
    drawing = DrawingProcess(slow)
    one, other = requests(2)
    asked = [asyncio.ensure_future(drawing.watched(each)) for each in (one, one, other, one)]
    await asyncio.sleep(0.05)
    assert len(slow.asked) == 1, "the loop went on meanwhile"
    slow.go.set()
    assert await asyncio.gather(*asked) == [None] * 4
    assert slow.asked == [one.written(), other.written()]
    assert slow.most == 1
    assert await drawing.watched(one) is None
    assert len(slow.asked) == 2, "it was kept"


async def test_too_many_different_pictures_are_refused_at_once() -> None:
    slow = Slow()
    drawing = DrawingProcess(slow)
    *some, one_more = requests(WAITING + 1)
    asked = [asyncio.ensure_future(drawing.watched(each)) for each in some]
    await asyncio.sleep(0.05)
    refused = asyncio.ensure_future(drawing.watched(one_more))
    await asyncio.sleep(0.05)
    is_refused = refused.done()
    if not is_refused:
        slow.go.set()
    with pytest.raises(BusyError):
        await refused
    again = asyncio.ensure_future(drawing.watched(some[-1]))
    slow.go.set()
    await asyncio.gather(*asked, again)
    assert await drawing.watched(one_more) is None, "there is room again"


async def test_kept_pictures_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    gif = Watched((await found(9)).shown, (await found(9)).rounds, (0, 1), b"x" * 1_000).written()
    monkeypatch.setattr(drawing_process, "KEPT", 2 * len(gif))
    asked: list[bytes] = []

    def draw(_run: DrawingRun, request: bytes) -> bytes:
        asked.append(request)
        return gif

    drawing = DrawingProcess(draw)
    first, second, third = requests(3)
    for each in (first, second, first, third, first):
        await drawing.watched(each)
    assert len(asked) == 3, "the one that was asked for last stayed"
    await drawing.watched(second)
    assert len(asked) == 4


async def found(seed: int) -> Watched:
    log = zlib.compress((await random_log(seed)).encode(), 9)
    watched = read(answered(WatchRequest(log, ALL, None, wants_picture=False).written()))
    assert watched is not None
    return watched


def instead(monkeypatch: pytest.MonkeyPatch, *program: str) -> None:
    """Python runs this program in place of the drawing."""
    monkeypatch.setattr(drawing_process, "COMMAND", ("-c", *program))


WAITS = "import os,sys,time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(1_000)"


async def test_whoever_stops_waiting_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    instead(monkeypatch, WAITS, str(note))
    drawing = DrawingProcess(patience=real.PATIENCE)
    asked = asyncio.ensure_future(drawing.watched(requests(1)[0]))
    number = await pid(note)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    async with asyncio.timeout(real.PATIENCE):
        while is_there(number):  # noqa: ASYNC110 a process tells nobody
            await asyncio.sleep(0.01)


async def pid(note: Path) -> int:
    async with asyncio.timeout(real.PATIENCE):
        while not (written := _written(note)):  # noqa: ASYNC110 a file tells nobody
            await asyncio.sleep(0.01)
    return int(written)


def _written(note: Path) -> str:
    return note.read_text() if note.exists() else ""


def is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("program", "error", "patience"),
    [
        ("import os; os.kill(os.getpid(), 9)", DrawingError, real.PATIENCE),
        ("raise MemoryError", DrawingError, real.PATIENCE),
        ("raise KeyError('a bug')", RuntimeError, real.PATIENCE),
        ("import time; time.sleep(1_000)", DrawingError, 0.5),
    ],
)
async def test_a_process_that_fails_is_told_apart_from_a_bug(
    monkeypatch: pytest.MonkeyPatch, program: str, error: type[Exception], patience: float
) -> None:
    instead(monkeypatch, program)
    with pytest.raises(error):
        await DrawingProcess(patience=patience).watched(requests(1)[0])


async def test_a_machine_that_starts_no_process_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(DrawingError):
        await DrawingProcess().watched(requests(1)[0])


async def test_what_cannot_be_watched_is_no_error() -> None:
    request = await a_request(99)
    assert answered(request.written()) == b""
    chess = zlib.compress(b'{"e":"start","game":"chess"}\n{"e":"deal","t":0}\n{"e":"end","t":1}\n')
    assert answered(WatchRequest(chess, ALL).written()) == b""
