"""Remarkable facts of a match, from its rounds and duels, for its score and its end."""

from dataclasses import dataclass
from itertools import accumulate

from bot.games.values import Seat
from bot.tables.state.events import CloseCall
from bot.tables.state.session import Session
from bot.tables.state.session_values import RoundResult

REMARKABLE = 5
"""The least points that somebody has to be behind for a come-back."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """A winner who was once this many points `behind` the leader."""

    seat: Seat
    behind: int


@dataclass(frozen=True, slots=True)
class FastestStop:
    """The stop after the shortest round, in ms."""

    seat: Seat
    lasted: int


@dataclass(frozen=True, slots=True)
class BestRound:
    """A seat's round with the most points: the `number` of the round, from 1, and the points."""

    seat: Seat
    number: int
    points: int


def round_places(result: RoundResult) -> tuple[int, ...]:
    """Return the place of each seat in a round, ties sharing one. Those not in it come last."""
    keys = [(seat in result.seats, n) for seat, n in enumerate(result.ended.scores)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def round_winners(result: RoundResult) -> tuple[Seat, ...]:
    """Return who has won a round: those with the most points. A round that all have tied is a draw.

    Whatever says that somebody wins a round asks this.
    """
    places = round_places(result)
    first = tuple(seat for seat in result.seats if places[seat] == 1)
    return () if len(first) == len(result.seats) > 1 else first


def lead(session: Session) -> int:
    """Return the points between the first and the second of those still in.

    There are two as long as a match goes on.
    """
    first, second, *_ = sorted((session.totals[s] for s in session.seats_in), reverse=True)
    return first - second


def come_back(session: Session) -> ComeBack | None:
    """Return the winner who was furthest behind after a round; None if that was not far.

    Whoever won because others left need never have caught up, and nobody comes back in a match that
    everybody was away from.
    """
    if session.conceded:
        return None
    found = [ComeBack(seat, _most_behind(session, seat)) for seat in session.winners]
    best = max(found, key=lambda one: one.behind, default=None)
    return best if best is not None and best.behind >= REMARKABLE else None


def _most_behind(session: Session, seat: Seat) -> int:
    columns = zip(*(result.ended.scores for result in session.history), strict=True)
    totals = [tuple(accumulate(column)) for column in columns]
    return max((max(after) - after[seat] for after in zip(*totals, strict=True)), default=0)


def closest_duel(session: Session) -> CloseCall | None:
    """Return the closest duel of the rounds that count; None if there was none."""
    duels = [one.ended.closest for one in session.history if one.ended.closest is not None]
    return min(duels, key=lambda duel: duel.ms, default=None)


def fastest_stop(session: Session) -> FastestStop | None:
    """Return the fastest stop of the match. A single one is not compared with anything: None."""
    stops = [
        FastestStop(Seat(result.ended.by), result.lasted)
        for result in session.history
        if result.ended.reason.is_stop and result.ended.by is not None
    ]
    return min(stops, key=lambda stop: stop.lasted) if len(stops) > 1 else None


def own_stop(session: Session, seat: Seat) -> int | None:
    """Return the fastest stop of a seat, in ms; None if it called none."""
    ended = (one for one in session.history if one.ended.reason.is_stop and one.ended.by == seat)
    return min((one.lasted for one in ended), default=None)


def best_round(session: Session, seat: Seat) -> BestRound | None:
    """Return the best round of a seat, the first of equal ones; None if it finished none."""
    rounds = [
        BestRound(seat, number, result.ended.scores[seat])
        for number, result in enumerate(session.history, 1)
        if seat in result.seats
    ]
    return max(rounds, key=lambda one: one.points, default=None)


def best_of_all(session: Session) -> BestRound | None:
    """Return the best round of the match; None if another was as good, or if it is the only one."""
    rounds = [
        BestRound(seat, number, result.ended.scores[seat])
        for number, result in enumerate(session.history, 1)
        for seat in result.seats
    ]
    if not rounds or len(session.history) < 2:  # noqa: PLR2004 nothing to compare with
        return None
    best = max(rounds, key=lambda one: one.points)
    return best if sum(one.points == best.points for one in rounds) == 1 else None


def nearest_round(session: Session, seat: Seat) -> BestRound | None:
    """Return the round in which a seat was nearest to its winner, with the points between them.

    Without points between them the seat has won it. Draws have no winner.
    """
    rounds = [
        BestRound(seat, number, max(result.ended.scores[s] for s in result.seats) - own)
        for number, result in enumerate(session.history, 1)
        for own in (result.ended.scores[seat],)
        if seat in result.seats and round_winners(result)
    ]
    return min(rounds, key=lambda one: one.points, default=None)
