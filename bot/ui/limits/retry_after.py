"""The pause that Discord asks for: the header and the body of a 429."""

from collections.abc import Mapping
from contextvars import ContextVar

import orjson

from bot.ui.limits.headers import number

LIMITS: ContextVar[list[float] | None] = ContextVar("limits", default=None)
"""The seconds that Discord has asked the calls of this task to wait, for whoever listens."""


def noted(headers: Mapping[str, str]) -> None:
    """Note a 429 for whoever listens in the task that met it."""
    if (met := LIMITS.get()) is not None:
        met.append(seconds(headers) or 0.0)


def seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`; None if it is absent or no number of seconds.

    HTTP allows a date, and a proxy in front of Discord may send anything.
    """
    return number(headers.get("Retry-After"))


def is_named(body: str) -> bool:
    """Return whether a body names the seconds as discord.py reads them, which fails otherwise."""
    try:
        told = orjson.loads(body)["retry_after"]
    except (IndexError, KeyError, TypeError, ValueError):
        return False
    return isinstance(told, int | float) and not isinstance(told, bool)
