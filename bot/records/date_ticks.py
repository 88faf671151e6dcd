"""The dates below a curve over time: few, and where a calendar has its beginnings."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count, takewhile
from zoneinfo import ZoneInfo

from bot.records.periods import instant

DAYS = (1, 2, 4, 7, 14)
MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)
WEEK = 7


def day_of(at: int, zone: str) -> date:
    """Return the date that clocks of a time zone show at a moment, in Unix ms."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).date()


def ticks(first: int, last: int, zone: str, most: int) -> tuple[tuple[int, date], ...]:
    """Return up to `most` days that begin between two moments, with these beginnings.

    They are as close together as they may be: every day, week, month or year of the zone's
    calendar, or every second and so on. The first moment itself, if no day begins after it. All
    times are Unix ms.
    """
    begun, ends = day_of(first, zone), day_of(last, zone)
    where = ZoneInfo(zone)
    every = ([*takewhile(lambda day: day <= ends, steps)] for steps in _steps(begun))
    found = next((days for days in every if len(days) <= most), [])
    at = ((instant(day.year, day.month, day.day, 0, where), day) for day in found)
    return tuple((begins, day) for begins, day in at if first < begins) or ((first, begun),)


def _steps(begun: date) -> Iterator[Iterator[date]]:
    """Yield the days after one, then fewer and fewer of them."""
    for days in DAYS:
        start = begun + timedelta(days=1)
        if days % WEEK == 0:
            start += timedelta(days=-start.weekday() % WEEK)
        yield (start + timedelta(days=i * days) for i in count())
    for months in MONTHS:
        number = (begun.year * 12 + begun.month - 1) // months * months + months
        yield (date(*_month(number + i * months), 1) for i in count())


def _month(number: int) -> tuple[int, int]:
    """Return the year, and the month from 1, of a month counted from the year 0."""
    return number // 12, number % 12 + 1
