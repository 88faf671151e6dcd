"""The last step before a reader: `say` turns a Text into words.

Catalogues are gettext `.po` files in `locale/`, one a language, read once at first use. A
message's id is its key, not its English words, so that two places never share one by accident.
"""

from collections.abc import Callable
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Protocol

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.games.screen import Icon, Joined, Name, Text, Value

FALLBACK = "en"
FOLDER = Path(__file__).parent / "locale"


class Marks(Protocol):
    """How names and icons are written where the words go."""

    def name(self, name: Name) -> str: ...
    def icon(self, icon: Icon) -> str: ...


class Plain:
    """Names and icons as they are: for logs and tests."""

    def name(self, name: Name) -> str:
        return name.text

    def icon(self, icon: Icon) -> str:
        return icon.name.upper()


PLAIN = Plain()


def say(text: Text, locale: str, marks: Marks = PLAIN) -> str:
    """The words of a text in the language of a Discord locale, English where there is none.

    A gap named `n` also decides between one and many.
    """
    catalogue, plural = catalogues()[language(locale)]
    message = catalogue.get(text.key)
    if message is None or not message.string:
        raise KeyError(f"no words for {text.key!r} in {locale}")
    values = dict(text.values)
    words: object = message.string
    if isinstance(words, tuple | list):
        number = values.get("n", 0)
        words = words[plural(number if isinstance(number, int) else 0)]
    assert isinstance(words, str)
    filled = {gap: _fill(value, locale, marks) for gap, value in values.items()}
    return words.format(**filled)


def language(locale: str) -> str:
    """The catalogue for a Discord locale: `en-GB` and `xx` both read English."""
    short = locale.partition("-")[0]
    return short if short in catalogues() else FALLBACK


@cache
def languages() -> dict[str, str]:
    """Every language there is, each named in its own words."""
    locales = {name: catalogue.locale for name, (catalogue, _) in catalogues().items()}
    return {
        name: (locale and locale.get_language_name()) or name for name, locale in locales.items()
    }


@cache
def catalogues() -> dict[str, tuple[Catalog, Callable[[int], int]]]:
    """Every language there is a file for, with the rule for its plurals."""
    found: dict[str, tuple[Catalog, Callable[[int], int]]] = {}
    for path in sorted(FOLDER.glob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=path.stem, abort_invalid=True)
        found[path.stem] = (catalogue, c2py(catalogue.plural_expr))
    return found


def _fill(value: Value, locale: str, marks: Marks) -> str:
    match value:
        case Text():
            return say(value, locale, marks)
        case Name():
            return marks.name(value)
        case Icon():
            return marks.icon(value)
        case Joined(values):
            return ", ".join(_fill(one, locale, marks) for one in values)
        case _:
            return str(value)
