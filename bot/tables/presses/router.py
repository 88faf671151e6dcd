"""The router from an action to its decision.

Pure. It decides by the table as it is at the turn of the press, not as it was when the press
arrived.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.screen import OFF_PREFIX
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby, votes
from bot.tables.decisions.decide import Decision, Move
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import TableRefusal, name_of_mine, why_not_live
from bot.tables.state import actions as a
from bot.tables.state.actions import Action
from bot.tables.state.session import Phase, Session

Now: TypeAlias = Callable[[], Presence]


class PressRefusal(StrEnum):
    """A reason for which a press or a command is refused before any decision.

    The value is the catalogue key of its words.
    """

    NO_TABLE = "request.refused.no_table"
    ANOTHERS = "request.refused.anothers"
    OLD_PANEL = "request.refused.old_panel"
    THAT_ROUND = "request.refused.that_round"
    UNKNOWN = "request.refused.unknown"
    STRANGER = "table.refused.stranger"
    TABLE_HERE = "request.refused.table_here"
    ARENA_HERE = "request.refused.arena_here"
    SEATED_ELSEWHERE = "request.refused.seated_elsewhere"
    MOST_TABLES = "request.refused.most_tables"
    OTHER_VERSION = "table.closed.version"
    THREADS_HERE = "request.refused.threads_here"
    NO_THREAD = "request.refused.no_thread"
    TESTED = "request.refused.tested"


@dataclass(frozen=True, slots=True)
class Asked:
    """An action, the round of the screen that it was on, and the person who asks for it.

    `seed` returns 32 bytes for a match that starts, `called` the name of a robot by its number.
    """

    action: Action
    round: int
    user: UserId
    name: str
    seed: Callable[[], bytes]
    called: Callable[[int], str] = lobby.robot


def route(asked: Asked, session: Session, now: Now) -> Decision | Move:
    """Return the decision on an action, or the game's move that it asks for.

    Never raises: anything that a modified client may send is refused.
    """
    if isinstance(asked.action, a.Move):
        return _in_round(asked, session, now)
    return _in_any_round(asked, session, now) or _in_round(asked, session, now)


def _in_any_round(asked: Asked, session: Session, now: Now) -> Decision | None:
    """Decide the actions that mean the same in every round."""
    user = asked.user
    match asked.action:
        case a.Join():
            return lobby.join(session, user, asked.name)
        case a.NextMatch():
            return lobby.next_match(session, user, asked.name)
        case a.Leave():
            return d.ask_to_leave(session, user)
        case a.LeaveForSure():
            return d.leave(session, user)
        case a.Stay():
            return d.stay(session, user)
        case a.Release(away):
            return votes.release(session, user, away, now().absent)
        case a.PlayOn():
            return votes.play_on(session, user)
        case a.ShowPanel():
            return d.panel(session, user)
        case a.MoveDown():
            return d.move_down(session, user)
        case _:
            return _hosts(asked, session, now)


def _hosts(asked: Asked, session: Session, now: Now) -> Decision | None:
    """Decide what the host does in a lobby; others do it for a host who is away."""
    user = asked.user
    match asked.action:
        case a.SetOption(key, str(value), None):
            return lobby.set_option(session, user, key, value, away=now().host_away)
        case a.SetOption(key, str(value), int(seat)):
            return lobby.set_seat_option(session, user, seat, key, value, away=now().host_away)
        case a.Start():
            return lobby.start(session, user, asked.seed(), away=now().host_away)
        case a.AddRobot():
            return lobby.add_robot(session, user, asked.called, away=now().host_away)
        case a.RemoveRobot():
            return lobby.remove_robot(session, user, away=now().host_away)
        case a.SendForm(values):
            return lobby.fill_form(session, user, values, away=now().host_away)
        case a.ShowOptions() | a.ShowForm():
            return lobby.options(session, user, away=now().host_away)
        case _:
            return None


def _in_round(asked: Asked, session: Session, now: Now) -> Decision | Move:
    """Decide Ready, Start while waiting, votes to end and moves: only on a screen of this round."""
    user, action = asked.user, asked.action
    seat = session.seat_of(user)
    if seat is None:
        return d.panel(session, user)
    is_ready = session.phase is not Phase.READY and session.dealt_in(seat)
    if isinstance(action, a.Ready) and is_ready:
        return Refused(TableRefusal.READY_ALREADY)
    if asked.round != session.round and isinstance(action, a.EndForSure):
        return Refused(PressRefusal.THAT_ROUND)
    if asked.round != session.round:
        return Refused(PressRefusal.OLD_PANEL, (("button", name_of_mine(session)),))
    match action:
        case a.Ready():
            return d.ready(session, user)
        case a.Deal():
            return d.deal(session, user, away=now().host_away)
        case a.EndRound():
            return votes.end_round(session, user, now().absent)
        case a.EndForSure():
            return votes.end_round(session, user, now().absent, sure=True)
        case _:
            return _game(session, seat, str(action))


def _game(session: Session, seat: Seat, move: str) -> Decision | Move:
    """Decide a move of the game, or the first half of one."""
    if move.startswith(OFF_PREFIX):
        live = session.phase is Phase.LIVE
        return Refused(TableRefusal.NOTHING_THERE if live else why_not_live(session))
    if session.state is not None and session.game.half(session.state, seat, move) is not None:
        return d.half(session, seat, move)
    try:
        session.game.parse(move)
    except ValueError:
        between = session.round > 0 and session.state is None
        return Refused(why_not_live(session) if between else PressRefusal.UNKNOWN)
    return Move(seat, move)
