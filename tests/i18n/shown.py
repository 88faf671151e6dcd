"""Everything the bot shows, each distinct screen once: for looking at all of it in a language."""

from collections.abc import Iterable, Iterator
from functools import cache

from bot.screen import Form, Row, Screen
from bot.tables.views.host_options import form
from bot.text import BARE, Text
from tests.i18n.test_languages import every_screen
from tests.i18n.test_words import ELSEWHERE, inside, messages, said_in_matches
from tests.ui.matches import PEOPLE, lobby

FACES_OF = ("card.", "colour.", "letter.", "icon.", "robot.")
"""Keys that say nothing new of a screen."""
SPOKEN = ("name.", "option_name.", "letter.", "colour.", "icon.", "language.")
"""Single words that make no sentence of their own."""


def distinct(screens: Iterable[Screen], *, plain: bool = False) -> Iterator[Screen]:
    """Yield each screen that has a message or a row of buttons which none before it had.

    `plain`: only what plain text says in words of its own is new.
    """
    known: set[object] = set()
    own = {key.removesuffix(".plainly") for key in messages() if key.endswith(".plainly")}
    for screen in dict.fromkeys(screens):
        there = {key for key in keys(screen) if not key.startswith(FACES_OF)}
        rows = {row_keys(block) for block in screen.blocks if isinstance(block, Row)}
        new = there & own if plain else there | rows
        if new - known:
            known |= new
            yield screen


def row_keys(row: Row) -> tuple[str, ...]:
    return tuple(sorted({choice.label.key for choice in row.choices}))


def keys(thing: object) -> set[str]:
    """The keys of everything that is said in a screen, a form or a text."""
    return {part.key for part in inside(thing) if isinstance(part, Text)} - {BARE}


@cache
def shown() -> tuple[Screen, ...]:
    return tuple(distinct(every_screen()))


@cache
def shown_plainly() -> tuple[Screen, ...]:
    return tuple(distinct(every_screen(), plain=True))


def forms() -> tuple[Form, ...]:
    found = (form(lobby(PEOPLE[:2], 1, game=game)) for game in ("ligretto", "dice"))
    return tuple(one for one in found if one is not None)


@cache
def sayings() -> dict[str, Text]:
    """Everything that is said, by key, with the values of one of its occasions."""
    return {text.key: text for text in sorted((*said_in_matches(), *ELSEWHERE), key=repr)}


def answers(there: Iterable[Screen | Form]) -> tuple[Text, ...]:
    """Return one text of each key that is on none of these screens, in the catalogue's order."""
    known = set[str]().union(*map(keys, there))
    of = sayings()
    left = (key for key in messages() if key in of and key not in known)
    return tuple(of[key] for key in left if not key.startswith(SPOKEN))
