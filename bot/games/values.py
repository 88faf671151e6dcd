"""The small values that games and tables share: seats, options, outcomes of presses and rounds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NewType, TypeAlias, TypeVar

from bot.text import Name, Text, Values

Seat = NewType("Seat", int)
"""The number of a seat at its table, from 0."""
Scores: TypeAlias = tuple[int, ...]
"""Points by seat."""
Options: TypeAlias = Mapping[str, str]
"""The chosen value of each option by its key; a seat's own options as `key.seat`."""
LogMove: TypeAlias = tuple[tuple[str | int | tuple[str | int, ...], ...], str | None]
"""A move as the match log writes it, and the card or die meant: `(("play", "row0", 2), "R7")`."""
Dealt: TypeAlias = tuple[Name | None, ...]
"""By seat, the name of whoever is dealt in; None for the others."""

S = TypeVar("S")


class RulesPart(StrEnum):
    """A part of the rules in short. The values are in custom ids: they never change."""

    BASICS = "basics"
    OPTIONS = "options"
    SCORING = "scoring"


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
    """An accepted press: the new state, the words for it, and its moves as the log counts them.

    One press can be two moves (turn the hand over and flip; play and refill).
    """

    state: S
    said: Text
    moves: tuple[LogMove, ...]


class Reason(StrEnum):
    """The reason a round ended. The values are in journals, records and logs: they never change."""

    STOP = "stop"
    """A player has finished. The first two games have names of their own for it."""
    LIGRETTO = "ligretto"
    DICE = "dice"
    DEAD = "dead"
    """Nobody can move any longer."""
    ABORT = "abort"
    """The table ended the round: its players agreed to it, or have left."""

    @property
    def is_stop(self) -> bool:
        """True if a player has finished, for which each game has its own words."""
        return self in (Reason.STOP, Reason.LIGRETTO, Reason.DICE)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a round. `by`: the player who finished, None if nobody did."""

    reason: Reason
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a seat in a round: plus and minus, both counted upwards."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the host has: its key, its values as words or numbers, and the default.

    `moot` returns whether the other options leave this one without a meaning, so that it need not
    be shown.
    """

    key: str
    values: tuple[str, ...]
    default: str
    moot: Callable[[Options], bool] = lambda _: False
