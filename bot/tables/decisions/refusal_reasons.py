"""The reasons for which a table refuses a press, and which of them holds in which phase."""

from enum import StrEnum

from bot.games.values import Refused
from bot.ids import UserId
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import Chair
from bot.text import Name, Text


class TableRefusal(StrEnum):
    """A reason for which a table refuses. The value is the catalogue key of its words."""

    STRANGER = "table.refused.stranger"
    JOIN_FIRST = "table.refused.join_first"
    WATCHING = "table.refused.watching"
    QUEUED = "table.refused.queued"
    LEFT = "table.refused.left"
    AWAY = "table.refused.away"
    ABANDONED = "table.refused.abandoned"
    FULL = "table.refused.full"
    FULL_NEXT = "table.refused.full_next"
    HOST_ONLY = "table.refused.host_only"
    TOO_FEW = "table.refused.too_few"
    STARTED = "table.refused.started"
    NO_ROBOT = "table.refused.no_computer"
    BAD_OPTION = "request.refused.older"
    READY_ALREADY = "table.refused.ready_already"
    NOTHING_TO_READY = "table.refused.nothing_to_ready"
    NOT_STARTED = "table.refused.not_started"
    START_FIRST = "table.refused.start_first"
    START_LATER = "table.refused.start_later"
    NOT_POSTED = "table.refused.not_posted"
    STAYS_HERE = "table.refused.stays_here"
    NOT_LIVE = "table.refused.not_live"
    ROUND_OVER = "table.refused.round_over"
    TOO_LATE = "table.refused.too_late"
    MATCH_OVER = "table.refused.match_over"
    NOT_OVER = "table.refused.not_over"
    CLOSED = "table.refused.closed"
    SITS_OUT = "table.refused.sits_out"
    NOT_ABSENT = "table.refused.not_absent"
    NOTHING_THERE = "table.refused.nothing_there"
    THREAD_ALREADY = "table.refused.thread_already"


def why_no_lobby(session: Session) -> TableRefusal:
    match session.phase:
        case Phase.OVER:
            return TableRefusal.MATCH_OVER
        case Phase.CLOSED:
            return TableRefusal.CLOSED
        case _:
            return TableRefusal.STARTED


def why_not_in(session: Session, user: UserId) -> TableRefusal:
    if session.phase is Phase.CLOSED:
        return TableRefusal.CLOSED
    if session.phase is Phase.OVER and session.seat_of(user) is not None:
        return TableRefusal.MATCH_OVER
    if session.phase is Phase.LOBBY:
        return TableRefusal.JOIN_FIRST
    if session.phase is not Phase.OVER and any(one.user == user for one in session.queue):
        return TableRefusal.QUEUED
    gone = next((chair for chair in session.chairs if chair.user == user), None)
    if gone is not None:
        return _why_gone(session, gone)
    return TableRefusal.STRANGER if session.phase is Phase.OVER else TableRefusal.WATCHING


def _why_gone(session: Session, chair: Chair) -> TableRefusal:
    """Return why somebody who sat here does no longer."""
    if not chair.away:
        return TableRefusal.LEFT
    return TableRefusal.ABANDONED if session.abandoned else TableRefusal.AWAY


def why_not_live(session: Session) -> TableRefusal:
    match session.phase:
        case Phase.OVER:
            return TableRefusal.MATCH_OVER
        case Phase.CLOSED:
            return TableRefusal.CLOSED
        case Phase.READY if session.state is None and session.round:
            return TableRefusal.ROUND_OVER
        case _:
            return TableRefusal.NOT_LIVE


def host_only(session: Session) -> Refused:
    """Refuse what only the host may do, and name them."""
    return Refused(TableRefusal.HOST_ONLY, (host_name(session),))


def name_of_mine(session: Session) -> Text:
    """Return the words on the button that shows one's panel: `My cards` or `My dice`."""
    return Text(f"{session.opened.game}.mine")


def host_name(session: Session) -> tuple[str, Name]:
    """Return the value that names the host in a text."""
    names = (Name(chair.name) for chair in session.chairs if chair.user == session.host)
    return "host", next(names, Name("?"))
