"""The weekly digest: which week is told when, and what was played in it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.records.feat_models import FallenRecord
from bot.records.models import Person
from bot.records.periods import Bounds, instant
from bot.records.seasons.season import SeasonOfGame

DAYS = 7


@dataclass(frozen=True, slots=True)
class ClosestRace:
    """The closest race between two people. `ms`: the margin."""

    match: int
    game: str
    first: Person
    late: Person
    ms: int


@dataclass(frozen=True, slots=True)
class BestRound:
    """The most points in one round."""

    match: int
    game: str
    person: Person
    points: int


@dataclass(frozen=True, slots=True)
class RecordOfWeek:
    """A record that fell in a week: the best of the week, and the record before it began."""

    game: str
    fallen: FallenRecord


@dataclass(frozen=True, slots=True)
class Week:
    """The matches of a week that count for the leaderboard, and the best of them.

    `players` are those of all games together. `records` are in the order of games and of Feat.
    """

    games: tuple[SeasonOfGame, ...]
    players: int
    race: ClosestRace | None
    best: BestRound | None
    records: tuple[RecordOfWeek, ...] = ()

    @property
    def matches(self) -> int:
        return sum(game.matches for game in self.games)


def newest_week(now: int, zone: str, day: int, hour: int) -> Bounds:
    """Return the newest week that is over at `now` (Unix ms), by a server's own calendar.

    It ends at an `hour` (0 to 23) of a `day` (Monday is 0), and has as many hours as these seven
    days have. An hour that clocks leave out is the moment at which they do, and of an hour that
    they show twice it is the first.
    """
    where = ZoneInfo(zone)
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(where).date()
    last = today - timedelta(days=(today.weekday() - day) % DAYS)
    if instant(last.year, last.month, last.day, hour, where) > now:
        last -= timedelta(days=DAYS)
    first = last - timedelta(days=DAYS)
    return Bounds(
        instant(first.year, first.month, first.day, hour, where),
        instant(last.year, last.month, last.day, hour, where),
    )
