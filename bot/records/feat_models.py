"""Feats as plain values: records of a server, personal bests, badges and rivals."""

from dataclasses import dataclass
from enum import StrEnum

from bot.records.feats import Category
from bot.records.models import Person


class Feat(StrEnum):
    """A feat with a record in each server, game and variant.

    STOP: the fastest stop, in ms. POINTS: most points in a round, at least 1. DUEL: the closest
    duel won over
    another person, in ms. STREAK: matches won in a row. COME_BACK: the points by which a winner was
    once behind.
    """

    STOP = "stop"
    POINTS = "points"
    DUEL = "duel"
    STREAK = "streak"
    COME_BACK = "come_back"

    @property
    def is_least(self) -> bool:
        """True if the least value is the record."""
        return self in (Feat.STOP, Feat.DUEL)


RAREST = (Feat.COME_BACK, Feat.STOP, Feat.POINTS, Feat.STREAK, Feat.DUEL)
"""The order of records: a screen with room for one of a person's names the first of these."""


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """A record of a server: a value as in Feat, whose it is, and the match, ended `at` (Unix ms).

    The first of equal values is the record. `loser`: the person who lost the closest duel.
    """

    feat: Feat
    variant: str
    value: int
    holder: Person
    match: int
    at: int
    loser: Person | None = None


@dataclass(frozen=True, slots=True)
class FallenRecord:
    """A record that a match has broken: the new one, and the one before it."""

    now: ServerRecord
    before: ServerRecord


@dataclass(frozen=True, slots=True)
class Best:
    """The best of one person: points in a round, and a stop in ms. None without any."""

    points: int | None = None
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class PersonalBests:
    """A person's matches of one variant and category: how many, how many won, and the best."""

    variant: str
    category: Category
    matches: int
    wins: int
    best: Best


@dataclass(frozen=True, slots=True)
class Side:
    """One of two rivals. `ahead`: matches in which they came before the other.

    `points` of all those matches; `firsts`: duels won against the other, by `firsts_ms` on average
    (None without any).
    """

    ahead: int
    points: int
    firsts: int
    firsts_ms: float | None


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two people against each other in one game, in matches that count for leaderboards."""

    matches: int
    own: Side
    other: Side


@dataclass(frozen=True, slots=True)
class FavouriteRival:
    """The person whom somebody has met most in one game, and the two against each other."""

    person: Person
    rivalry: Rivalry


@dataclass(frozen=True, slots=True)
class Highlight:
    """The best thing somebody did in one game: a value as in Feat, in a match ended `at` (Unix ms).

    `is_record`: it is the server's record.
    """

    feat: Feat
    value: int
    match: int
    at: int
    is_record: bool = False
