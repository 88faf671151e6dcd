"""What Discord's headers say of limits, true, false or nothing."""

import pytest

from bot.ui.limits import headers as limits
from bot.ui.limits.headers import HEARD, Heard, Scope

LEFT = {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5"}


@pytest.mark.parametrize(
    ("headers", "heard"),
    [
        ({}, HEARD),
        ({**LEFT, "X-RateLimit-Remaining": "2"}, HEARD),
        (LEFT, Heard(pause=1.5)),
        ({"X-RateLimit-Remaining": "0"}, HEARD),
        ({**LEFT, "X-RateLimit-Reset-After": "soon"}, HEARD),
        ({**LEFT, "X-RateLimit-Reset-After": "3600"}, Heard(pause=limits.BELIEVED)),
        ({**LEFT, "X-RateLimit-Reset-After": "-2"}, HEARD),
        ({**LEFT, "X-RateLimit-Reset-After": "nan"}, HEARD),
    ],
)
def test_last_call_that_is_left_asks_for_a_pause(headers: dict[str, str], heard: Heard) -> None:
    assert limits.taken(headers) == heard


@pytest.mark.parametrize(
    ("headers", "body", "heard"),
    [
        ({"X-RateLimit-Scope": "user"}, {"retry_after": 0.4}, Heard(Scope.TOKEN, 0.4)),
        ({"X-RateLimit-Scope": "shared"}, {"retry_after": 40.0}, Heard(Scope.CHANNEL, 40.0)),
        ({"X-RateLimit-Scope": "global"}, {}, Heard(Scope.EVERYWHERE, limits.UNSAID)),
        ({"X-RateLimit-Global": "true"}, {"retry_after": 2}, Heard(Scope.EVERYWHERE, 2.0)),
        ({}, {"retry_after": 2, "global": True}, Heard(Scope.EVERYWHERE, 2.0)),
        ({}, {"retry_after": 2, "global": False}, Heard(Scope.CHANNEL, 2.0)),
        ({"Retry-After": "3"}, "<html>", Heard(Scope.CHANNEL, 3.0)),
        ({"Retry-After": "3"}, {"retry_after": None}, Heard(Scope.CHANNEL, 3.0)),
        ({}, {}, Heard(Scope.CHANNEL, limits.UNSAID)),
        ({}, {"retry_after": 50_000}, Heard(Scope.CHANNEL, limits.LONGEST)),
        ({"Retry-After": "in a while"}, "", Heard(Scope.CHANNEL, limits.UNSAID)),
    ],
)
def test_refusal_says_whose_limit_it_is(
    headers: dict[str, str], body: object, heard: Heard
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
