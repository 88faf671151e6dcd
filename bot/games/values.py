"""The small values that games and tables share: seats, options, outcomes of presses and rounds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NewType, TypeAlias, TypeVar

from bot.games.screen import Text, Values

Seat = NewType("Seat", int)
"""The number of a seat at its table, from 0."""
Scores: TypeAlias = tuple[int, ...]
"""Points by seat."""
Options: TypeAlias = Mapping[str, str]
"""The chosen value of each option by its key; a seat's own options as `key.seat`."""
LogMove: TypeAlias = tuple[tuple[str | int | tuple[str | int, ...], ...], str | None]
"""A move as the match log writes it, and the card or die meant: `(("play", "row0", 2), "R7")`."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Refused:
    """A press that loses the race or breaks a rule: an ordinary outcome, not an error.

    The reason's value is the key of the words that explain it.
    """

    why: StrEnum
    values: Values = ()

    @property
    def text(self) -> Text:
        return Text(self.why.value, self.values)


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """An accepted press: the new state, what it was called, and its moves as the log counts them.

    One press can be two moves (turn the hand over and flip; play and refill).
    """

    state: S
    said: Text
    moves: tuple[LogMove, ...]


class Reason(StrEnum):
    """Why a round ended. The values stand in journals, records and logs: they never change."""

    STOP = "stop"
    """A player has finished. The first two games say so by names of their own."""
    LIGRETTO = "ligretto"
    DICE = "dice"
    DEAD = "dead"
    """Nobody can move any more."""
    ABORT = "abort"
    """The table ended the round: its players agreed to, or have left."""

    @property
    def is_stop(self) -> bool:
        """Return whether a player has finished, which is told in the game's own words."""
        return self in (Reason.STOP, Reason.LIGRETTO, Reason.DICE)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a round ended. `by`: the player who finished, None where nobody did."""

    reason: Reason
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """What a seat made in a round: plus points and minus points, both counted upwards."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the host has: its key, its values as words or numbers, and the default.

    `moot` says whether the other options leave this one without a meaning, so that nobody
    needs to be told of it.
    """

    key: str
    values: tuple[str, ...]
    default: str
    moot: Callable[[Options], bool] = lambda _: False
