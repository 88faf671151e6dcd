"""What a screen shows of a table that none of its entries tells: time, and who is away."""

from dataclasses import dataclass

from bot.games.values import Seat
from bot.tables.notices import NOTHING, Notices
from bot.tables.session import Phase, Session

ABSENT_AFTER = 3 * 60.0
"""Seconds without a press after which a player may be released by the others."""
QUIET_AFTER = 60.0
"""Seconds without a card or die laid after which the end of the round is offered."""


@dataclass(frozen=True, slots=True)
class Moment:
    """`now`: Unix ms; `count`: of the count-down; `absent`: users who are waited for in vain;
    `notices`: what the bot says of itself; `host_away`: the host has not pressed for so long that
    anybody seated may do what the host may; `forgotten`: in this lobby nobody seated has; `slow`:
    what has happened comes to panels seconds later.
    """

    now: int
    count: int = 0
    absent: tuple[int, ...] = ()
    quiet: bool = False
    notices: Notices = NOTHING
    host_away: bool = False
    forgotten: bool = False
    slow: bool = False


def at(
    session: Session,
    now: int,
    count: int,
    idle: dict[int, float],
    notices: Notices = NOTHING,
    *,
    slow: bool = False,
) -> Moment:
    """`idle`: seconds since each person's last press. Only waiting in this phase counts: nobody is
    absent for what others took their time with.
    """
    waited = (now - session.since) / 1000
    absent = tuple(
        user
        for seat in session.humans_in
        if (user := session.chairs[seat].user) is not None
        and min(idle.get(user, 0.0), waited) >= ABSENT_AFTER
        and _is_needed(session, seat)
    )
    quiet = session.phase is Phase.LIVE and now - session.laid_at >= QUIET_AFTER * 1000
    waits = session.phase in (Phase.LOBBY, Phase.READY)
    host_away = waits and idle.get(session.host, 0.0) >= ABSENT_AFTER
    forgotten = session.phase is Phase.LOBBY and all(one >= ABSENT_AFTER for one in idle.values())
    return Moment(now, count, absent, quiet, notices, host_away, forgotten, slow)


def _is_needed(session: Session, seat: Seat) -> bool:
    """Whether the others wait for a press of this seat."""
    if session.phase is Phase.READY:
        return seat in session.awaited
    return session.phase in (Phase.COUNT, Phase.LIVE) and session.dealt_in(seat)
