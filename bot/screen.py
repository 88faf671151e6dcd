"""Screens as plain data: `bot.i18n` finds their words, `bot.ui` builds their components."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.text import Name, Number, Text

IN_A_ROW = 3
"""Buttons that fit side by side on every client. Four wrap on a phone."""


class Look(StrEnum):
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
    """A line of `places` in which a position stands for a number. `dot` marks an empty place.

    Places after the last icon are empty.
    """

    colour: str
    icons: tuple[str, ...]
    places: int


@dataclass(frozen=True, slots=True)
class Piles:
    """A line of piles, each in a place of its own, those of a colour side by side.

    `groups` holds the icon on top of each pile, by colour: `r7`, or `rfull` for one that takes no
    more, or `r0` for a place without a pile.
    """

    groups: tuple[tuple[str, ...], ...]
    look: Look = Look.PLAIN


@dataclass(frozen=True, slots=True)
class Column:
    """A column of overlapping cards, one icon each, the last on top, with the column's number.

    `below`: the cards under these, which are not shown.
    """

    number: int
    icons: tuple[str, ...]
    below: int = 0


@dataclass(frozen=True, slots=True)
class Letters:
    """A line that tells the letters of colours that don't begin with them: `E = Gelb`.

    Where all do, and in plain words, it is no line at all: it never stands alone.
    """

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's name and points, with the cards or dice they have `left` of at most `top`.

    With `alarm` they are about to finish.
    """

    left: int | None
    top: int
    name: Name
    points: int | None = None
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of short cells: the first column and names aligned left, the others right."""

    rows: tuple[tuple["Cell", ...], ...]


Cell: TypeAlias = str | int | Name | Text | Number
Line: TypeAlias = Sentence | Track | Piles | Column | Bar | Grid | Letters


ASIDE = "lr1"
"""The prefix, before a colon, of a word that asks for something outside the game, like the rules.

Such a word is the whole custom id of its button.
"""


OFF_PREFIX = "off:"
"""The prefix of the word of a place where nothing lies now: its button only keeps the place."""


class Style(StrEnum):
    PRIMARY = "primary"
    SUCCESS = "success"
    SECONDARY = "secondary"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: its label, and the word or move it sends."""

    label: Text
    word: str
    icon: str | None = None
    style: Style = Style.SECONDARY
    off: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice among several values, each with its label, and the current one."""

    word: str
    values: tuple[tuple[str, Text], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class PickChannel:
    """A choice of a channel in which people write, or of none. `chosen`: its id."""

    word: str
    chosen: int | None


@dataclass(frozen=True, slots=True)
class Words:
    """A block of lines. `news`: they say what has happened, which plain text says first."""

    lines: tuple[Line, ...]
    news: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Buttons side by side. `places`: they are places of one kind, which rows below may continue.

    Other buttons differ in length, so that in plain words each has a line of its own.
    """

    choices: tuple[Choice, ...]
    places: bool = False


def rows_of(choices: Sequence[Choice], *, places: bool = False) -> tuple[Row, ...]:
    """Return choices in rows of `IN_A_ROW`. `places`: all are places of one kind."""
    starts = range(0, len(choices), IN_A_ROW)
    return tuple(Row(tuple(choices[i : i + IN_A_ROW]), places) for i in starts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line between two blocks."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A file attached to the message, with a description for screen readers."""

    file: str
    shows: Text


Block: TypeAlias = Words | Row | Rule | Pick | PickChannel | Picture


@dataclass(frozen=True, slots=True)
class Ticks:
    """Boxes to tick, any number of them: each value with its label, and those ticked now."""

    word: str
    values: tuple[tuple[str, Text], ...]
    ticked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Form:
    """A form with a labelled field for each choice. `word`: what it sends when it is filled in."""

    title: Text
    word: str
    fields: tuple[tuple[Text, Pick | Ticks], ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """One message. `round` is the number of the round that its buttons belong to."""

    blocks: tuple[Block, ...]
    round: int = 0
