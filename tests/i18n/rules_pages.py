"""The rules in short, at every kind of table that they tell of."""

from collections.abc import Iterator
from dataclasses import replace

from bot.games import GAMES
from bot.games.values import RulesPart
from bot.screen import Screen
from bot.tables.decisions import lobby as in_lobby
from bot.tables.state.options import defaults
from bot.tables.views.rules_in_short import Place, Terms, of_table
from bot.text import Name
from bot.ui.commands.rules.command import rules_page
from tests.ui.matches import HOST, PEOPLE, accepted, lobby

LONG = tuple(name * 8 for name in ("Wi", "An", "Mo", "Li"))
"""Names as long as a line shows them."""
CARDS: tuple[dict[str, str], ...] = (
    {},
    {"refill": "hand", "assist": "on"},
    {"variant": "expert", "assist": "on", "target": "300"},
)


def every_terms() -> Iterator[tuple[Terms, str]]:
    """What holds, and the word for where it does."""
    for game in GAMES.values():
        yield Terms(game), "n"
        yield Terms(game, Place.ARENA, defaults(game)), "a1"
        yield Terms(game, Place.DAILY, defaults(game), (Name("Anna"),) * 3), "d"
    yield of_table(lobby(PEOPLE[:1])), "t1"
    for chosen in CARDS:
        for players in (2, 3, 4, 12):
            table = of_table(lobby(PEOPLE[:players], 0, "ligretto", **chosen))
            yield table, "t1"
            yield replace(table, place=Place.ARENA, rounds=None), "a1"
    for players in (1, 2, 3, 4):
        yield of_table(lobby(PEOPLE[:players], game="dice", assist="on")), "t1"
    yield of_table(lobby(PEOPLE[:2], game="dice", rounds="1")), "t1"
    uneven = lobby(LONG, game="dice", extra="4", assist="on")
    uneven = accepted(uneven, in_lobby.set_seat_option(uneven, HOST, 3, "dice", "child"))
    yield of_table(uneven), "t1"


def every_page() -> Iterator[Screen]:
    for terms, place in every_terms():
        for part in RulesPart:
            yield rules_page(terms, part, place)
