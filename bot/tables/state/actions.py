"""Actions: the requests that a table's buttons and lists send, as frozen values.

An action's text is the end of its button's custom id, and `parse` reads it back. Messages that are
years old still send these texts, so none may change its meaning.
"""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from bot.ids import UserId


class _Plain:
    """An action without parameters."""

    __slots__ = ()
    text: ClassVar[str]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Join(_Plain):
    text = "join"


@dataclass(frozen=True, slots=True)
class Leave(_Plain):
    """Leave the lobby, or in a match ask for a confirmation."""

    text = "leave"


@dataclass(frozen=True, slots=True)
class LeaveForSure(_Plain):
    text = "leave.yes"


@dataclass(frozen=True, slots=True)
class Stay(_Plain):
    text = "leave.no"


@dataclass(frozen=True, slots=True)
class NextMatch(_Plain):
    """Ask for a seat in the rematch, as somebody without one."""

    text = "next"


@dataclass(frozen=True, slots=True)
class ShowPanel(_Plain):
    text = "panel"


@dataclass(frozen=True, slots=True)
class MoveDown(_Plain):
    """Post the table message again, below all others."""

    text = "down"


@dataclass(frozen=True, slots=True)
class Start(_Plain):
    """Start the match from its lobby."""

    text = "start"


@dataclass(frozen=True, slots=True)
class AddRobot(_Plain):
    text = "add"


@dataclass(frozen=True, slots=True)
class RemoveRobot(_Plain):
    text = "remove"


@dataclass(frozen=True, slots=True)
class ShowOptions(_Plain):
    text = "options"


@dataclass(frozen=True, slots=True)
class ShowForm(_Plain):
    """Ask for the host's options as a form."""

    text = "form"


@dataclass(frozen=True, slots=True)
class SendForm:
    """Send the form in. `values`: by field, what was chosen there or ticked."""

    values: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __str__(self) -> str:
        return "form.send"


@dataclass(frozen=True, slots=True)
class SetOption:
    """Set an option of the table, or of one seat. Without a value it's the list to choose from."""

    key: str
    value: str | None = None
    seat: int | None = None

    def __str__(self) -> str:
        seat = "" if self.seat is None else f".{self.seat}"
        value = "" if self.value is None else f"={self.value}"
        return f"set.{self.key}{seat}{value}"


@dataclass(frozen=True, slots=True)
class Ready(_Plain):
    text = "ready"


@dataclass(frozen=True, slots=True)
class Deal(_Plain):
    """Start a round without the players who aren't ready."""

    text = "deal"


@dataclass(frozen=True, slots=True)
class EndRound(_Plain):
    """Vote to end the round, or take that vote back (A30).

    Whoever would end it alone is asked for a confirmation.
    """

    text = "end"


@dataclass(frozen=True, slots=True)
class EndForSure(_Plain):
    text = "end.yes"


@dataclass(frozen=True, slots=True)
class PlayOn(_Plain):
    text = "end.no"


@dataclass(frozen=True, slots=True)
class Release:
    """Vote to release a player who is away, or take that vote back. `user`: their Discord id."""

    user: UserId

    def __str__(self) -> str:
        return f"release.{self.user}"


@dataclass(frozen=True, slots=True)
class Rematch(_Plain):
    text = "rematch"


@dataclass(frozen=True, slots=True)
class Move:
    """A move of the game, or the first half of one, in the game's notation."""

    text: str

    def __str__(self) -> str:
        return self.text


Plain: TypeAlias = (
    Join
    | Leave
    | LeaveForSure
    | Stay
    | NextMatch
    | ShowPanel
    | MoveDown
    | Start
    | AddRobot
    | RemoveRobot
    | ShowOptions
    | ShowForm
    | Ready
    | Deal
    | EndRound
    | EndForSure
    | PlayOn
    | Rematch
)
Action: TypeAlias = Plain | SetOption | SendForm | Release | Move

_PLAIN: dict[str, Plain] = {
    str(action): action
    for action in (
        Join(),
        Leave(),
        LeaveForSure(),
        Stay(),
        NextMatch(),
        ShowPanel(),
        MoveDown(),
        Start(),
        AddRobot(),
        RemoveRobot(),
        ShowOptions(),
        ShowForm(),
        Ready(),
        Deal(),
        EndRound(),
        EndForSure(),
        PlayOn(),
        Rematch(),
    )
}


def parse(text: str) -> Action:
    """Return the action that has this text, so that `str(parse(text)) == text`.

    Any text that isn't a table's action is a move; its game may refuse it.
    """
    if (plain := _PLAIN.get(text)) is not None:
        return plain
    if text == str(SendForm()):
        return SendForm()
    match text.split(".", 1):
        case ["release", user] if user.isdecimal() and str(int(user)) == user:
            return Release(UserId(int(user)))
        case ["set", option]:
            return _option(option)
        case _:
            return Move(text)


def _option(text: str) -> SetOption:
    """Read `rounds=5` for the table, `dice.2=8` for seat 2. Without `=` both are the list."""
    where, is_chosen, value = text.partition("=")
    key, _, seat = where.rpartition(".")
    chosen = value if is_chosen else None
    if key and seat.isdecimal() and str(int(seat)) == seat:
        return SetOption(key, chosen, int(seat))
    return SetOption(where, chosen)
