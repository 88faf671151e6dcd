"""Seasons: the months of a server's calendar, each from the end of the one before.

A season ends when the server's clocks, in the time zone that it has then, first show the next
month. So a server that changes its zone lengthens or shortens its season, and no moment is in two
seasons or in none.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.records.models import Person
from bot.records.periods import Bounds, instant
from bot.text import Month

SETTLED = 60_000
"""Milliseconds after which a season is closed and a week told: its last match is stored then."""
SHORTEST = 26 * 24 * 60 * 60 * 1000
"""Milliseconds that a season surely lasts, however the zone changes meanwhile."""
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """The season that a server plays now. `began`: Unix ms."""

    month: Month
    began: int

    def ends(self, zone: str) -> int:
        """Return the Unix ms at which the season ends in this time zone."""
        after = self.month.after
        return instant(after.year, after.month, 1, 0, ZoneInfo(zone))

    def is_over(self, zone: str, now: int) -> bool:
        """Return whether it can be closed in this time zone. `now`: Unix ms."""
        return now - self.began >= SHORTEST and now >= self.ends(zone) + SETTLED

    def this_month(self, zone: str, now: int) -> Bounds:
        """Return the time of the season that is played `now` (Unix ms): this one, or one after it.

        Matches count for a season by its own bounds, so those of the calendar month would be others
        once a server has changed its time zone.
        """
        season = self
        while now - season.began >= SHORTEST and now >= season.ends(zone):
            season = OpenSeason(season.month.after, season.ends(zone))
        return Bounds(season.began, season.ends(zone))


@dataclass(frozen=True, slots=True)
class Champion:
    """A winner of most matches in a season or a week; of equals, of most points per round.

    Those who are equal in both share the title. `points` is points per round, to two decimals.
    """

    person: Person
    matches: int
    wins: int
    points: float


@dataclass(frozen=True, slots=True)
class SeasonOfGame:
    """A game's share of a season, with its champions."""

    game: str
    matches: int
    players: int
    champions: tuple[Champion, ...]


def season_at(at: int, zone: str) -> OpenSeason:
    """Return the season of a moment (Unix ms) in a server that has closed none yet."""
    where = ZoneInfo(zone)
    day = datetime.fromtimestamp(at / 1000, UTC).astimezone(where)
    return OpenSeason(Month(day.year, day.month), instant(day.year, day.month, 1, 0, where))


def month_of(word: str) -> Month | None:
    """Return the month that is stored as a word such as `2026-05`, or None if it is no month."""
    found = _MONTH.fullmatch(word)
    return Month(int(found[1]), int(found[2])) if found else None
