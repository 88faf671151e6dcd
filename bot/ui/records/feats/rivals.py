"""Two people against each other, in `/stats member:`."""

from collections.abc import Sequence

from bot.records.feats.models import Rivalry
from bot.screen import Cell, Grid, Line, Look
from bot.tables.views.lines import sentence
from bot.text import Name, Number, Text

CELL = 6
"""Columns of the other's name."""


def rivalry_lines(name: Name, met: Sequence[tuple[str, Rivalry]]) -> tuple[Line, ...]:
    """Draw the asking person beside another, game by game. `met`: by game."""
    title = sentence("rivals.title", (("name", name),), Look.HEAD)
    found = [(game, one) for game, one in met if one.matches]
    if not found:
        return (title, sentence("rivals.none"))
    lines: list[Line] = [title]
    for game, one in found:
        values = (("game", Text(f"game.{game}")), ("n", one.matches))
        lines += [sentence("rivals.matches", values), _grid(one, Name(name.text, CELL))]
    return tuple(lines)


def _grid(one: Rivalry, name: Name) -> Grid:
    own, other = one.own, one.other
    margin = (own.points - other.points) / one.matches
    return Grid(
        (
            ("", Text("rivals.you"), name),
            (Text("rivals.ahead"), own.ahead, other.ahead),
            (Text("rivals.points"), own.points, other.points),
            (Text("rivals.margin"), _margin(margin), _margin(-margin)),
            (Text("rivals.duels"), own.firsts, other.firsts),
            (Text("rivals.ms"), _ms(own.firsts_ms), _ms(other.firsts_ms)),
        )
    )


def _margin(points: float) -> Number:
    return Number(points, 1, signed=True)


def _ms(mean: float | None) -> Cell:
    return "–" if mean is None else Number(mean)
