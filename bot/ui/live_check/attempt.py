"""One call to Discord that is bounded, and how it went in short."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import discord

from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, is_refusal
from bot.ui.limits.retry_after import LIMITS

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds after which a call counts as unanswered."""
NO_ANSWER, LIMITED = "-", "429"
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Attempt(Generic[T]):
    """The outcome of one call.

    `problem`: status and code of a refusal, `NO_ANSWER`, or `LIMITED` with the seconds to `wait`;
    empty if the call was taken. `error`: the failure behind it.
    """

    result: T | None
    problem: str = ""
    wait: float = 0.0
    error: Exception | None = None

    @property
    def is_refused(self) -> bool:
        """True if Discord has surely not done it."""
        return self.error is not None and is_refusal(self.error)


async def attempt(call: Callable[[], Awaitable[T]]) -> Attempt[T]:
    """Call once, for ten seconds at most.

    discord.py waits out rate limits inside the call, so those it meets are noted.
    """
    met: list[float] = []
    listening = LIMITS.set(met)
    try:
        async with answered_within(PATIENCE):
            return Attempt(await call())
    except FAILURES as error:
        wait = max(met, default=0.0)
        is_limit = bool(met) and isinstance(error, TimeoutError)
        return Attempt(None, LIMITED if is_limit else problem(error), wait, error)
    finally:
        LIMITS.reset(listening)


def problem(error: Exception) -> str:
    """Return what a report says of a failure."""
    if not isinstance(error, discord.HTTPException):
        return NO_ANSWER
    return LIMITED if error.status == TOO_MANY else f"{error.status}/{error.code}"
