"""How long Discord asks to be left alone: the header and the body of a 429."""

import math
from collections.abc import Mapping

import orjson


def seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`, or None where it is absent or no number of seconds
    (HTTP allows a date, and what stands before Discord may send anything).
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
