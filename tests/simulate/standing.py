"""What a match counts for (docs/ratings.md), worked out from the journal without the bot."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tests.simulate.rating import Entry, agreed

DICE = 24
AT_LEAST = 3
"""Rounds that are more than practice, and as many that make a match count."""


def is_uneven(options: Mapping[str, str], seats: int) -> bool:
    """Whether some would get more dice than others at any table that can come about."""
    chosen = [options.get(f"dice.{seat}", "even") for seat in range(seats)]
    tables = (table for n in range(2, seats + 1) for table in combinations(chosen, n))
    return any(len(set(_shares(table, int(options.get("extra", 0))))) > 1 for table in tables)


def _shares(table: Collection[str], extra: int) -> Iterator[int]:
    own = [int(choice) for choice in table if choice.isdigit()]
    grown_ups = sum(choice == "even" for choice in table)
    share = (DICE - sum(own) - extra * grown_ups) // max(1, len(table) - len(own))
    for choice in table:
        yield int(choice) if choice.isdigit() else share + extra * (choice == "even")


@dataclass(slots=True)
class Course:
    """Reads a table's lines in order. `people`: the seats that are no computer's, of `seats`."""

    game: str
    people: Collection[int]
    seats: int
    gone: set[int] = field(default_factory=set)
    inside: set[int] = field(default_factory=set)
    totals: Counter[int] = field(default_factory=Counter)
    rounds: int = 0
    pressed: bool = False
    fled: bool = False
    met: bool = False
    forfeited: bool = False

    def read(self, kind: str, body: Mapping[str, Any]) -> None:
        if kind == "Dealt":
            self.inside = {seat for seat in self.people if body["dealt"][seat]}
            self.pressed = self.fled = False
        elif kind in ("Moved", "Rejected"):
            self.met = self.met or (not self.pressed and len(self.inside) > 1)
            self.pressed = True
        elif kind == "Left":
            self.fled = self.fled or (self.pressed and body["seat"] in self.inside)
            self.gone.add(body["seat"])
            self.inside.discard(body["seat"])
        elif kind == "RoundEnded":
            self._ended(body)

    def _ended(self, body: Mapping[str, Any]) -> None:
        stopped = body["reason"] == "abort"
        self.forfeited = self.forfeited or (stopped and self.fled and len(self.inside) == 1)
        if not (stopped and self.game == "dice"):
            self.rounds += 1
            self.totals.update(dict(enumerate(body["plus"])))
            self.totals.subtract(dict(enumerate(body["minus"])))

    @property
    def left_to_somebody(self) -> bool:
        """Too few went on; whom all have left together was left to nobody."""
        there = self.seats - len(self.gone)
        return there > 0 and (there < 2 or self.gone.issuperset(self.people))


def standing(
    game: str,
    options: Mapping[str, str],
    people: Collection[int],
    seats: int,
    lines: Iterable[Entry],
) -> str:
    """Of a match that has ended. `lines`: all of its table's."""
    course = Course(game, people, seats)
    for kind, body in lines:
        course.read(kind, body)
    number, target = agreed(options), options.get("target", "off")
    is_short = number is not None and number < AT_LEAST
    if len(people) < 2 or is_uneven(options, seats) or is_short or not course.met:
        return "practice" if course.rounds else "dropped"
    reached = target != "off" and max(course.totals.values(), default=0) >= int(target)
    if course.left_to_somebody or reached or course.rounds >= AT_LEAST:
        return "rated"
    return "practice" if course.rounds or course.forfeited else "dropped"
