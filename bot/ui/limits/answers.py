"""Answers of Discord that nobody can read: what came says yes, or no, in no form that Discord has.

A network's own page, an empty body or half of an object is an expected failure like any other:
whoever reads it fails in its own way, so each call is made within `answered_within`.
"""

import asyncio
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from contextvars import ContextVar
from types import TracebackType

import discord

from bot.tasks import TimeLimit

STATUSES: ContextVar[list[int] | None] = ContextVar("statuses", default=None)
"""The statuses of the answers that the call of this task has had."""
PATIENCE = 10.0
"""Seconds after which a call counts as lost, where nothing waits for it."""
SETTLED = 30.0
"""Seconds after a call was lost in which Discord may still carry it out, over newer ones."""
UNREAD = (LookupError, TypeError, ValueError, AttributeError, discord.InvalidData)
"""Raised by discord.py, and by JSON, while they read a body that isn't what was asked for."""


class UnreadableAnswerError(Exception):
    """Discord, or what stands before it, has answered with what cannot be read.

    Nobody knows whether the call was carried out.
    """


def note_status(status: int) -> None:
    """Note that an answer with this status has arrived, for the call of this task."""
    if (statuses := STATUSES.get()) is not None:
        statuses.append(status)


class _Reading(AbstractContextManager[None]):
    def __enter__(self) -> None:
        self._before, self._statuses = STATUSES.get(), list[int]()
        STATUSES.set(self._statuses)

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        STATUSES.set(self._before)  # a killed task is closed in the context of another
        if isinstance(error, UNREAD) and self._statuses:
            said = f"unreadable (HTTP {self._statuses[-1]}): {error!r}"
            raise UnreadableAnswerError(said) from error


class _Bounded(AbstractAsyncContextManager[None]):
    def __init__(self, when: float) -> None:
        self._limit = TimeLimit(when)
        self._reading = _Reading()

    async def __aenter__(self) -> None:
        self._limit.begin()
        self._reading.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._limit.close(kind, error)
        finally:
            self._reading.__exit__(kind, error, trace)


def reading() -> AbstractContextManager[None]:
    """Make one call in this. Raises UnreadableAnswerError for what fails while its answer is read.

    What fails before an answer has arrived is a bug of ours, and is raised as it is.
    """
    return _Reading()


def answered_by(when: float) -> AbstractAsyncContextManager[None]:
    """Make one call in this, and have its answer read by this time of the loop.

    Raises TimeoutError and UnreadableAnswerError.
    """
    return _Bounded(when)


def answered_within(seconds: float = PATIENCE) -> AbstractAsyncContextManager[None]:
    """Make one call in this, which takes these seconds at most. Raises as `answered_by` does."""
    return answered_by(asyncio.get_running_loop().time() + seconds)
