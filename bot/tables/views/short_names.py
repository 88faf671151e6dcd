"""The names of a table's players, short enough for a line of a phone and never the same."""

from functools import lru_cache

from bot.games.values import Seat
from bot.names import told_apart
from bot.tables.state.session import Session
from bot.text import Name

SHORT = 8
"""Columns of a name in play, as long as `Robot 10`.

Two of them with their numbers fit side by side on a phone, and a panel's lines stay one line each.
"""


KEPT = 512
"""Tables whose names are in the cache."""


def short_names(session: Session) -> tuple[Name, ...]:
    """Return the name of each seat, cut to `SHORT` columns: the same in every line of a table."""
    return short(session.names)


@lru_cache(KEPT)
def short(names: tuple[str, ...]) -> tuple[Name, ...]:
    """Return these names of one table, each cut to `SHORT` columns."""
    return tuple(Name(name, SHORT) for name in told_apart(names, SHORT))


def short_name(session: Session, seat: Seat) -> Name:
    return short_names(session)[seat]
