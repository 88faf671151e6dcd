"""Years, months and weeks of a server's own calendar, as moments in UTC."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

UTC_ZONE = "UTC"


class Period(StrEnum):
    """A period of a leaderboard, always the current one. A week begins on Monday."""

    ALL = "all"
    YEAR = "year"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The time from `start` up to but not including `end`, in Unix ms."""

    start: int
    end: int


def bounds(period: Period, now: int, zone: str) -> Bounds | None:
    """Return the period that contains `now` (Unix ms) in a time zone, or None for all time.

    A day begins when the zone's clocks first show it, even if they go forward at midnight. Raises
    ZoneInfoNotFoundError for a zone that `is_zone` rejects.
    """
    where = ZoneInfo(zone)
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(where).date()
    match period:
        case Period.ALL:
            return None
        case Period.YEAR:
            first, after = date(today.year, 1, 1), date(today.year + 1, 1, 1)
        case Period.MONTH:
            first = today.replace(day=1)
            after = (first + timedelta(days=31)).replace(day=1)
        case Period.WEEK:
            first = today - timedelta(days=today.weekday())
            after = first + timedelta(days=7)
        case _:
            assert_never(period)
    return Bounds(
        instant(first.year, first.month, first.day, 0, where),
        instant(after.year, after.month, after.day, 0, where),
    )


def is_zone(zone: str) -> bool:
    """Check for the name of a time zone, such as `Europe/Zurich`."""
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def known_zone(zone: str | None) -> str:
    """Return the zone, or UTC if it is None or this machine doesn't know it (any longer)."""
    return zone if zone is not None and is_zone(zone) else UTC_ZONE


def instant(year: int, month: int, day: int, hour: int, where: ZoneInfo) -> int:
    """Return the Unix ms at which a zone's clocks first show an hour of a day, or pass over it."""
    return int(datetime(year, month, day, hour, tzinfo=where).timestamp() * 1000)
