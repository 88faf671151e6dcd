"""The queue at a table: presses are decided in the order of their arrival."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from bot.tasks import Spawn

log = logging.getLogger(__name__)

T = TypeVar("T")


Earlier: TypeAlias = Collection[asyncio.Future[Any]]
"""Turns in other lines that arrived earlier, and on which a decision depends."""


@dataclass(frozen=True, slots=True)
class _Turn:
    work: Callable[[], Awaitable[Any]]
    result: asyncio.Future[Any]


class ArrivalQueue:
    """A line of work, done one piece at a time in the order in which it was handed in.

    `take` is an ordinary function: when it returns, the work is in line, and no await can come
    between an arrival and its place. The worker's task lives while there is work.
    """

    def __init__(self, name: str, spawn: Spawn) -> None:
        self._name = name
        self._spawn = spawn
        self._line: deque[_Turn] = deque()
        self._works = False
        self._last: asyncio.Future[Any] | None = None

    @property
    def last(self) -> asyncio.Future[Any] | None:
        """The result of the last piece of work, in line or at hand; None once that is done."""
        return None if self._last is None or self._last.done() else self._last

    def take(self, work: Callable[[], Awaitable[T]]) -> asyncio.Future[T]:
        """Get in line now. Return a future of what the work returns or raises.

        Nothing leaves the line: a caller who is cancelled or stops waiting gets no result, but the
        work is still done. If the worker's task is cancelled, so is the future of the work at hand;
        the rest stays in line until the next `take`.
        """
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._line.append(_Turn(work, result))
        self._last = result
        if not self._works:
            self._works = True
            self._spawn(self._serve(), name=self._name)
        return result

    async def _serve(self) -> None:
        try:
            while self._line:
                await self._do(self._line.popleft())
        finally:
            self._works = False

    async def _do(self, turn: _Turn) -> None:
        try:
            result = await turn.work()
        except asyncio.CancelledError:
            turn.result.cancel()
            raise
        except Exception as error:
            if turn.result.done():
                log.exception("%s: work failed after its caller stopped waiting", self._name)
            else:
                turn.result.set_exception(error)
        else:
            if not turn.result.done():
                turn.result.set_result(result)


async def past(earlier: Earlier, patience: float) -> bool:
    """Wait until these turns are over, for `patience` seconds at most. Return whether they are.

    Nothing is raised if one fails. They took their places in line when they arrived, so each waits
    only for still earlier ones.
    """
    waiting = [one for one in earlier if not one.done()]
    if waiting:
        await asyncio.wait(waiting, timeout=patience)
    return all(one.done() for one in waiting)
