"""The process that draws moving pictures: one at a time, started for each and gone afterwards.

A thread would draw as well, but hold the interpreter: the loop was late by up to 40 ms beside one.
Pictures that many ask for at the end of a match are drawn once.
"""

import asyncio
import logging
import subprocess
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from os import environ, pathsep
from pathlib import Path
from typing import TypeAlias

import bot
from bot.watch.messages import Watched, WatchRequest, read

log = logging.getLogger(__name__)

COMMAND = ("-P", "-m", "bot.watch")
"""Python's arguments. Without the working folder: nothing in it can be imported by mistake."""
PATIENCE = 20.0
"""Seconds after which a drawing is given up."""
WAITING = 6
"""The most different pictures that are asked for at once, with the one that is drawn."""
SAID = 2_000
"""Characters of a failed process's last words that are logged."""
KEPT = 4 * 1_048_576
"""Bytes of pictures that are kept, in case somebody else asks or one is shared."""
_WAITER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing process")


class BusyError(Exception):
    """Too many other pictures are being drawn."""


class DrawingError(Exception):
    """The drawing process could not be started, was ended by the system, or took too long."""


class DrawingRun:
    """One run of the process, which another thread may end. `patience`: its seconds at most."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._is_given_up = False

    def run(self, request: bytes) -> bytes:
        """Return the answer. Blocks, so call it in a thread.

        Raises DrawingError, and RuntimeError for a bug of the process.
        """
        pipe, home = subprocess.PIPE, str(Path(bot.__file__).parent.parent)
        path = pathsep.join(filter(None, (home, environ.get("PYTHONPATH"))))
        try:
            with subprocess.Popen(  # noqa: S603 our own command
                [sys.executable, *COMMAND],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env={**environ, "PYTHONPATH": path},
            ) as process:
                self._process = process
                if self._is_given_up:
                    process.kill()
                return self._answer(process, request)
        except (OSError, subprocess.SubprocessError) as error:
            raise DrawingError(repr(error)) from error

    def give_up(self) -> None:
        """End the process, now or as soon as it has begun. Does nothing once it has ended."""
        self._is_given_up = True
        if self._process is not None:
            self._process.kill()

    def _answer(self, process: "subprocess.Popen[bytes]", request: bytes) -> bytes:
        try:
            answer, complaint = process.communicate(request, self._patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        if process.returncode:
            said = complaint.decode(errors="replace").strip()
            is_bug = process.returncode > 0 and not said.endswith("MemoryError")
            kind = RuntimeError if is_bug else DrawingError
            raise kind(f"drawing process ended with {process.returncode}: {said[-SAID:]}")
        return answer


Draw: TypeAlias = Callable[[DrawingRun, bytes], bytes]


class DrawingProcess:
    """Draws rounds, one at a time. `draw`: how; it blocks, and is called in a thread.

    `patience`: seconds after which a drawing is given up.
    """

    def __init__(self, draw: Draw = DrawingRun.run, patience: float = PATIENCE) -> None:
        self._draw = draw
        self._patience = patience
        self._turn = asyncio.Lock()
        self._wanted: Counter[bytes] = Counter()
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    async def watched(self, request: WatchRequest) -> Watched | None:
        """Return a round with its picture; None if there is nothing to watch.

        Raises BusyError, and what `draw` raises. Cancelling ends the process of a drawing.
        """
        written = request.written()
        key = sha256(written).digest()
        if key not in self._wanted and len(self._wanted) >= WAITING:
            raise BusyError
        self._wanted[key] += 1
        try:
            return read(await self._answer(key, written))
        finally:
            self._wanted[key] -= 1
            if not self._wanted[key]:
                del self._wanted[key]

    async def _answer(self, key: bytes, request: bytes) -> bytes:
        async with self._turn:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return kept
            drawing, loop = DrawingRun(self._patience), asyncio.get_running_loop()
            try:
                answer = await loop.run_in_executor(_WAITER, self._draw, drawing, request)
            finally:
                drawing.give_up()
            self._keep(key, answer)
            return answer

    def _keep(self, key: bytes, answer: bytes) -> None:
        self._kept[key] = answer
        while sum(map(len, self._kept.values())) > KEPT:
            self._kept.popitem(last=False)
