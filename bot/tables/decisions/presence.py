"""The time at a table, and who is away from it: neither follows from its entries."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.state.notices import NO_NOTICES, Notices
from bot.tables.state.session import Phase, Session
from bot.text import Text

ABSENT_AFTER = 3 * 60.0
"""Seconds without a press after which the others may release a player."""
QUIET_AFTER = 60.0
"""Seconds without a card played or a die placed after which ending the round is suggested."""


@dataclass(frozen=True, slots=True)
class Presence:
    """The time at a table and the people away from it, as its screens show them.

    `lived`: ms of the table's life. `count`: the number that the countdown has reached. `absent`:
    the users for whom the others wait in vain. `notices`: messages about the bot itself.
    `host_away`: the host has not pressed for so long that anybody else seated may do what the host
    may; False if nobody else is.
    `forgotten`: nobody seated in this lobby has pressed for that long. `slow`: panels show changes
    seconds late. `born`: for the dates on a screen, when the table's life would have begun had it
    never paused, in Unix seconds by Discord's clock. `bests`: at the end of a match, by seat, the
    best round that this person had here before; empty until the records have told. `broken`:
    by seat, the record of the server that this person has broken in it. `champions`: who won the
    last season of this game here.
    """

    lived: int
    count: int = 0
    absent: tuple[UserId, ...] = ()
    quiet: bool = False
    notices: Notices = NO_NOTICES
    host_away: bool = False
    forgotten: bool = False
    slow: bool = False
    born: float = 0.0
    bests: Mapping[Seat, int] = field(default_factory=dict)
    broken: Mapping[Seat, Text] = field(default_factory=dict)
    champions: Collection[UserId] = ()


def presence_at(
    session: Session,
    lived: int,
    count: int,
    idle: dict[UserId, float],
    notices: Notices = NO_NOTICES,
    *,
    slow: bool = False,
) -> Presence:
    """Return the presence at a table now.

    `lived`: ms of the table's life. `idle`: seconds since each seated person's last press, seat by
    seat; it may be empty where nobody `may_be_away`. Only time in the current phase counts, so
    nobody is absent because the others took their time.
    """
    waited = _waited(session, lived)
    absent = tuple(
        user
        for user, since in idle.items()
        if min(since, waited) >= ABSENT_AFTER
        and (seat := session.seat_of(user)) is not None
        and _is_needed(session, seat)
    )
    quiet = session.phase is Phase.LIVE and lived - session.laid_at >= QUIET_AFTER * 1000
    waits = session.phase in (Phase.LOBBY, Phase.READY)
    is_host_idle = waits and idle.get(session.host, 0.0) >= ABSENT_AFTER
    host_away = is_host_idle and any(
        session.chairs[seat].user != session.host for seat in session.humans_in
    )
    forgotten = session.phase is Phase.LOBBY and all(one >= ABSENT_AFTER for one in idle.values())
    return Presence(lived, count, absent, quiet, notices, host_away, forgotten, slow)


def may_be_away(session: Session, lived: int) -> bool:
    """Return whether anybody could count as away now. `lived`: ms of the table's life.

    In play, only time in the current phase counts.
    """
    return session.phase in (Phase.LOBBY, Phase.READY) or _waited(session, lived) >= ABSENT_AFTER


def _waited(session: Session, lived: int) -> float:
    """Return the seconds of the current phase."""
    return (lived - session.since) / 1000


def _is_needed(session: Session, seat: Seat) -> bool:
    """Return whether the others wait for a press of this seat."""
    if session.phase is Phase.READY:
        return seat in session.awaited
    return session.phase in (Phase.COUNT, Phase.LIVE) and session.dealt_in(seat)
