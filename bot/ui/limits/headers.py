"""Rate limits in the headers of Discord's answers. All of it may be absent or wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from math import isfinite
from typing import Any

UNSAID = 1.0
"""Seconds to wait where a refusal doesn't say how long."""
BELIEVED = 5.0
"""Seconds of a pause that is asked for while nothing is refused."""
LONGEST = 60.0
"""Seconds that are waited at most, whatever is asked for (PLATFORM 2)."""
NAMES = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset-After")
LIMIT, REMAINING, RESET_AFTER = NAMES
SOUND = 900.0
"""Seconds until the end of a limit that are believed."""


class Scope(Enum):
    """The owner of a rate limit."""

    TOKEN = auto()
    CHANNEL = auto()
    EVERYWHERE = auto()
    """That of all the bot's calls."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The rate limits that the answer to a call by a token tells of.

    `refused`: the owner of the limit that it met, None for a call that was taken; `pause`: seconds
    until the next call may follow; `told`: the limit that Discord names, as calls and seconds.
    """

    refused: Scope | None = None
    pause: float = 0.0
    told: tuple[int, float] | None = field(default=None, compare=False)


NO_LIMITS = RateLimits()


def taken(headers: Mapping[str, str]) -> RateLimits:
    """Read the answer to a call that was taken: the last that is left asks for a pause."""
    told = _told(headers)
    if headers.get(REMAINING) != "0":
        return RateLimits(told=told)
    return RateLimits(pause=min(number(headers.get(RESET_AFTER)) or 0.0, BELIEVED), told=told)


def _told(headers: Mapping[str, str]) -> tuple[int, float] | None:
    most, after = (number(headers.get(name)) for name in (LIMIT, RESET_AFTER))
    return None if most is None or after is None else (int(most), after)


def refused(headers: Mapping[str, str], body: Any) -> RateLimits:  # noqa: ANN401 JSON, or words
    """Read a refusal. One that doesn't say whose limit it is may be the channel's."""
    pause = asked_for(headers, body)
    pause = UNSAID if pause is None else min(pause, LONGEST)
    if is_everywhere(headers) or (isinstance(body, dict) and body.get("global") is True):
        return RateLimits(Scope.EVERYWHERE, pause)
    is_tokens = headers.get("X-RateLimit-Scope") == "user"
    return RateLimits(Scope.TOKEN if is_tokens else Scope.CHANNEL, pause)


def is_everywhere(headers: Mapping[str, str]) -> bool:
    """Return whether a refusal says that it met the limit of all the bot's calls."""
    return headers.get("X-RateLimit-Scope") == "global" or "X-RateLimit-Global" in headers


def asked_for(headers: Mapping[str, str], body: Any) -> float | None:  # noqa: ANN401 as above
    """Return the seconds to wait after a refusal; None where it doesn't say."""
    exact = body.get("retry_after") if isinstance(body, dict) else None
    return number(headers.get("Retry-After") if exact is None else exact)


def are_sound(headers: Mapping[str, str]) -> bool:
    """Return whether discord.py can work with the limit that an answer names, if it names one.

    discord.py takes an answer whose headers leave out the end of a limit for a failure, and waits
    for as long as they say (PLATFORM 2).
    """
    if not any(name in headers for name in NAMES):
        return True
    limit, left, after = (headers.get(name, "") for name in NAMES)
    ends = number(after)
    return limit.isdecimal() and left.isdecimal() and ends is not None and ends <= SOUND


def number(said: object) -> float | None:
    """Return a number of seconds or calls; None for anything else, or below 0."""
    try:
        found = float(said)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return found if isfinite(found) and found >= 0 else None
