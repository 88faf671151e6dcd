"""Writes the names, values and defaults of all options into docs/options.md.

`python -m scripts.list_options`, after an option or its English words have changed. What an option
is for stands between the marks, and is written by hand.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.i18n import FALLBACK, say
from bot.tables.decisions.option_lists import MORE, SWITCHES, OptionList, lists_of
from bot.tables.state.options import defaults
from bot.tables.views.host_options import value_in_words
from bot.tables.views.lines import option_in_words
from bot.text import Text
from bot.ui.arena.command import FEWEST, LONGEST, MOST, SHORTEST, USUAL

PAGE = Path(__file__).parent.parent / "docs" / "options.md"
MARK = re.compile(r"<!-- option: ([a-z.]+) -->\n(?:\*\*.*\n)?")
FEW = 8
"""Values of one kind that are all named."""


def every_option() -> Mapping[str, str]:
    """Return the line of each option, by its mark: `ligretto.rules`, `all.level`, `arena.seats`."""
    return dict([*_of_tables(), *_of_seats(), *_of_arenas()])


def written(page: str) -> str:
    """Return the page with the line of each option below its mark. KeyError for an unknown mark."""
    lines = every_option()
    return MARK.sub(lambda found: f"<!-- option: {found[1]} -->\n{lines[found[1]]}\n", page)


def _of_tables() -> Iterator[tuple[str, str]]:
    switches = {option.key for option in SWITCHES}
    shared = {one.key for one in set.intersection(*(set(_lists(game)) for game in GAMES.values()))}
    for game in GAMES.values():
        for one in _lists(game):
            label = MORE if one.key in switches else one.key
            words = _words(one.values, partial(value_in_words, game, one))
            default = _said(value_in_words(game, one, one.chosen(game, defaults(game))))
            mark = f"{'all' if one.key in shared else game.key}.{one.key}"
            yield mark, _line(_said(Text(f"options.{label}")), words, default)


def _of_seats() -> Iterator[tuple[str, str]]:
    for game in GAMES.values():
        for option in game.seat_options:
            words = _words(option.values, partial(option_in_words, option.key))
            default = _said(option_in_words(option.key, option.default))
            label = _said(Text("button.handicap"))
            yield f"{game.key}.{option.key}", _line(f"{label}, for each seat", words, default)


def _of_arenas() -> Iterator[tuple[str, str]]:
    for key, least, most, default in (
        ("minutes", SHORTEST, LONGEST, USUAL),
        ("seats", FEWEST, MOST, MOST),
    ):
        values = (f"`{least}` … `{most}`",)
        yield f"arena.{key}", _line(_said(Text(f"option_name.{key}")), values, str(default))


def _lists(game: AnyGame) -> tuple[OptionList, ...]:
    return lists_of(game, defaults(game))


def _words(values: Sequence[str], in_words: Callable[[str], Text]) -> list[str]:
    """Return the values in words: of many numbers of one kind, the first and the last."""
    told: list[str] = []
    for _, group in groupby(values, _kind):
        words = [f"`{_said(in_words(value))}`" for value in group]
        told += words if len(words) <= FEW else [f"{words[0]} … {words[-1]}"]
    return told


def _kind(value: str) -> str:
    return re.sub("[0-9]+", "n", value)


def _line(label: str, values: Sequence[str], default: str) -> str:
    return f"**{label}**: {', '.join(values)}. Default: `{default}`."


def _said(text: Text) -> str:
    return say(text, FALLBACK)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
