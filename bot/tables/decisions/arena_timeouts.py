"""Decisions that fall due at an arena's table, where nobody votes on who is away."""

from collections.abc import Mapping
from functools import partial

from bot.games.values import Reason, Seat
from bot.ids import UserId
from bot.tables.decisions.consequences import ended
from bot.tables.decisions.decide import Decide, Decision, Done
from bot.tables.state import events as e
from bot.tables.state.session import Phase, Session
from bot.text import Text

AWAY_AFTER = 90.0
"""Seconds without a press after which a live round goes on without a player."""
READY_WITHIN = 60.0
"""Seconds after a restart in which everybody in a paused round has to press Ready."""


def due_in_arena(session: Session, lived: float, idle: Mapping[UserId, float]) -> Decide | None:
    """Return the decision that is due now, or None, as for every table of no arena.

    `lived`: seconds of the table's life. `idle`: the seconds since each person's last press.
    """
    waited = lived - session.since / 1000
    if session.opened.arena is None:
        return None
    if session.phase is Phase.READY and session.state is not None:
        return _stopped if waited >= READY_WITHIN else None
    if session.phase is not Phase.LIVE:
        return None
    away = tuple(
        seat for seat in session.humans_in if min(waited, _idle(session, seat, idle)) >= AWAY_AFTER
    )
    return partial(_without, away) if away else None


def _idle(session: Session, seat: Seat, idle: Mapping[UserId, float]) -> float:
    user = session.chairs[seat].user
    return idle.get(user, 0.0) if user is not None else 0.0


def _stopped(session: Session) -> Decision:
    """Stop a paused round: nobody loses a round by a restart of the bot."""
    is_paused = session.phase is Phase.READY and session.state is not None
    return Done((ended(session, Reason.ABORT),) if is_paused else (), Text("table.live"))


def _without(away: tuple[Seat, ...], session: Session) -> Decision:
    """Let the round go on without them; the last one who stays has won it."""
    gone = tuple(e.Left(seat, away=True) for seat in away if seat in session.seats_in)
    return Done(gone, Text("table.live"))
