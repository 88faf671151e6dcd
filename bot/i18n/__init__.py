"""Translations: `say` turns a Text into the words of a language.

Catalogues are gettext `.po` files in `locale/`, one per language, read once at first use. A
message's id is its key, not its English words, so two places never share one by accident.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, get_day_names
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

from bot.text import (
    BARE,
    MINUS,
    NO_BREAK,
    Day,
    Icon,
    Joined,
    Month,
    Name,
    Number,
    Text,
    Value,
    Weekday,
)

FALLBACK = "en"
GROUPED = 10_000
"""The first number written with a thousands separator. Not every language separates four digits."""
FOLDER = Path(__file__).parent / "locale"


_SOUNDS_LIKE_Y = re.compile(r"\W*h?[ií](?![aeo])", re.IGNORECASE)


Forms: TypeAlias = str | tuple[str, ...]
"""The words of a message: one form, or one per plural form."""


class Catalogue(NamedTuple):
    """The words of one language by key, and the function that picks a number's plural form."""

    words: dict[str, Forms]
    plural: Callable[[int], int]


class Marks(Protocol):
    """The way names and icons are written in a place that shows words.

    With `plain_text` a message says the words of its key and `.plainly`, where there are any.
    """

    plain_text: bool

    def name(self, name: Name) -> str: ...
    def icon(self, icon: Icon) -> str: ...


class Plain:
    """Names and icons unformatted, for logs and tests."""

    plain_text = False

    def name(self, name: Name) -> str:
        return name.text

    def icon(self, icon: Icon) -> str:
        return icon.name.upper()


PLAIN = Plain()


def say(text: Text, locale: str, marks: Marks = PLAIN) -> str:
    """Return a text in the language of a Discord locale, or in English if there is no catalogue.

    A gap named `n` is a count and selects the plural form by its size, with or without a minus. A
    gap such as `/dice` becomes that command's name in the language. Raises KeyError for a key
    without words and for a gap without a value.
    """
    if text.key == BARE:
        return _fill(text.values[0][1], locale, marks)
    catalogue = catalogues()[language(locale)]
    words = catalogue.words.get(text.key)
    if marks.plain_text:
        words = catalogue.words.get(f"{text.key}.plainly", words)
    if not words:
        raise KeyError(f"no words for {text.key!r} in {locale}")
    if not text.values and isinstance(words, str) and "{" not in words and "}" not in words:
        return words
    values = dict(text.values)
    number = values.get("n", 0)
    if isinstance(words, tuple):
        words = words[catalogue.plural(abs(number) if isinstance(number, int) else 0)]
    gaps = _Gaps(values, locale, marks)
    if isinstance(number, int) and number >= GROUPED:
        gaps["n"] = format_decimal(number, locale=language(locale))
    return words.format_map(gaps)


@lru_cache(64)
def language(locale: str) -> str:
    """Return the catalogue's name for a Discord locale: `en` for both `en-GB` and `xx`."""
    short = locale.partition("-")[0]
    return short if short in catalogues() else FALLBACK


@cache
def languages() -> dict[str, str]:
    """Return the name of every language in that language, by catalogue."""
    return {name: say(Text("language.name"), name) for name in catalogues()}


@cache
def catalogues() -> dict[str, Catalogue]:
    """Return every catalogue by name, reading all files the first time."""
    return {path.stem: _kept(read(path.stem)) for path in sorted(FOLDER.glob("*.po"))}


def read(name: str) -> Catalog:
    """Read a language's catalogue as its translator sees it, comments included."""
    with (FOLDER / name).with_suffix(".po").open("rb") as file:
        return read_po(file, locale=name, abort_invalid=True)


def _kept(catalogue: Catalog) -> Catalogue:
    """Keep only the words. The rest of a catalogue is many times as large."""
    words: dict[str, Forms] = {}
    for message in catalogue:
        if isinstance(message.id, str):
            words[message.id] = str(message.string)
        else:
            words[message.id[0]] = tuple(message.string)
    return Catalogue(words, c2py(catalogue.plural_expr))


class _Gaps(dict[str, str]):
    """The words for the gaps of a text, found when the text asks for them: not each has them all.

    A gap such as `/dice` is that command's name.
    """

    def __init__(self, values: dict[str, Value], locale: str, marks: Marks) -> None:
        super().__init__()
        self._values = values
        self._locale = locale
        self._marks = marks

    def __missing__(self, gap: str) -> str:
        if gap in self._values:
            return _fill(self._values[gap], self._locale, self._marks)
        if not gap.startswith("/"):
            raise KeyError(gap)
        return command(gap.removeprefix("/"), self._locale)


def command(typed: str, locale: str) -> str:
    """Return a command under its name in the language: `/moderate close` for `moderate close`.

    The second word may also be an option, as in `settings time_zone`.
    """
    name, _, more = typed.partition(" ")
    called = say(Text(f"name.{name}"), locale)
    if not more:
        return f"/{called}"
    key = f"name.{name}_{more}"
    below = key if key in catalogues()[FALLBACK].words else f"option_name.{more}"
    return f"/{called} {say(Text(below), locale)}"


def _fill(value: Value, locale: str, marks: Marks) -> str:
    match value:
        case str() | int():
            return str(value)
        case Text():
            return say(value, locale, marks)
        case Name():
            return marks.name(value)
        case Icon():
            return marks.icon(value)
        case Joined(values, sentence, between, whole):
            said = [_fill(one, locale, marks) for one in values]
            if whole:
                said = [one.replace(" ", NO_BREAK) for one in said]
            return _listed(said, language(locale)) if sentence else between.join(said)
        case Number():
            return figure(value, locale)
        case _:
            return dated(value, locale)


def _listed(said: list[str], spoken: str) -> str:
    """Join names as a sentence does: `Anna, Ben and Chloé`.

    In Spanish, `y` becomes `e` before an i sound: `Anna e Irene`.
    """
    if spoken == "es" and len(said) > 1 and _SOUNDS_LIKE_Y.match(said[-1]):
        return f"{', '.join(said[:-1])} e {said[-1]}"
    return format_list(said, locale=spoken)


def figure(number: Number, locale: str) -> str:
    """Format a number with the decimal separator and signs of the language. None has no sign."""
    spoken = language(locale)
    if number.share:
        return str(format_percent(number.value, locale=spoken))
    digits = "." + "0" * number.digits if number.digits else ""
    pattern = f"+#0{digits};-#0{digits}" if number.signed and number.value else f"#0{digits}"
    return str(format_decimal(number.value, format=pattern, locale=spoken)).replace("-", MINUS)


def dated(value: Month | Day | Weekday, locale: str) -> str:
    """Write a date as the language does: `November 2026`, `28 nov. 2026`, `lundi`."""
    spoken = language(locale)
    match value:
        case Month(year, month):
            return str(format_skeleton("yMMMM", date(year, month, 1), locale=spoken))
        case Day(year, month, day):
            return str(format_date(date(year, month, day), "medium", locale=spoken))
        case Weekday(number):
            return str(get_day_names("wide", "stand-alone", spoken)[number])


def dates_in_figures(day: Day, locale: str) -> tuple[str, ...]:
    """Return the ways in which a date is typed: `2026-11-28`, `11/28/26` and `11/28/2026`.

    The order of day and month is that of the country, if the locale has one: en-GB, en-US.
    """
    try:
        spoken = Locale.parse(locale, sep="-")
    except (ValueError, UnknownLocaleError):
        spoken = Locale.parse(language(locale))
    one, pattern = date(day.year, day.month, day.day), spoken.date_formats["short"].pattern
    shown = (re.sub("y+", year, pattern) for year in ("yy", "yyyy"))
    return (one.isoformat(), *(str(format_date(one, form, locale=spoken)) for form in shown))
