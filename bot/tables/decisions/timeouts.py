"""Decisions that fall due because time passes."""

from collections.abc import Mapping
from functools import partial

from bot.games.values import Reason, Seat
from bot.ids import UserId
from bot.tables.decisions import decide as d
from bot.tables.decisions.consequences import ended
from bot.tables.decisions.decide import Decide, Decision, Done
from bot.tables.state import events as e
from bot.tables.state.session import Phase, Session
from bot.text import SILENT

LOBBY_FOR = 14 * 60
"""Seconds a lobby stays open: until just before the Join tokens die (PLATFORM 1)."""
HELD_FOR = 60
"""Seconds for which a rematch holds the seats of those who played before."""
OVER_FOR = 30 * 60
"""Seconds for which a finished match keeps its buttons."""
IDLE_FOR = 10 * 60
"""Seconds without a press by a human after which a match ends as if all had left."""
AWAY_AFTER = 90.0
"""Seconds without a press after which a live round of an arena goes on without a player."""
GOES_ON_AFTER = 10.0
"""Seconds after a restart until an arena's round goes on: as long as panels may take to say so."""


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


def due_in_arena(session: Session, lived: float, idle: Mapping[UserId, float]) -> Decide | None:
    """Return the decision that is due now at an arena's table, where nobody votes on who is away.

    None if there is none, as for every other table. `lived`: seconds of the table's life. `idle`:
    the seconds since each person's last press.
    """
    waited = lived - session.since / 1000
    if session.opened.arena is None:
        return None
    if session.phase is Phase.READY and session.state is not None:
        return _go_on if waited >= GOES_ON_AFTER else None
    if session.phase is not Phase.LIVE:
        return None
    away = tuple(
        seat for seat in session.humans_in if min(waited, _idle(session, seat, idle)) >= AWAY_AFTER
    )
    if any(seat in session.unseen for seat in away):
        return _stopped
    return partial(_without, away) if away else None


def _idle(session: Session, seat: Seat, idle: Mapping[UserId, float]) -> float:
    user = session.chairs[seat].user
    return idle.get(user, 0.0) if user is not None else 0.0


def _go_on(session: Session) -> Decision:
    """Go on with a paused round: nobody has to press Ready in an arena."""
    is_paused = session.phase is Phase.READY and session.state is not None
    return Done((e.Resumed(),) if is_paused else (), SILENT)


def _stopped(session: Session) -> Decision:
    """Stop a round to which somebody hasn't come back: nobody loses one by a restart of the bot."""
    is_live = session.phase is Phase.LIVE and session.unseen
    return Done((ended(session, Reason.ABORT),) if is_live else (), SILENT)


def _without(away: tuple[Seat, ...], session: Session) -> Decision:
    """Let the round go on without them; the last one who stays has won it."""
    gone = tuple(e.Left(seat, away=True) for seat in away if seat in session.seats_in)
    return Done(gone, SILENT)
