"""The cards or dice that players have left: a line for a panel, a block for the table message."""

from functools import lru_cache

from bot.games.values import Seat
from bot.screen import Bar, Cell, Grid, Line, Look, Sentence
from bot.tables.state.evolve import ALARM_FROM
from bot.tables.state.session import Session
from bot.tables.views.short_names import short, short_names
from bot.text import Text, Values

BARS_UP_TO = 6
"""The most players shown as bars. More are shown as short cells, two in a line."""
FULL_BAR = 10
KEPT = 4096
"""Lines of panels in the cache: a count changes less often than a panel is drawn."""


def own_left(session: Session, seat: Seat) -> Sentence:
    """Draw `Left: 7 you #2 · 4 Ben`: a player's own, their place, and the closest rival.

    Two players have no need of a place. Whoever has the fewest stands out when they are about to
    finish. Numbers come before names: `Robot 1 9` would be read as 19.
    """
    return _own_left(session.game.left(session.in_play), seat, session.names)


@lru_cache(KEPT)
def _own_left(left: tuple[int | None, ...], seat: Seat, names: tuple[str, ...]) -> Sentence:
    mine = left[seat] or 0
    others = [(n, i) for i, n in enumerate(left) if n is not None and i != seat]
    fewest = min((n for n in left if n is not None), default=0)
    if len(others) > 1:
        place = 1 + sum(n < mine for n, _ in others)
        you = Text("panel.left_place", (("n", mine), ("place", place)))
    else:
        you = Text("panel.left_you", (("n", mine),))
    said: Values = (("you", _urged(you, alarm=mine == fewest <= ALARM_FROM)),)
    if not others:
        return Sentence(Text("panel.left_alone", said), Look.SMALL)
    n, rival = min(others)
    other = Text("panel.left_other", (("n", n), ("name", short(names)[rival])))
    is_first = n == fewest <= ALARM_FROM and mine != fewest
    said = (*said, ("other", _urged(other, alarm=is_first)))
    return Sentence(Text("panel.left", said), Look.SMALL)


def _urged(text: Text, *, alarm: bool) -> Text:
    return Text("panel.alarmed", (("left", text),)) if alarm else text


def all_left(session: Session) -> tuple[Line, ...]:
    """Draw what each player has left, in the order of the seats, so that nothing moves."""
    left = session.game.left(session.in_play)
    fewest = min((n for n in left if n is not None), default=0)
    if len(left) > BARS_UP_TO:
        return (_label(session, points=False), _cells(session, left))
    names = short_names(session)
    bars = (
        Bar(
            n,
            max(FULL_BAR, *(one or 0 for one in left)),
            names[i],
            session.totals[i],
            alarm=n == fewest <= ALARM_FROM,
        )
        for i, n in enumerate(left)
    )
    return (_label(session, points=True), *bars)


def _label(session: Session, *, points: bool) -> Sentence:
    what = Text(f"{session.game.key}.left")
    return Sentence(Text("table.left_points", (("what", what),)) if points else what, Look.SMALL)


def _cells(session: Session, left: tuple[int | None, ...]) -> Grid:
    """Draw two cells in a line: a number, and the name of whoever has so much left.

    Numbers take two columns even when all are small, so that nothing moves.
    """
    cells: list[Cell] = []
    for number, name in zip(left, short_names(session), strict=True):
        cells += [f"{'–' if number is None else number:>2}", name]
    return Grid(tuple(tuple(cells[i : i + 4]) for i in range(0, len(cells), 4)))
