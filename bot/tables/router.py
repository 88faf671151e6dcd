"""What a button's word asks for. Pure: everything is decided by the table as it is at the turn of
the press, and nothing by how it was when the press arrived.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.games.kernel import Refused, Seat
from bot.tables import decisions as d
from bot.tables import lobby, votes
from bot.tables.decisions import Decision, Move
from bot.tables.moment import Moment
from bot.tables.session import Phase, Session

Now: TypeAlias = Callable[[], Moment]


class Why(StrEnum):
    """Why a press or a command got no further than the door. Each value is a key of words."""

    NO_TABLE = "door.refused.no_table"
    OLD_PANEL = "door.refused.old_panel"
    UNKNOWN = "door.refused.unknown"
    STRANGER = "table.refused.stranger"
    TABLE_HERE = "door.refused.table_here"
    SEATED_ELSEWHERE = "door.refused.seated_elsewhere"
    MOST_TABLES = "door.refused.most_tables"
    OTHER_VERSION = "table.closed.version"
    THREADS_HERE = "door.refused.threads_here"
    NO_THREAD = "door.refused.no_thread"
    TESTED = "door.refused.tested"


@dataclass(frozen=True, slots=True)
class Asked:
    """A button's word, on a screen of this round, and who pressed it.

    `seed` gives the 32 bytes of a match that starts.
    """

    word: str
    round: int
    user: int
    name: str
    seed: Callable[[], bytes]


def route(asked: Asked, session: Session, now: Now) -> Decision | Move:
    """Never raises: what a self-made client may send is refused."""
    return _plain(asked, session, now) or _in_round(asked, session, now)


def _plain(asked: Asked, session: Session, now: Now) -> Decision | None:
    """The presses that mean the same in every round."""
    user = asked.user
    match asked.word.split(".", 1):
        case ["join"]:
            return lobby.join(session, user, asked.name)
        case ["leave", *answer] if answer in ([], ["yes"], ["no"]):
            return LEAVING["".join(answer)](session, user)
        case ["release", away] if away.isdecimal():
            return votes.release(session, user, int(away), now().absent)
        case ["panel"]:
            return d.panel(session, user)
        case ["down"]:
            return d.move_down(session, user)
        case _:
            return _hosts(asked, session, now)


def _hosts(asked: Asked, session: Session, now: Now) -> Decision | None:
    """What the host does in a lobby; others do it for a host who is away."""
    user = asked.user
    match asked.word.split(".", 1):
        case ["set", choice] if "=" in choice:
            return _option(session, user, *choice.split("=", 1), away=now().host_away)
        case ["start"]:
            return lobby.start(session, user, asked.seed(), away=now().host_away)
        case ["add"]:
            return lobby.add_computer(session, user, away=now().host_away)
        case ["remove"]:
            return lobby.remove_computer(session, user, away=now().host_away)
        case ["options"]:
            return lobby.options(session, user, away=now().host_away)
        case _:
            return None


def _in_round(asked: Asked, session: Session, now: Now) -> Decision | Move:
    """Ready, the waiting table's Start, and the moves: only on a panel of this round."""
    user, word = asked.user, asked.word
    seat = session.seat_of(user)
    if seat is None:
        return d.panel(session, user)
    if word == "ready" and session.phase is not Phase.READY and session.dealt_in(seat):
        return Refused(d.Why.READY_ALREADY)
    if asked.round != session.round:
        return Refused(Why.OLD_PANEL)
    match word:
        case "ready":
            return d.ready(session, user)
        case "deal":
            return d.deal(session, user, away=now().host_away)
        case "end":
            return votes.end_round(session, user, now().absent)
        case _:
            return _game(asked, session, seat)


def _game(asked: Asked, session: Session, seat: Seat) -> Decision | Move:
    """A move of the game, or the first half of one."""
    word = asked.word
    if session.state is not None and session.game.half(session.state, seat, word) is not None:
        return d.half(session, seat, word)
    try:
        session.game.parse(word)
    except ValueError:
        between = session.round > 0 and session.state is None
        return Refused(d.why_not_live(session) if between else Why.UNKNOWN)
    return Move(seat, word)


LEAVING: dict[str, Callable[[Session, int], Decision]] = {
    "": d.ask_to_leave,
    "yes": d.leave,
    "no": d.stay,
}
"""A press on Leave, and the answers to the question it may lead to."""


def _option(session: Session, user: int, key: str, value: str, *, away: bool) -> Decision:
    """`rounds` for the table, `dice.2` for seat 2."""
    key, _, seat = key.partition(".")
    if seat.isdecimal():
        return lobby.set_seat_option(session, user, int(seat), key, value, away=away)
    return lobby.set_option(session, user, key, value, away=away)
