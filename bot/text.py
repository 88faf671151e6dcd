"""A sentence before translation: its key, and what fills its gaps. `bot.i18n` finds the words."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Icon:
    """A small picture: `r7` (the red seven), `pile`, `flip`. Words replace a missing one."""

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name as they wrote it. `bot.ui` makes it harmless and cuts it to `width`.

    A `champion` of the last season wears a mark, which takes its columns from the width.
    """

    text: str
    width: int = 16
    champion: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence before translation: its key in the catalogues, and the values of its gaps."""

    key: str
    values: "Values" = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """Several values in one gap, with "and" before the last in a sentence, else `between` them.

    Lines break between `whole` values, never inside one: a name stays beside its points.
    """

    values: tuple["Value", ...]
    sentence: bool = False
    between: str = ", "
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number formatted for the reader's language: `2.50`, `+7`, `45%`."""

    value: float
    digits: int = 0
    signed: bool = False
    share: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month of the calendar, 1 to 12, written out in the reader's language: `May 2026`."""

    year: int
    month: int

    def __str__(self) -> str:
        """Return the month as it is stored: `2026-05`. Such words have the months' order."""
        return f"{self.year:04}-{self.month:02}"

    @property
    def before(self) -> "Month":
        return Month(self.year - (self.month == 1), (self.month - 2) % 12 + 1)

    @property
    def after(self) -> "Month":
        return Month(self.year + self.month // 12, self.month % 12 + 1)


@dataclass(frozen=True, slots=True)
class Day:
    """A date in the reader's language: `May 2, 2026`."""

    year: int
    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week, in the reader's language. Monday is 0."""

    number: int


Value: TypeAlias = str | int | Icon | Name | Text | Joined | Number | Month | Day | Weekday


Values: TypeAlias = tuple[tuple[str, Value], ...]

BARE = ""
"""The key of a text without words of its own."""


def bare(value: Value) -> Text:
    """Return a text that is only this value: there is nothing to translate."""
    return Text(BARE, (("value", value),))


SILENT = bare("")
"""No words: the table message shows the result, or nobody pressed."""


MINUS = "\u2212"
NO_BREAK = "\u00a0"
"""The space at which no line breaks."""


def points(number: int) -> str:
    """Return points as words have them, with a real minus sign."""
    return str(number).replace("-", MINUS)


def margin(ms: float) -> Text:
    """Return the time between two presses: `12 ms`. Nobody has beaten anybody by none at all."""
    return Text("margin.ms", (("ms", Number(ms)),)) if ms >= 1 else Text("margin.least")


def change(number: int) -> str:
    """Return points won or lost as words have them, with a sign unless they are none: `+7`, `0`."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"
