"""What Discord's headers say of limits, true, false or nothing."""

import pytest

from bot.ui.limits import headers as limits
from bot.ui.limits.headers import NO_LIMITS, RateLimits, Scope

LEFT = {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5"}


@pytest.mark.parametrize(
    ("headers", "heard"),
    [
        ({}, NO_LIMITS),
        ({**LEFT, "X-RateLimit-Remaining": "2"}, NO_LIMITS),
        (LEFT, RateLimits(pause=1.5)),
        ({"X-RateLimit-Remaining": "0"}, NO_LIMITS),
        ({**LEFT, "X-RateLimit-Reset-After": "soon"}, NO_LIMITS),
        ({**LEFT, "X-RateLimit-Reset-After": "3600"}, RateLimits(pause=limits.BELIEVED)),
        ({**LEFT, "X-RateLimit-Reset-After": "-2"}, NO_LIMITS),
        ({**LEFT, "X-RateLimit-Reset-After": "nan"}, NO_LIMITS),
    ],
)
def test_last_call_that_is_left_asks_for_a_pause(
    headers: dict[str, str], heard: RateLimits
) -> None:
    assert limits.taken(headers) == heard


@pytest.mark.parametrize(
    ("headers", "body", "heard"),
    [
        ({"X-RateLimit-Scope": "user"}, {"retry_after": 0.4}, RateLimits(Scope.TOKEN, 0.4)),
        ({"X-RateLimit-Scope": "shared"}, {"retry_after": 40.0}, RateLimits(Scope.CHANNEL, 40.0)),
        ({"X-RateLimit-Scope": "global"}, {}, RateLimits(Scope.EVERYWHERE, limits.UNSAID)),
        ({"X-RateLimit-Global": "true"}, {"retry_after": 2}, RateLimits(Scope.EVERYWHERE, 2.0)),
        ({}, {"retry_after": 2, "global": True}, RateLimits(Scope.EVERYWHERE, 2.0)),
        ({}, {"retry_after": 2, "global": False}, RateLimits(Scope.CHANNEL, 2.0)),
        ({"Retry-After": "3"}, "<html>", RateLimits(Scope.CHANNEL, 3.0)),
        ({"Retry-After": "3"}, {"retry_after": None}, RateLimits(Scope.CHANNEL, 3.0)),
        ({}, {}, RateLimits(Scope.CHANNEL, limits.UNSAID)),
        ({}, {"retry_after": 50_000}, RateLimits(Scope.CHANNEL, limits.LONGEST)),
        ({"Retry-After": "in a while"}, "", RateLimits(Scope.CHANNEL, limits.UNSAID)),
    ],
)
def test_refusal_says_whose_limit_it_is(
    headers: dict[str, str], body: object, heard: RateLimits
) -> None:
    assert limits.refused(headers, body) == heard


@pytest.mark.parametrize(
    ("headers", "sound"),
    [
        ({}, True),
        (LEFT, True),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5"}, False),
        ({**LEFT, "X-RateLimit-Limit": "many"}, False),
        ({**LEFT, "X-RateLimit-Remaining": "1.5"}, False),
        ({**LEFT, "X-RateLimit-Reset-After": "86400"}, False),
        ({"X-RateLimit-Reset-After": "1"}, False),
    ],
)
def test_headers_that_discord_py_stumbles_over_are_told(
    headers: dict[str, str], *, sound: bool
) -> None:
    assert limits.are_sound(headers) == sound
