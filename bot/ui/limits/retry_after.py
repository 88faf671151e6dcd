"""The pause that Discord asks for: the header and the body of a 429."""

import math
from collections.abc import Mapping
from contextvars import ContextVar

import orjson

LIMITS: ContextVar[list[float] | None] = ContextVar("limits", default=None)
"""The seconds that Discord has asked the calls of this task to wait, for who listens to them."""


def noted(headers: Mapping[str, str]) -> None:
    """Note a 429 for whoever listens in the task that met it."""
    if (met := LIMITS.get()) is not None:
        met.append(seconds(headers) or 0.0)


def seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`; None if it is absent or no number of seconds.

    HTTP allows a date, and a proxy in front of Discord may send anything.
    """
    try:
        told = float(headers["Retry-After"])
    except (KeyError, ValueError):
        return None
    return told if math.isfinite(told) and told >= 0 else None


def is_named(body: str) -> bool:
    """Return whether a body names the seconds as discord.py reads them, which fails otherwise."""
    try:
        told = orjson.loads(body)["retry_after"]
    except (IndexError, KeyError, TypeError, ValueError):
        return False
    return isinstance(told, int | float) and not isinstance(told, bool)
