"""Decisions in an arena: a press or time becomes events, or a refusal. Pure functions."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.tables.arena import events as e
from bot.tables.arena.state import Arena, Status
from bot.tables.decisions.arena_rounds import uncounted
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.text import SILENT, Text

MOST = 100
"""The most people in an arena."""
WAITS_FOR = 10 * 60_000
"""Ms for which somebody who is free stays so: their panel's token lives for 15 minutes."""
RESTS_FOR = 20 * 60_000
"""Ms after which somebody who rests has left, and makes room."""
EMPTY_FOR = 10 * 60_000
"""Ms without a table, and without a press, after which an arena ends."""
WIND_UP = 5 * 60_000
"""Ms for which rounds go on after the end of an arena's time."""
LONGEST_AWAY = 30 * 60_000
"""Ms that the bot may be away; an arena that stood still for longer is over."""


class ArenaRefusal(StrEnum):
    """The reason a press in an arena is refused. The value is the key of its words."""

    OVER = "arena.refused.over"
    STOPPED = "arena.refused.stopped"
    FULL = "arena.refused.full"
    SLOW = "arena.refused.slow"
    NOT_IN = "arena.refused.not_in"
    NOT_YOURS = "arena.refused.not_yours"
    SEATED = "arena.refused.seated"


@dataclass(frozen=True, slots=True)
class Done:
    """An accepted press: the events it writes, and the words for it on the panel."""

    events: tuple[e.Event, ...]
    said: Text


Decision: TypeAlias = Done | Refused
Ask: TypeAlias = Callable[[Arena, int], Decision]
"""A request of an arena as it is at its turn, and the ms that it has lived by then."""

NOTHING = Done((), SILENT)


NOT_IN = Refused(ArenaRefusal.NOT_IN, (("button", Text("button.join")),))


def join(arena: Arena, user: UserId, name: str, room: int) -> Decision:
    """Join, or come back, or want the next round. `room`: the people that its channel takes.

    Once no new rounds begin, whoever is in it is shown their panel.
    """
    if (refused := _closed(arena)) is not None:
        is_there = user in arena.members and not arena.is_over
        return look(arena, user) if is_there else refused
    known = arena.members.get(user)
    if known is not None and known.status in (Status.FREE, Status.SEATED):
        return Done((), SILENT)
    if known is not None and known.status is Status.RESTING:
        return Done((e.Freed(user),), SILENT)
    if arena.active >= min(room, MOST):
        why = ArenaRefusal.SLOW if room < MOST else ArenaRefusal.FULL
        return Refused(why, (("n", min(room, MOST)),))
    return Done((e.Joined(user, name),), SILENT)


def leave(arena: Arena, user: UserId) -> Decision:
    """Leave the arena between two rounds. A round is left at its table."""
    known = arena.members.get(user)
    if known is None or known.status is Status.OUT:
        return NOT_IN
    if known.status is Status.SEATED:
        return Refused(ArenaRefusal.SEATED)
    return Done((e.Left(user),), Text("arena.you_left"))


def look(arena: Arena, user: UserId) -> Decision:
    """Look at one's panel."""
    return Done((), SILENT) if user in arena.members else NOT_IN


def stop(arena: Arena, user: UserId) -> Decision:
    """Let the arena end as its host: no more tables begin."""
    if user != arena.opened.host:
        return Refused(ArenaRefusal.NOT_YOURS)
    if (refused := _closed(arena)) is not None:
        return refused
    return Done((e.Stopped("arena.stopped.host"), *_end(arena)), Text("arena.you_stopped"))


def close(arena: Arena, reason: str) -> Decision:
    """End an arena at once, as it stands: from outside, or since its rounds last for too long."""
    if arena.is_over:
        return NOTHING
    stopped = () if arena.stopped is not None else (e.Stopped(reason),)
    return Done((*stopped, e.Ended()), Text(reason))


def forget(arena: Arena, user: UserId) -> Decision:
    if user not in arena.members and all(user not in one.users for one in arena.results):
        return NOTHING
    return Done((e.Forgotten(user),), Text("arena.you_left"))


def came_back(arena: Arena, now: int) -> Decision:
    """Go on after a restart: the time that the bot was away is no part of the arena's.

    `now`: Unix ms.
    """
    away = max(0, now - arena.at)
    back = e.CameBack(away)
    if away > LONGEST_AWAY and arena.stopped is None:
        return Done((back, e.Stopped("arena.stopped.away")), NOTHING.said)
    return Done((back,), NOTHING.said)


def due(arena: Arena, lived: int) -> Decision:
    """Decide what time asks for. `lived`: ms of the arena's life."""
    if arena.is_over:
        return NOTHING
    if arena.stopped is not None:
        is_long = lived - arena.stopped_at >= WIND_UP
        return Done((e.Ended(),), NOTHING.said) if is_long or not arena.running else NOTHING
    if lived >= arena.length:
        return Done((e.Stopped("arena.stopped.time"), *_end(arena)), NOTHING.said)
    if not arena.running and lived - arena.quiet_since >= EMPTY_FOR:
        return Done((e.Stopped("arena.stopped.empty"), e.Ended()), NOTHING.said)
    return Done((*_tired(arena, lived),), NOTHING.said)


def _end(arena: Arena) -> tuple[e.Event, ...]:
    """End it at once if no round goes on."""
    return () if arena.running else (e.Ended(),)


def _tired(arena: Arena, lived: int) -> tuple[e.Event, ...]:
    """Let those rest who have waited for long, and those leave who have rested for long."""
    found: list[e.Event] = []
    for one in arena.members.values():
        for_so_long = lived - one.since
        if one.status is Status.FREE and for_so_long >= WAITS_FOR:
            found.append(e.Rested(one.user))
        elif one.status is Status.RESTING and for_so_long >= RESTS_FOR:
            found.append(e.Left(one.user))
    return tuple(found)


def of_table(arena: Arena, number: int, table: TableId, session: Session) -> Decision:
    """Take note of a table: who has left its round, and its result once it is over."""
    users = arena.running.get(number)
    if users is None:
        return NOTHING
    if session.phase in (Phase.OVER, Phase.CLOSED):
        if not session.round:
            return Done((e.Unpaired(number),), NOTHING.said)
        scored = _scored(number, table, session)
        ends = arena.stopped is not None and len(arena.running) == 1
        return Done((scored, *((e.Ended(),) if ends else ())), NOTHING.said)
    gone = [(chair.user, chair.away) for chair in session.chairs if chair.left and chair.user]
    seated = {one.user for one in arena.members.values() if one.number == number}
    walked = (e.WalkedOut(number, one, away) for one, away in gone if one in seated)
    return Done(tuple(walked), NOTHING.said)


def _scored(number: int, table: TableId, session: Session) -> e.Scored:
    """Return the result of a table whose match is over.

    A round counts if it was played out, or if all but one have left it once it was under way: then
    that one is first.
    """
    people = [(Seat(i), chair.user) for i, chair in enumerate(session.chairs) if chair.user]
    why = uncounted(session)
    return e.Scored(
        number,
        table,
        tuple(user for _, user in people),
        tuple(session.places[seat] for seat, _ in people),
        tuple(session.totals[seat] for seat, _ in people),
        why is None,
        _closest(session, dict(people)) if why is None and session.history else None,
        tuple(user for seat, user in people if session.chairs[seat].left),
        tuple(user for seat, user in people if session.chairs[seat].away),
        None if why is None else why.value,
    )


def _closest(session: Session, people: dict[Seat, UserId]) -> e.Closest | None:
    found = session.history[-1].ended.closest
    if found is None:
        return None
    return e.Closest(people[Seat(found.first)], people[Seat(found.late)], found.ms)


def _closed(arena: Arena) -> Refused | None:
    if arena.is_over:
        return Refused(ArenaRefusal.OVER)
    return None if arena.stopped is None else Refused(ArenaRefusal.STOPPED)
