"""The cards or dice that players have left: a line for a panel, a block for the table message."""

from functools import cache, lru_cache

from bot.games.values import Seat
from bot.screen import Bar, Cell, Grid, Line, Look, Sentence
from bot.tables.state.evolve import ALARM_FROM
from bot.tables.state.session import Session
from bot.tables.views.short_names import short, short_names
from bot.text import Icon, Joined, Text, Values, change, points

BARS_UP_TO = 6
"""The most players shown as bars. More are shown as short cells, two in a line."""
LEADERS = 2
"""The players of many whose points are told in play: who leads, and by how much."""
KEPT = 4096
"""Lines in each cache: a count changes less often than a panel is drawn."""
_bar = lru_cache(KEPT)(Bar)


def own_left(session: Session, seat: Seat) -> Sentence:
    """Draw `Pile: 7 you #2/3 · 4 Ben`: a player's own, their place, and the closest rival.

    Two players have no need of a place, nor has anybody while all have the same. Whoever has the
    fewest stands out when they are about to finish. Numbers come before names: `Robot 1 9` would be
    read as 19.
    """
    return left_line(session.game.key, _left(session), seat, session.names)


def _left(session: Session) -> tuple[int | None, ...]:
    """Return what each seat has left to play; None for whoever does not play, or no longer."""
    left = session.game.left(session.in_play)
    if len(session.seats_in) == len(left):
        return left
    return tuple(None if chair.left else n for n, chair in zip(left, session.chairs, strict=True))


@lru_cache(KEPT)
def left_line(
    game: str, left: tuple[int | None, ...], seat: Seat, names: tuple[str, ...]
) -> Sentence:
    """Draw the line from its parts: what each seat has left, and everybody's name."""
    mine = left[seat] or 0
    others = [(n, i) for i, n in enumerate(left) if n is not None and i != seat]
    fewest = min((n for n in left if n is not None), default=0)
    if len(others) > 1 and any(n != mine for n, _ in others):
        place = 1 + sum(n < mine for n, _ in others)
        values: Values = (("n", mine), ("place", place), ("of", 1 + len(others)))
        you = Text("panel.left_place", values)
    else:
        you = Text("panel.left_you", (("n", mine),))
    what = Text(f"{game}.own_left")
    said: Values = (("what", what), ("you", _urged(you, alarm=mine == fewest <= ALARM_FROM)))
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
    left = _left(session)
    fewest = min((n for n in left if n is not None), default=0)
    if len(left) > BARS_UP_TO:
        return (_label(session, has_points=False), _cells(session, left), *_leaders(session))
    names = short_names(session)
    bars = (
        _gone(session, i)
        if session.chairs[i].left
        else _bar(
            n,
            session.game.most_dealt(session.in_play),
            names[i],
            session.totals[i],
            n == fewest <= ALARM_FROM,
        )
        for i, n in enumerate(left)
    )
    return (_label(session, has_points=True), *bars)


def _gone(session: Session, seat: int) -> Sentence:
    """Draw the line of a player who has left, in the place of their bar. Their points stay."""
    total = session.totals[seat]
    values = (
        ("flag", Icon("flag")),
        ("name", short_names(session)[seat]),
        ("points", change(total)),
    )
    return Sentence(Text("table.gone", values))


def _label(session: Session, *, has_points: bool) -> Sentence:
    return _kept_label(session.game.key, has_points)


@cache
def _kept_label(game: str, has_points: bool) -> Sentence:  # noqa: FBT001 a key of the cache
    what = Text(f"{game}.left")
    key = "table.left_points"
    return Sentence(Text(key, (("what", what),)) if has_points else what, Look.SMALL)


def _leaders(session: Session) -> tuple[Line, ...]:
    """Draw the most points so far, where there's no room for everybody's; none in a first round."""
    if not session.history:
        return ()
    names = short_names(session)
    first = sorted(session.seats_in, key=lambda seat: -session.totals[seat])[:LEADERS]
    leaders = tuple(
        Text("table.leader", (("points", points(session.totals[seat])), ("name", names[seat])))
        for seat in first
    )
    said = (("leaders", Joined(leaders, between=" · ")),)
    return (Sentence(Text("table.leaders", said), Look.SMALL),)


def _cells(session: Session, left: tuple[int | None, ...]) -> Grid:
    """Draw two cells in a line: a number, and the name of whoever has so much left.

    Numbers take two columns even when all are small, so that nothing moves.
    """
    cells: list[Cell] = []
    for number, name in zip(left, short_names(session), strict=True):
        cells += [f"{'–' if number is None else number:>2}", name]
    return Grid(tuple(tuple(cells[i : i + 4]) for i in range(0, len(cells), 4)))
