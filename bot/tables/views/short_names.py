"""The names of a table's players, short enough for a line of a phone and never the same."""

from functools import lru_cache

from bot.games.values import Seat
from bot.names import told_apart
from bot.tables.state.session import Session
from bot.text import Name

SHORT = 10
"""Columns of a name in play, as long as `Roboter 10`: a panel's lines stay one line each."""
FEW = 6
"""The most players whose names may be so long."""
SHORT_OF_MANY = 9
"""Columns of a name where more play: two with their numbers fit side by side on a phone."""

KEPT = 512
"""Tables whose names are in the cache."""


def short_names(session: Session) -> tuple[Name, ...]:
    """Return the name of each seat, cut to fit: the same in every line of a table."""
    return short(session.names)


@lru_cache(KEPT)
def short(names: tuple[str, ...]) -> tuple[Name, ...]:
    """Return these names of one table, each cut to fit."""
    width = SHORT if len(names) <= FEW else SHORT_OF_MANY
    return tuple(Name(name, width) for name in told_apart(names, width))


def short_name(session: Session, seat: Seat) -> Name:
    return short_names(session)[seat]
