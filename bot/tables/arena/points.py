"""The points of an arena: for places in its rounds, twice as many in a streak.

A place gives one point for each person at the table who came behind, and one more for the first
place: 4, 2, 1 and 0 at a table of four. Whoever has won their last two rounds has everything
doubled until they don't win, or leave a round. Equal places share: they are behind nobody with the
same points.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.ids import UserId
from bot.tables.arena.events import Scored
from bot.tables.decisions.arena_rounds import Uncounted

STREAK = 2
"""Rounds won in a row from which the next one counts double."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one round: by person, places from 1 and the game's points.

    `left`: the people who were not in it to its end; `away`: those of them who were away. `why`: if
    it doesn't count, the key of the words that say why.
    """

    number: int
    users: tuple[UserId, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    counts: bool
    left: tuple[UserId, ...] = ()
    away: tuple[UserId, ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's points in an arena. `streak`: rounds won in a row up to now, `longest`: at most.

    `gained` and `place`: the arena's points and the place of their last round, None before it, and
    for one that did not count.
    """

    points: int = 0
    rounds: int = 0
    wins: int = 0
    streak: int = 0
    longest: int = 0
    gained: int | None = None
    place: int | None = None


def result_of(event: Scored) -> Result:
    return Result(
        event.number,
        event.users,
        event.places,
        event.points,
        event.counts,
        event.left,
        event.away,
        None if event.counts else event.why or Uncounted.STOPPED.value,
    )


def of_place(place: int, places: Sequence[int]) -> int:
    """Return the points for a place among those of a table, before any bonus."""
    return sum(other > place for other in places) + (place == 1)


def tally(results: Iterable[Result]) -> Mapping[UserId, Tally]:
    """Return what everybody has after these rounds, in the order in which they ended."""
    found: dict[UserId, Tally] = {}
    for result in results:
        for user, place in zip(result.users, result.places, strict=True):
            before = found.get(user, Tally())
            has_lost = user in result.left and result.why != Uncounted.RESTART
            found[user] = _after(before, place, result, has_lost=has_lost)
    return found


def _after(before: Tally, place: int, result: Result, *, has_lost: bool) -> Tally:
    """Return somebody's points after one more round.

    `has_lost`: they have left it. That ends their streak even if the round doesn't count: else bad
    cards could be left.
    """
    if not result.counts:
        return replace(before, gained=None, place=None, streak=0 if has_lost else before.streak)
    gained = of_place(place, result.places) * (2 if before.streak >= STREAK else 1)
    won = place == 1
    streak = before.streak + 1 if won else 0
    return Tally(
        before.points + gained,
        before.rounds + 1,
        before.wins + won,
        streak,
        max(before.longest, streak),
        gained,
        place,
    )
