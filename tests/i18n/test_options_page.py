"""docs/options.md has each option once, with its names, values and default of now."""

from collections import Counter

from bot.games import GAMES
from bot.tables.state.options import all_of
from scripts.list_options import MARK, PAGE, every_option, written


def test_options_page_has_each_option_once() -> None:
    marks = Counter(found[1] for found in MARK.finditer(PAGE.read_text("utf-8")))
    assert marks == Counter(list(every_option()))


def test_options_page_names_values_and_defaults_of_now() -> None:
    page = PAGE.read_text("utf-8")
    assert written(page) == page, "python -m scripts.list_options"


def test_every_option_of_a_game_is_on_the_options_page() -> None:
    """Those that share a list with others are there as its values."""
    marks = {mark.partition(".")[2] for mark in every_option()}
    together = {"rounds": "length", "target": "length"}
    for game in GAMES.values():
        for key, values in game.together.items():
            together |= {one.partition("=")[0]: key for one in ",".join(values).split(",")}
        for option in (*all_of(game), *game.seat_options):
            assert together.get(option.key, option.key) in marks, option.key
