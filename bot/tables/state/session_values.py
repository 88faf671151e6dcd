"""The values that a session is made of, such as seats and a round's result, and changed copies."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.state import events as e

T = TypeVar("T")
NEWS = 8
"""The number of latest plays that are kept to be told."""
RACES = 4
"""The number of latest lost races, and of latest alarms, that are kept to be told."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and its player; `user` is None for a robot.

    `left`: they have left the match; `away`: because nobody waited for them any longer. `choices`:
    the seat's options. `stream`: the seat's number at Start, even if seats before it were given up
    since.
    """

    user: UserId | None
    name: str
    left: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    stream: int = 0
    away: bool = False

    @property
    def human(self) -> bool:
        return self.user is not None


@dataclass(frozen=True, slots=True)
class News:
    """The seat that took a place."""

    seat: Seat
    claim: str


@dataclass(frozen=True, slots=True)
class LostRace:
    """A place that two seats pressed for, the loser `ms` milliseconds later.

    `at`: ms of the table's life. `is_duel`: it was close enough to be news to everybody.
    """

    winner: Seat
    loser: Seat
    claim: str
    ms: int
    at: int
    is_duel: bool


@dataclass(frozen=True, slots=True)
class Alarm:
    """A seat that is about to finish: what it has left since `at`, in ms of the table's life.

    `claim`: the place that it took with its move; None if it took none.
    """

    seat: Seat
    left: int
    claim: str | None
    at: int


@dataclass(frozen=True, slots=True)
class Departure:
    """A seat whose player left the match. `at`: ms of the table's life."""

    seat: Seat
    at: int


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round: its ending with the points by seat, and for how many ms it was live.

    `seats`: those that were in it to its end. `dealt`: how many had been dealt in, with leavers.
    """

    ended: e.RoundEnded
    lasted: int
    seats: tuple[Seat, ...] = ()
    dealt: int = 0


if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 exported
else:

    def replace(value: T, /, **changes: object) -> T:
        """Return a copy with these fields changed. What the value has worked out is left behind.

        Fields are copied all at once: setting each in the constructor takes ten times as long, and
        a start makes twenty copies a table. Raises TypeError for a field that there is not.
        """
        own = getattr(value, "__dict__", None)
        if own is None:
            return dataclasses.replace(value, **changes)
        fields = value.__dataclass_fields__
        if not changes.keys() <= fields.keys():
            raise TypeError(f"no such field: {changes.keys() - fields.keys()}")
        changed = object.__new__(type(value))
        changed.__dict__.update({name: own[name] for name in fields}, **changes)
        return changed
