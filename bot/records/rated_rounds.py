"""The rated rounds of a match, and the ranks of its people in them.

Both follow from the match's log and nothing else (docs/ratings.md):

- A round of an arena that counts for nothing there is not rated either. The log's `match` says so.
- A match is practice, and none of its rounds is rated, if fewer than three rounds were agreed
  (unless its round was one of an arena), if
  only one person began it (a rated round needs two people), or if dice are not shared evenly.
- A round that was played out is rated: it ended by Ligretto stop, by a last die, or dead. A round
  that was stopped is rated only if all people in it but one had left it.
- The people dealt in are rated, if there are at least two. Robots are not.
- People who leave after the round's first press share its last place. People who leave before that
  are not part of it. A round is not rated if nobody pressed in it, or if all people left it.
- Equal points are a draw.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.games.values import Reason
from bot.records.replay import ReplayStep
from bot.tables.decisions.rated_or_practice import (
    agreed_rounds,
    enough_agreed,
    has_handicap,
    is_uncounted_in_arena,
)
from bot.tables.state import events as e


@dataclass(frozen=True, slots=True)
class RatedRound:
    """A rated round.

    `ranks` are by seat, from 1, shared if equal (1, 1, 3), and None for a seat not rated in it.
    `idle` lists the rated seats without a single press, accepted or refused.
    """

    ranks: tuple[int | None, ...]
    idle: tuple[int, ...] = ()


@dataclass(slots=True)
class Course:
    """The course of a match so far, as far as ratings need it; `rated` are its rated rounds.

    `people` tells, by seat, people from robots. `agreed` is the number of rounds, None with a
    target. `handicap` means that dice are not shared evenly.
    """

    people: Sequence[bool]
    agreed: int | None
    handicap: bool = False
    rated: list[RatedRound] = field(default_factory=list)
    _dealt: Sequence[bool] = ()
    _pressed: set[int] = field(default_factory=set)
    _left: set[int] = field(default_factory=set)
    _out: set[int] = field(default_factory=set)

    def dealt(self, seats: Sequence[bool]) -> None:
        self._dealt, self._pressed, self._left, self._out = seats, set(), set(), set()

    def pressed(self, seat: int) -> None:
        self._pressed.add(seat)

    def left(self, seat: int) -> None:
        """Note that a seat left the round. Between two rounds this has no effect."""
        (self._left if self._pressed else self._out).add(seat)

    def ended(self, reason: Reason, points: Sequence[int]) -> None:
        inside = [
            seat
            for seat, (dealt, person) in enumerate(zip(self._dealt, self.people, strict=True))
            if dealt and person and seat not in self._out
        ]
        stayed = {seat: points[seat] for seat in inside if seat not in self._left}
        decided = len(stayed) == 1 if reason is Reason.ABORT else bool(stayed)
        if self._rates and decided and len(inside) > 1 and self._pressed:
            ranks = {seat: _rank(stayed, seat) for seat in inside}
            idle = tuple(seat for seat in inside if seat not in self._pressed)
            self.rated.append(RatedRound(tuple(map(ranks.get, range(len(points)))), idle))
        self.dealt((False,) * len(self.people))

    @property
    def _rates(self) -> bool:
        return enough_agreed(self.agreed) and not self.handicap


def _rank(stayed: Mapping[int, int], seat: int) -> int:
    """Return a seat's rank: behind everybody with more points; leavers behind all who stayed."""
    if seat not in stayed:
        return 1 + len(stayed)
    return 1 + sum(points > stayed[seat] for points in stayed.values())


def of_replay(steps: Sequence[ReplayStep]) -> tuple[RatedRound, ...]:
    """Return the rated rounds of a match that ended at its table."""
    session = steps[-1].session
    if is_uncounted_in_arena(session):
        return ()
    people = [chair.human for chair in session.chairs]
    game, options = session.game.key, session.all_options
    agreed = agreed_rounds(game, options, len(people))
    course = Course(people, agreed, has_handicap(game, options, len(people)))
    for step in steps:
        match step.line.entry:
            case e.Dealt(dealt):
                course.dealt(dealt)
            case e.Moved(seat=seat) | e.Rejected(seat=seat):
                course.pressed(seat)
            case e.Left(seat):
                course.left(seat)
            case e.RoundEnded(reason) as ended:
                course.ended(reason, ended.scores)
            case _:
                pass
    return tuple(course.rated)


def of_log(
    events: Iterable[Mapping[str, Any]], people: Sequence[bool] | None = None
) -> tuple[RatedRound, ...]:
    """Return the rated rounds of a match from the lines of its log.

    `people`, as in Course, is needed for logs of older versions, which don't list robots;
    without it those raise ValueError. A malformed log may raise any exception.
    """
    start, *lines = events
    if any(one.get("counts") is False for one in lines if one["e"] == "match"):
        return ()
    agreed = None if "target" in start or "arena" in start else start["rounds"]
    course = Course(_people(start, people), agreed, _has_handicap(start, lines))
    for event in lines:
        match event["e"]:
            case "deal":
                dealt = event["seats"] if "seats" in event else event["dice"]
                course.dealt([one is not None for one in dealt])
            case "move" | "reject":
                course.pressed(event["p"])
            case "leave":
                course.left(event["p"])
            case "end":
                course.ended(Reason(event["reason"]), event["scores"])
            case _:
                pass
    return tuple(course.rated)


def _has_handicap(start: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> bool:
    """Detect a handicap in dice. Logs of older versions show it only by an uneven deal."""
    deals = (line["dice"] for line in lines if line["e"] == "deal" and "dice" in line)
    uneven = any(len({len(dice) for dice in deal if dice is not None}) > 1 for deal in deals)
    return bool(start.get("handicap", uneven))


def _people(start: Mapping[str, Any], told: Sequence[bool] | None) -> Sequence[bool]:
    if "computers" in start:
        return [seat not in start["computers"] for seat in range(start["players"])]
    if told is None:
        raise ValueError("this log does not say which seats are computers")
    return told


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as stored beside the log. Values are by seat, None for a seat not dealt in."""

    reason: Reason
    points: Sequence[int | None]
    laid: Sequence[int | None]


def of_stored(
    rounds: Sequence[StoredRound],
    people: Sequence[bool],
    left: Sequence[bool],
    agreed: int | None,
    *,
    handicap: bool = False,
) -> tuple[RatedRound, ...]:
    """Return the rated rounds of a match whose log is gone.

    A leaver counts as last in their last round, and a seat that laid nothing as idle.
    """
    last = {
        seat: max((i for i, one in enumerate(rounds) if one.points[seat] is not None), default=None)
        for seat, gone in enumerate(left)
        if gone
    }
    course = Course(people, agreed, handicap)
    for number, one in enumerate(rounds):
        course.dealt([points is not None for points in one.points])
        for seat, laid in enumerate(one.laid):
            if laid:
                course.pressed(seat)
        for seat in (seat for seat, there in last.items() if there == number):
            course.left(seat)
        course.ended(one.reason, [points or 0 for points in one.points])
    return tuple(course.rated)
