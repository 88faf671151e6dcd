"""Seasons and weeks by a server's own calendar, also on days that have 23 or 25 hours."""

from datetime import UTC, datetime

import pytest

from bot.ids import ChannelId, GuildId
from bot.records.seasons.digest import newest_week
from bot.records.seasons.posts import NONCE_LIFE, Outcome, Post, PostKey, Step, next_step
from bot.records.seasons.season import SETTLED, OpenSeason, month_of, season_at
from bot.text import Month

HOUR = 60 * 60 * 1000
BERLIN, CAIRO, LORD_HOWE = "Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe"
SUNDAY, MONDAY = 6, 0


def utc(date: str) -> int:
    """Unix ms of a date in UTC."""
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "month", "began", "ended"),
    [
        ("UTC", Month(2026, 12), "2026-12-01 00:00", "2027-01-01 00:00"),
        (BERLIN, Month(2027, 3), "2027-02-28 23:00", "2027-03-31 22:00"),
        (BERLIN, Month(2027, 10), "2027-09-30 22:00", "2027-10-31 23:00"),
        ("Pacific/Kiritimati", Month(2026, 12), "2026-11-30 10:00", "2026-12-31 10:00"),
        ("America/New_York", Month(2026, 11), "2026-11-01 04:00", "2026-12-01 05:00"),
    ],
)
def test_a_season_is_a_month_of_its_zone(zone: str, month: Month, began: str, ended: str) -> None:
    season = season_at(utc(began), zone)
    assert season == OpenSeason(month, utc(began))
    assert season_at(utc(ended) - 1, zone) == season
    assert season.ends(zone) == utc(ended)
    assert not season.is_over(zone, utc(ended) + SETTLED - 1)
    assert season.is_over(zone, utc(ended) + SETTLED)


@pytest.mark.parametrize(
    ("now", "start", "end"),
    [
        ("2026-12-01 00:00", "2026-11-30 11:00", "2027-01-01 08:00"),
        ("2027-01-01 07:59", "2026-11-30 11:00", "2027-01-01 08:00"),
        ("2027-01-01 08:00", "2027-01-01 08:00", "2027-02-01 08:00"),
        ("2027-02-02 00:00", "2027-02-01 08:00", "2027-03-01 08:00"),
    ],
)
def test_this_month_is_the_season_that_is_played(now: str, start: str, end: str) -> None:
    """December began in Auckland, and the server has moved to Los Angeles since."""
    season = OpenSeason(Month(2026, 12), utc("2026-11-30 11:00"))
    month = season.this_month("America/Los_Angeles", utc(now))
    assert (month.start, month.end) == (utc(start), utc(end))


def test_a_new_year_follows_december() -> None:
    assert Month(2026, 12).after == Month(2027, 1)
    assert Month(2027, 1).before == Month(2026, 12)
    assert [str(Month(2026, month)) for month in (9, 10)] == ["2026-09", "2026-10"]
    assert Month(2026, 5).after.before == Month(2026, 5)


@pytest.mark.parametrize("word", ["2026-13", "2026-00", "26-05", "2026-5", "2026-05 ", "May", ""])
def test_what_is_no_month_is_none(word: str) -> None:
    assert month_of(word) is None
    assert month_of("2026-05") == Month(2026, 5)


@pytest.mark.parametrize(
    ("hour", "now", "start", "end"),
    [
        # The clocks go forward at 2:00 on Sunday, 28 March 2027: that week has 167 hours.
        (18, "2027-03-28 16:00", "2027-03-21 17:00", "2027-03-28 16:00"),
        # They leave out 2:00 to 3:00. The digest comes when they do.
        (2, "2027-03-28 01:00", "2027-03-21 01:00", "2027-03-28 01:00"),
        (2, "2027-03-28 00:59", "2027-03-14 01:00", "2027-03-21 01:00"),
        # They go back at 3:00 on Sunday, 31 October 2027, and show 2:00 twice: it comes once.
        (2, "2027-10-31 00:00", "2027-10-24 00:00", "2027-10-31 00:00"),
        (2, "2027-10-31 01:00", "2027-10-24 00:00", "2027-10-31 00:00"),
        (2, "2027-10-31 02:30", "2027-10-24 00:00", "2027-10-31 00:00"),
        (18, "2027-10-31 17:00", "2027-10-24 16:00", "2027-10-31 17:00"),
        # A new year changes nothing.
        (18, "2027-01-01 12:00", "2026-12-20 17:00", "2026-12-27 17:00"),
    ],
)
def test_a_week_ends_at_its_hour_by_the_clock(hour: int, now: str, start: str, end: str) -> None:
    week = newest_week(utc(now), BERLIN, SUNDAY, hour)
    assert (week.start, week.end) == (utc(start), utc(end))


@pytest.mark.parametrize("zone", [BERLIN, CAIRO, LORD_HOWE, "America/Santiago", "Asia/Beirut"])
@pytest.mark.parametrize("hour", [0, 2, 3, 23])
def test_no_hour_of_a_year_is_in_two_weeks_or_in_none(zone: str, hour: int) -> None:
    """Wherever clocks go forward or back, at midnight or by half an hour."""
    now, ends = utc("2026-06-01 00:00"), []
    weeks = [newest_week(now + n * 24 * HOUR, zone, MONDAY, hour) for n in range(54 * 7)]
    for week in dict.fromkeys(weeks):
        ends.append(week.end)
        assert 166 * HOUR <= week.end - week.start <= 170 * HOUR
        assert len(ends) == 1 or week.start == ends[-2]
    assert ends == sorted(ends)


KEY = PostKey(GuildId(77), "week", "1")


@pytest.mark.parametrize(
    ("post", "step"),
    [
        (None, Step.SEND),
        (Post(KEY, ChannelId(1), "n", 1000.0), Step.SEND_AGAIN),
        (Post(KEY, ChannelId(1), "n", 1000.0 - NONCE_LIFE), Step.LOOK),
        (Post(KEY, ChannelId(1), "n", 1000.0, Outcome.POSTED), Step.NOTHING),
        (Post(KEY, ChannelId(1), "n", 0.0, Outcome.REFUSED), Step.NOTHING),
    ],
)
def test_what_is_known_of_a_post_decides_what_comes_next(post: Post | None, step: Step) -> None:
    assert next_step(post, 1000.0) is step
