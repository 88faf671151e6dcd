"""How long a 429 asks to wait is read from whatever its headers are."""

import pytest

from bot.ui.limits.retry_after import is_named, seconds


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("0", 0.0),
        ("2", 2.0),
        ("0.45", 0.45),
        ("7200", 7200.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("soon", None),
        ("", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
    ],
)
def test_header_is_a_number_of_seconds_or_nothing(header: str, told: float | None) -> None:
    assert seconds({"Retry-After": header}) == told


def test_absent_header_tells_nothing() -> None:
    assert seconds({}) is None


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('{"retry_after": 0.5}', True),
        ('{"retry_after": 7200, "global": true}', True),
        ('{"retry_after": "2"}', False),
        ('{"retry_after": null}', False),
        ('{"retry_after": true}', False),
        ('{"message": "slow down"}', False),
        ("[]", False),
        ("2", False),
        ("<html>", False),
        ("", False),
    ],
)
def test_body_names_the_pause_or_does_not(body: str, *, named: bool) -> None:
    assert is_named(body) is named
