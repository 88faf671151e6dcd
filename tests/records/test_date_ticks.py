"""Dates below a curve: few, at the beginnings of a calendar's days, weeks, months and years."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.records.date_ticks import ticks

ZURICH = "Europe/Zurich"


def at(words: str, zone: str = ZURICH) -> int:
    return int(datetime.fromisoformat(words).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2026-11-02 20:00", "2026-11-02 23:30", "2026-11-02"),
        ("2026-11-02 20:00", "2026-11-03 00:30", "2026-11-03"),
        ("2026-11-02 20:00", "2026-11-05 20:00", "2026-11-03 2026-11-04 2026-11-05"),
        ("2026-11-02 20:00", "2026-11-07 20:00", "2026-11-03 2026-11-05 2026-11-07"),
        ("2026-11-01 20:00", "2026-11-21 20:00", "2026-11-02 2026-11-09 2026-11-16"),
        ("2026-10-02 20:00", "2026-12-21 20:00", "2026-11-01 2026-12-01"),
        ("2025-10-02 20:00", "2026-12-21 20:00", "2026-01-01 2026-07-01"),
        ("2020-10-02 20:00", "2026-12-21 20:00", "2022-01-01 2024-01-01 2026-01-01"),
        ("2026-11-02 20:00", "2026-11-02 20:00", "2026-11-02"),
    ],
)
def test_as_many_as_there_is_room_for(first: str, last: str, days: str) -> None:
    found = ticks(at(first), at(last), ZURICH, 3)
    assert [str(day) for _, day in found] == days.split()


def test_a_day_begins_when_the_zones_clocks_say_so() -> None:
    """A match at 23:30 in Zurich is of the next day in Tokyo; clocks change on 2026-10-25."""
    first, last = at("2026-10-24 23:30"), at("2026-10-26 12:00")
    assert [moment for moment, _ in ticks(first, last, ZURICH, 3)] == [
        at("2026-10-25 00:00"),
        at("2026-10-26 00:00"),
    ]
    tokyo = ticks(first, first, "Asia/Tokyo", 3)
    assert [(moment, str(day)) for moment, day in tokyo] == [(first, "2026-10-25")]


@pytest.mark.parametrize("days", [1, 3, 10, 45, 90, 400, 1500, 14_000])
def test_there_are_never_too_many_and_always_one(days: int) -> None:
    first = at("1970-11-02 20:00")
    found = ticks(first, first + days * 86_400_000, ZURICH, 3)
    assert 1 <= len(found) <= 3
    assert [moment for moment, _ in found] == sorted(moment for moment, _ in found)
