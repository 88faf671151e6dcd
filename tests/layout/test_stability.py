"""A thumb finds its button again: in a round nothing moves up or down, on any phone.

Rounds that robots play are drawn as Discord's JSON in every language, and measured.
"""

from functools import cache
from typing import Any

import pytest

from bot.i18n import catalogues
from bot.screen import Screen
from bot.tables.views.plain_words import in_plain_words
from bot.ui.render.marks import Reader
from tests.games.states import seat_cards
from tests.layout.geometry import NARROW, PHONE, Placed, height, placed, row_widths, too_long
from tests.layout.rounds import Moment, round_of
from tests.tables.views import public
from tests.ui.limits import ROW, TEXT, drawn
from tests.ui.matches import lobby
from tests.ui.test_faces import FACES

LANGUAGES = sorted(catalogues())
ROUNDS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "two players": (2, 3, {}),
    "two players with hints": (2, 3, {"assist": "on"}),
    "three players, gaps by hand": (3, 0, {"refill": "hand"}),
    "four players": (4, 4, {}),
    "four experts with hints": (4, 0, {"variant": "expert", "assist": "on"}),
    "twelve players": (12, 3, {}),
    "two with dice": (2, 0, {"game": "dice"}),
    "four with dice and hints": (4, 1, {"game": "dice", "assist": "on"}),
}
"""How many play, the number of the round, and the host's choices."""


@cache
def moments(name: str) -> tuple[Moment, ...]:
    players, luck, chosen = ROUNDS[name]
    return tuple(round_of(players, luck, **chosen))


def different(name: str) -> list[Moment]:
    """Return the first moment of every panel that differs from all before it."""
    found: dict[Screen, Moment] = {}
    for moment in moments(name):
        found.setdefault(moment.panel, moment)
    return [*found.values()]


def test_these_rounds_have_all_that_could_move_a_button() -> None:
    def seen(name: str) -> set[str]:
        found = [one for one in moments(name) if one.session.state is not None]
        said = str([one.panel for one in found])
        return {
            *("late" for one in found if "late for" in one.what),
            *("half" for one in found if one.what.endswith(">")),
            *(key for key in ("panel.alarm'", "panel.duel", "ligretto.win") if key in said),
            *("gap" for one in found if seat_cards(one.session, 0).gap is not None),
        }

    every = {"late", "panel.alarm'", "panel.duel", "ligretto.win", "gap"}
    assert seen("two players") == seen("four players") == every
    assert seen("three players, gaps by hand") == every
    assert seen("four experts with hints") == {*every, "half"}


def heights(parts: list[dict[str, Any]]) -> list[tuple[int, float]]:
    """Each row of buttons, and each line of one that is wrapped, with its distance from the top.

    The last is the end of the message.
    """
    rows = sorted({(one.row, one.y) for one in placed(parts, PHONE)})
    return [*rows, (len(rows), height(parts, PHONE))]


def turn(parts: list[dict[str, Any]]) -> int:
    """Return the row of the button that flips or rolls."""
    rows = [part["components"] for part in parts if part["type"] == ROW]
    ids = [" ".join(one["custom_id"] for one in row) for row in rows]
    return next(i for i, row in enumerate(ids) if "flip" in row or "roll" in row)


def keeps(now: list[dict[str, Any]], first: list[dict[str, Any]], name: str) -> bool:
    """Return whether every row is where it was at first. Nothing may follow a row that is gone.

    A roll closes up the dice that are left, whose places are all new then: rows may end earlier.
    """
    here, there = heights(now), heights(first)
    is_shorter = "dice" in name and here[:-1] == there[: len(here) - 1]
    return turn(now) == turn(first) and (here == there or is_shorter)


@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_button_of_a_panel_moves_up_or_down_in_a_round(locale: str) -> None:
    reader = Reader(locale, faces=FACES)
    for name in ROUNDS:
        found = [(one, drawn(one.panel, reader)) for one in different(name)]
        assert len(found) > 30
        first = found[0][1]
        for moment, parts in found:
            assert not too_long(parts, NARROW), (name, moment.what)
            assert keeps(parts, first, name), (name, moment.what)


@pytest.mark.parametrize("locale", LANGUAGES)
def test_nothing_moves_under_the_finger_in_plain_words(locale: str) -> None:
    """Buttons keep their lines, and where a thumb rests on one there's never another.

    Every button is there from the count on and can be pressed, since iOS doesn't say which can't.
    """
    reader = Reader(locale, plain=True)
    for name in ROUNDS:
        found = [(one, drawn(in_plain_words(one.panel), reader)) for one in different(name)]
        first = found[0][1]
        places: dict[tuple[int, int], list[Placed]] = {}
        for moment, parts in found:
            assert not too_long(parts, PHONE), (name, moment.what)
            assert keeps(parts, first, name), (name, moment.what)
            assert not any(one.get("disabled") for one in parts), (name, moment.what)
            for one in placed(parts, PHONE):
                places.setdefault((one.row, one.place), []).append(one)
        for (row, place), here in places.items():
            left = max((one.x + one.width for one in places.get((row, place - 1), ())), default=0)
            middles = [one.x + one.width / 2 for one in here]
            assert left <= min(middles), (name, row, place)
            assert max(middles) <= max(one.x + one.width for one in here), (name, row, place)


@pytest.mark.parametrize("locale", LANGUAGES)
def test_panels_and_tables_in_play_fit_a_narrow_phone(locale: str) -> None:
    """A row that is too wide would wrap, and Discord takes 40 parts and 4,000 letters."""
    reader = Reader(locale, faces=FACES)
    for name in ROUNDS:
        for moment in moments(name)[::7]:
            for screen in (moment.panel, moment.table):
                parts = drawn(screen, reader)
                assert len(parts) <= 40
                assert sum(len(one["content"]) for one in parts if one["type"] == TEXT) <= 4000
                for width, labels in row_widths(parts):
                    assert width <= PHONE, (name, labels, width)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("game", ["ligretto", "dice"])
def test_lobbies_fit_a_narrow_phone(locale: str, game: str) -> None:
    """`Add robot` and `Remove robot` say what they are for, and stand in one row."""
    opened = lobby(["Anna", "Ben"], game=game)
    for width, labels in row_widths(drawn(public(opened, 0), Reader(locale))):
        assert width <= PHONE, (labels, width)
