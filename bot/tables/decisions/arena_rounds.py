"""The verdict on the one round of an arena's table: it counts, or there is a reason why not."""

from enum import StrEnum

from bot.games.values import Reason, Seat
from bot.tables.state.session import Session


class Uncounted(StrEnum):
    """The reason a round counts for nothing: no points, no rating, no record.

    The value is the key of its words. RESTART: somebody has pressed nothing since the bot was
    restarted. DESERTED: all have left. EARLY: all but one have left before it was under way.
    STOPPED: those in it agreed to end it, it was ended from outside, or nobody ever pressed.
    """

    RESTART = "arena.why_restart"
    DESERTED = "arena.why_deserted"
    EARLY = "arena.why_early"
    STOPPED = "arena.why_stopped"


LONG_ENOUGH = 60_000
"""Ms of play after which a round is won by whoever stays, however much they have played."""


def is_under_way(session: Session, stayed: Seat) -> bool:
    """Return whether a round in progress is won by the one who stayed, now that all others left.

    They have half played, or the round is a minute old: others' leaving earns nothing faster than
    play does.
    """
    left = session.game.left(session.in_play)[stayed]
    half_played = left is not None and 2 * left <= session.game.most_dealt(session.in_play)
    return half_played or session.played_for >= LONG_ENOUGH


def uncounted(session: Session) -> Uncounted | None:
    """Return why the round of a table that is over doesn't count; None if it does.

    A round counts if it was played out, or if all but one have left it once it was under way.
    """
    if session.unseen:
        return Uncounted.RESTART
    ended = session.history[-1].ended if session.history else None
    is_played_out = ended is not None and ended.reason is not Reason.ABORT
    if session.met and (is_played_out or session.forfeited):
        return None
    match len(session.humans_in):
        case 0:
            return Uncounted.DESERTED
        case 1:
            return Uncounted.EARLY
        case _:
            return Uncounted.STOPPED
