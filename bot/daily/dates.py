"""UTC dates as numbers of days, and the moments at which a daily opens and closes."""

from datetime import UTC, date, datetime, timedelta
from typing import NewType
from zoneinfo import ZoneInfo

from bot.records.periods import instant
from bot.text import Day

DayNumber = NewType("DayNumber", int)
"""A UTC date: days since 1970-01-01."""

SECONDS = 24 * 60 * 60
PLAYABLE = 2
"""Days from the beginning of a date until its secret is published: its own, and 24 hours more."""
_FIRST = date(1970, 1, 1)


def day_at(now: float) -> DayNumber:
    """Return the date at a moment in Unix seconds."""
    return DayNumber(int(now // SECONDS))


def begins(day: DayNumber) -> int:
    """Return when a date begins, in Unix seconds."""
    return day * SECONDS


def publishes(day: DayNumber) -> int:
    """Return when a date's secret is published, in Unix seconds: 24 hours after its end."""
    return begins(day) + PLAYABLE * SECONDS


def newest_over(now: float) -> DayNumber:
    """Return the newest date whose secret is due to be published. `now`: Unix seconds."""
    return DayNumber(day_at(now) - PLAYABLE)


def iso(day: DayNumber) -> str:
    """Return a date as logs have it: `2026-11-30`."""
    return (_FIRST + timedelta(days=day)).isoformat()


def parse(text: str) -> DayNumber:
    """Read a date such as `2026-11-30`. Raises ValueError for anything else."""
    return DayNumber((date.fromisoformat(text) - _FIRST).days)


def in_words(day: DayNumber) -> Day:
    """Return a date for a text."""
    said = _FIRST + timedelta(days=day)
    return Day(said.year, said.month, said.day)


def told_at(day: DayNumber, zone: str, hour: int) -> int:
    """Return the time (Unix ms) of a date's recap: the first such hour of a zone after its end.

    So each date has one recap, however the zone's clocks are put forward or back.
    """
    where = ZoneInfo(zone)
    ends = begins(DayNumber(day + 1)) * 1000
    local = datetime.fromtimestamp(ends / 1000, UTC).astimezone(where).date()
    found = instant(local.year, local.month, local.day, hour, where)
    if found < ends:
        local += timedelta(days=1)
        found = instant(local.year, local.month, local.day, hour, where)
    return found
