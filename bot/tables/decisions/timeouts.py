"""Decisions that fall due because time passes."""

from functools import partial

from bot.tables.decisions import decide as d
from bot.tables.decisions.decide import Decide
from bot.tables.state.session import Phase, Session

LOBBY_FOR = 14 * 60
"""Seconds a lobby stays open: until just before the Join tokens die (PLATFORM 1)."""
HELD_FOR = 60
"""Seconds for which a rematch holds the seats of those who played before."""
OVER_FOR = 30 * 60
"""Seconds for which a finished match keeps its buttons."""
IDLE_FOR = 10 * 60
"""Seconds without a press by a human after which a match ends as if all had left."""


def due(session: Session, lived: float, idle: float) -> Decide | None:
    """Return the decision that is due now, or None.

    `lived`: seconds of the table's life. `idle`: seconds without a press by a human.
    """
    age = lived - session.since / 1000
    match session.phase:
        case Phase.LOBBY if age >= LOBBY_FOR:
            return partial(d.close, reason="table.closed.expired")
        case Phase.LOBBY if session.held and age >= HELD_FOR:
            return d.free_held_seats
        case Phase.OVER if age >= OVER_FOR:
            return partial(d.close, reason="table.closed.over")
        case Phase.READY | Phase.COUNT | Phase.LIVE if idle >= IDLE_FOR:
            return d.abandon
        case _:
            return None
