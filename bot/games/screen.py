"""What to show, in plain data: `bot.i18n` finds the words and `bot.ui` the components."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Icon:
    """A small picture: `r7` the red seven, `pile`, `flip`, `ready`. Shown as words without one."""

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name as that person wrote it. It is made harmless when it is shown."""

    text: str
    width: int = 16


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence before translation: its key in the catalogues, and what fills its gaps."""

    key: str
    values: "Values" = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """Several values in one gap, with commas between; in a sentence the last with an `and`."""

    values: tuple["Value", ...]
    sentence: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A figure that is written as the reader's language writes it: `2.50`, `+7`, `45%`."""

    value: float
    digits: int = 0
    signed: bool = False
    share: bool = False


Value: TypeAlias = str | int | Icon | Name | Text | Joined | Number
Values: TypeAlias = tuple[tuple[str, Value], ...]


class Look(Enum):
    PLAIN = ""
    SMALL = "-# "
    HEAD = "### "
    TITLE = "## "
    HUGE = "# "


@dataclass(frozen=True, slots=True)
class Sentence:
    text: Text
    look: Look = Look.PLAIN


@dataclass(frozen=True, slots=True)
class Track:
    """A line of `places` whose position says the number: an icon each, `dot` where nothing lies.

    Places after the last icon are empty. `seats`: who filled the places, from the first.
    """

    colour: str
    icons: tuple[str, ...]
    places: int
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """Cards that cover one another, the last on top: an icon each, with the column's number."""

    number: int
    icons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """How much a player has left of the most there can be, with name and points.

    `seat` is the number, from 1, by which the centre tells this player.
    """

    left: int | None
    top: int
    name: Name
    points: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of short cells: the first column to the left, the others to the right."""

    rows: tuple[tuple["Cell", ...], ...]


Cell: TypeAlias = str | int | Name | Text | Number
Line: TypeAlias = Sentence | Track | Column | Bar | Grid


ASIDE = "lr1"
"""What a word begins with, before a colon, that asks for something beside the table: it is the
whole custom id of its button.
"""


class Style(StrEnum):
    PRIMARY = "primary"
    SUCCESS = "success"
    SECONDARY = "secondary"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: what it says, and the text of the action or move that it sends."""

    label: Text
    word: str
    icon: str | None = None
    style: Style = Style.SECONDARY
    off: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """One choice of several: each value with its label, and the one that holds now."""

    word: str
    values: tuple[tuple[str, Text], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Words:
    """Lines that stand together."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Row:
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line between two parts."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file of the message, and what it shows for those who do not see it."""

    file: str
    shows: Text


Block: TypeAlias = Words | Row | Rule | Pick | Picture


@dataclass(frozen=True, slots=True)
class Screen:
    """One message. `round` is the number of the round its buttons belong to."""

    blocks: tuple[Block, ...]
    round: int = 0
