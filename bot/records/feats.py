"""The feats of a match, and what it adds between two people. Both follow from its rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, compress, permutations

from bot.games import GAMES
from bot.games.values import Options
from bot.records.results import Duel, RoundRecord
from bot.tables.decisions.rated_or_practice import (
    Standing,
    Unranked,
    has_handicap,
    is_practice,
)
from bot.tables.state.options import LEVEL, chosen

VARIANT = "variant"
"""The option that makes a variant of a game."""


class Category(StrEnum):
    """The matches among which feats are compared.

    RANKED: between people, on the leaderboards. EASY to MASTER: alone against robots of this level.
    PRACTICE: all others, such as short matches of several people and uneven dice.
    """

    RANKED = "ranked"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    MASTER = "master"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat at the end of a match: a person or a robot, still there or not, its place, and points.

    `place` and `won` as in `bot.records.results.SeatRecord`.
    """

    person: bool
    left: bool
    won: bool
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class SeatFeats:
    """The feats of one person in one match, None without any.

    `points`: the best round. `stop`: the fastest stop, in ms. `duel`: the closest duel won over
    another person, in ms. `come_back`: the points by which a winner was once behind somebody who
    stayed to the end.
    """

    seat: int
    won: bool
    points: int | None = None
    stop: int | None = None
    duel: int | None = None
    come_back: int | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """One person's part of a match against another: came before them, points, duels won."""

    ahead: bool
    points: int
    firsts: int
    firsts_ms: int


def variant(game: str, options: Options) -> str:
    """Return the variant that was played; empty for a game that has none."""
    found = (chosen(options, option) for option in GAMES[game].options if option.key == VARIANT)
    return next(found, "")


def variants(game: str) -> tuple[str, ...]:
    """Return the variants of a game, an empty one for a game that has none."""
    return next((option.values for option in GAMES[game].options if option.key == VARIANT), ("",))


def category(
    game: str,
    options: Options,
    standing: Standing,
    why: Unranked | None,
    people: Sequence[bool],
) -> Category | None:
    """Return the category of a match; None for one without feats, such as one that was too short.

    `why` it is on no leaderboard. `people` tells them from robots, by seat.
    """
    if standing is Standing.RATED:
        return Category.RANKED
    if not is_practice(standing, why):
        return None
    if sum(people) > 1 or has_handicap(game, options, len(people)):
        return Category.PRACTICE
    return Category(chosen(options, LEVEL))


def feats(rounds: Sequence[RoundRecord], seats: Sequence[Seated]) -> tuple[SeatFeats, ...]:
    """Return the feats of each person in a match.

    Only rounds count that two people were in from the deal to the end; alone, the one.
    """
    least = min(2, sum(seat.person for seat in seats))
    whole = [sum(_stayed(one, seats)) >= least for one in rounds]
    met = [one for one, is_whole in zip(rounds, whole, strict=True) if is_whole]
    return tuple(
        SeatFeats(
            seat,
            own.won,
            points=max(_points(met, seat), default=None),
            stop=min(_stops(met, seat), default=None),
            duel=min(_duels(met, seats, seat), default=None),
            come_back=_come_back(rounds, whole, seats, seat),
        )
        for seat, own in enumerate(seats)
        if own.person
    )


def meetings(
    rounds: Sequence[RoundRecord], seats: Sequence[Seated]
) -> Mapping[tuple[int, int], Meeting]:
    """Return, for each ordered pair of people, the first one's part against the second."""
    people = [seat for seat, one in enumerate(seats) if one.person]
    duels = [duel for one in rounds for duel in one.duels]
    return {pair: _meeting(duels, seats, *pair) for pair in permutations(people, 2)}


def _meeting(duels: Sequence[Duel], seats: Sequence[Seated], own: int, other: int) -> Meeting:
    margins = [duel.ms for duel in duels if (duel.first, duel.late) == (own, other)]
    ahead = seats[own].place < seats[other].place
    return Meeting(ahead, seats[own].points, len(margins), sum(margins))


def _stayed(one: RoundRecord, seats: Sequence[Seated]) -> Iterator[bool]:
    """Yield, by seat, whether it is a person's who was in a round from its deal to its end."""
    for number, (plus, seat) in enumerate(zip(one.plus, seats, strict=True)):
        yield seat.person and plus is not None and number not in one.gone


def _points(rounds: Sequence[RoundRecord], seat: int) -> Iterator[int]:
    for one in rounds:
        plus, minus = one.plus[seat], one.minus[seat]
        if plus is not None and minus is not None:
            yield plus - minus


def _stops(rounds: Sequence[RoundRecord], seat: int) -> Iterator[int]:
    return (one.lasted for one in rounds if one.reason.is_stop and one.by == seat)


def _duels(rounds: Sequence[RoundRecord], seats: Sequence[Seated], seat: int) -> Iterator[int]:
    return (
        duel.ms
        for one in rounds
        for duel in one.duels
        if duel.first == seat and seats[duel.late].person
    )


def _come_back(
    rounds: Sequence[RoundRecord], whole: Sequence[bool], seats: Sequence[Seated], seat: int
) -> int | None:
    """Return how far a winner was behind after a round, beside those who stayed to the end.

    `whole`: the rounds that count for feats. Totals have the points of the others all the same.
    """
    if not seats[seat].won or seats[seat].left:
        return None
    stayed = [other for other, one in enumerate(seats) if not one.left]
    scores = [[(one.plus[s] or 0) - (one.minus[s] or 0) for one in rounds] for s in stayed]
    after = compress(zip(*(accumulate(column) for column in scores), strict=True), whole)
    own = stayed.index(seat)
    return max((max(totals) - totals[own] for totals in after), default=0) or None
