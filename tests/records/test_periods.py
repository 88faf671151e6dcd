"""Years, months and weeks of a server's own calendar."""

from datetime import UTC, datetime

import pytest

from bot.records.periods import Bounds, Period, bounds, is_zone, known_zone

HOUR = 3_600_000


def at(text: str) -> int:
    """`2026-03-29 01:30` in UTC, as Unix ms."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def between(start: str, end: str) -> Bounds:
    return Bounds(at(start), at(end))


def test_all_time_has_no_bounds() -> None:
    assert bounds(Period.ALL, at("2026-03-29 01:30"), "Europe/Zurich") is None


@pytest.mark.parametrize(
    ("period", "zone", "now", "expected"),
    [
        ("year", "UTC", "2026-07-01", ("2026-01-01", "2027-01-01")),
        ("year", "Europe/Zurich", "2025-12-31 23:00", ("2025-12-31 23:00", "2026-12-31 23:00")),
        ("year", "Europe/Zurich", "2025-12-31 22:59", ("2024-12-31 23:00", "2025-12-31 23:00")),
        ("month", "UTC", "2026-02-28 23:59", ("2026-02-01", "2026-03-01")),
        ("month", "UTC", "2024-02-29", ("2024-02-01", "2024-03-01")),
        ("month", "UTC", "2026-12-31 23:59", ("2026-12-01", "2027-01-01")),
        ("month", "Asia/Tokyo", "2026-05-31 15:00", ("2026-05-31 15:00", "2026-06-30 15:00")),
        ("week", "UTC", "2026-08-10", ("2026-08-10", "2026-08-17")),
        ("week", "UTC", "2026-08-09 23:59:59", ("2026-08-03", "2026-08-10")),
        ("week", "UTC", "2026-01-01", ("2025-12-29", "2026-01-05")),
        ("week", "America/New_York", "2026-08-10 03:59", ("2026-08-03 04:00", "2026-08-10 04:00")),
    ],
)
def test_the_period_that_holds_a_moment(
    period: str, zone: str, now: str, expected: tuple[str, str]
) -> None:
    assert bounds(Period(period), at(now), zone) == between(*expected)


def test_a_month_with_a_change_of_clocks_is_an_hour_shorter_or_longer() -> None:
    march = bounds(Period.MONTH, at("2026-03-15"), "Europe/Zurich")
    october = bounds(Period.MONTH, at("2026-10-15"), "Europe/Zurich")
    assert march == between("2026-02-28 23:00", "2026-03-31 22:00")
    assert october == between("2026-09-30 22:00", "2026-10-31 23:00")


def test_a_week_with_a_change_of_clocks_is_an_hour_shorter_or_longer() -> None:
    """In Zurich the clocks change on Sunday 2026-03-29 and on Sunday 2026-10-25."""
    spring = bounds(Period.WEEK, at("2026-03-29 21:59"), "Europe/Zurich")
    autumn = bounds(Period.WEEK, at("2026-10-25 22:59"), "Europe/Zurich")
    assert spring == between("2026-03-22 23:00", "2026-03-29 22:00")
    assert autumn == between("2026-10-18 22:00", "2026-10-25 23:00")
    assert spring is not None
    assert autumn is not None
    assert (spring.end - spring.start, autumn.end - autumn.start) == (167 * HOUR, 169 * HOUR)


def test_a_day_that_has_no_midnight_begins_when_the_clocks_first_show_it() -> None:
    """In Cairo, Friday 2010-10-01 had two midnights, and in Beirut, 2027-03-28 begins at 1:00."""
    beirut = bounds(Period.WEEK, at("2027-03-24"), "Asia/Beirut")
    assert beirut is not None
    for zone, now in (("Asia/Beirut", "2027-03-24"), ("America/Santiago", "2026-09-02")):
        week = bounds(Period.WEEK, at(now), zone)
        assert week is not None
        assert bounds(Period.WEEK, week.end, zone) != week
        assert bounds(Period.WEEK, week.end - 1, zone) == week
        assert bounds(Period.WEEK, week.start, zone) == week


@pytest.mark.parametrize("zone", ["Europe/Zurich", "America/Santiago", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize("period", [Period.WEEK, Period.MONTH, Period.YEAR])
def test_periods_follow_each_other_without_a_gap(zone: str, period: Period) -> None:
    now = at("2024-01-01")
    for _ in range(60):
        found = bounds(period, now, zone)
        assert found is not None
        assert found.start <= now < found.end
        following = bounds(period, found.end, zone)
        assert following is not None
        assert following.start == found.end
        now = found.end


def test_only_time_zones_are_time_zones() -> None:
    assert is_zone("Europe/Zurich")
    assert not any(map(is_zone, ("", "Europe", "../x", "Mars/Base", "a\0b", "x" * 400)))


@pytest.mark.parametrize(
    ("stored", "meant"), [("Europe/Zurich",) * 2, (None, "UTC"), ("Mars/Olympus", "UTC")]
)
def test_a_zone_that_is_not_known_any_more_is_utc(stored: str | None, meant: str) -> None:
    assert known_zone(stored) == meant
