"""The result of a round: points, presses, its four quarters, and days in a row."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from bot.daily.dates import DayNumber
from bot.daily.round import DailyRound
from bot.daily.schedule import PLAYER, ROBOTS, SEATS

QUARTERS = 4


class Quarter(StrEnum):
    """A quarter of the presses: the player against the better of the robots."""

    AHEAD = "🟩"
    LEVEL = "🟨"
    BEHIND = "🟥"


@dataclass(frozen=True, slots=True)
class Result:
    """A player's points and accepted presses. More points are better, then fewer presses."""

    points: int
    presses: int


def result(one: DailyRound) -> Result:
    """Return the player's result as the round stands."""
    return Result(one.points[PLAYER], one.presses)


def quarters(one: DailyRound) -> tuple[Quarter, ...]:
    """Compare the cards played, or dice placed, in each quarter of the presses.

    Quarter q of n presses, q from 0, has those after the first q * n // 4, up to (q + 1) * n // 4.
    """
    return tuple(_quarter(one, number) for number in range(QUARTERS))


def _quarter(one: DailyRound, number: int) -> Quarter:
    first, after = (one.presses * q // QUARTERS for q in (number, number + 1))
    taken = dict.fromkeys(SEATS, 0)
    for step in one.steps[first:after]:
        for made in step.made:
            taken[made.seat] += made.claim is not None
    best = max(taken[seat] for seat in ROBOTS)
    if taken[PLAYER] == best:
        return Quarter.LEVEL
    return Quarter.AHEAD if taken[PLAYER] > best else Quarter.BEHIND


def streak(finished: Collection[DayNumber], today: DayNumber) -> int:
    """Return the days in a row with a finished daily, up to today or, until today's, yesterday."""
    day = today if today in finished else today - 1
    count = 0
    while day - count in finished:
        count += 1
    return count
