"""A sentence before translation: its key, and what fills its gaps. `bot.i18n` finds the words."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Icon:
    """A small picture: `r7` (the red seven), `pile`, `flip`. Words replace a missing one."""

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name as they wrote it. `bot.ui` makes it harmless and cuts it to `width`."""

    text: str
    width: int = 16


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence before translation: its key in the catalogues, and the values of its gaps."""

    key: str
    values: "Values" = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """Several values in one gap, with "and" before the last in a sentence, else `between` them."""

    values: tuple["Value", ...]
    sentence: bool = False
    between: str = ", "


@dataclass(frozen=True, slots=True)
class Number:
    """A number formatted for the reader's language: `2.50`, `+7`, `45%`."""

    value: float
    digits: int = 0
    signed: bool = False
    share: bool = False


Value: TypeAlias = str | int | Icon | Name | Text | Joined | Number


Values: TypeAlias = tuple[tuple[str, Value], ...]


MINUS = "\u2212"


def points(number: int) -> str:
    """Return points as words have them, with a real minus sign."""
    return str(number).replace("-", MINUS)


def change(number: int) -> str:
    """Return points won or lost as words have them, always with a sign: `+7`, `+0`."""
    return f"{number:+d}".replace("-", MINUS)
