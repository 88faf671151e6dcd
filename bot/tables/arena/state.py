"""An arena as a frozen value, the sum of its events: `apply` adds one more."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import assert_never

from bot.ids import MessageId, UserId
from bot.tables.arena import events as e
from bot.tables.arena.points import Result, Tally, result_of, tally
from bot.tables.state.journal import TableId
from bot.tables.state.session import NOBODY

MET = 2
"""Rounds for which it is remembered whom somebody met."""


class Status(StrEnum):
    """The occupation of somebody in an arena: they rest, wait for a table, sit at one, or left."""

    RESTING = "resting"
    FREE = "free"
    SEATED = "seated"
    OUT = "out"


MOVED: Mapping[type[e.Event], Status] = {
    e.Freed: Status.FREE,
    e.Rested: Status.RESTING,
    e.WalkedOut: Status.RESTING,
    e.Left: Status.OUT,
}
"""The status of somebody after an event that is about them alone."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in an arena. `since`: since when they do what they do, in ms of its life.

    `number`: the table at which they sit; `last`: the last one at which they sat, 0 before it.
    `met`: the others at their last tables, the newest last. `was_away`: their last round went on
    without them since they were away.
    """

    user: UserId
    name: str
    status: Status
    since: int
    number: int | None = None
    last: int = 0
    met: tuple[frozenset[UserId], ...] = ()
    was_away: bool = False


@dataclass(frozen=True)
class Arena:
    """The state of an arena.

    `lived`: ms of its life up to the last event; time in which the bot was down is no part of it
    (`away`: how much that was). `running`: the people of each table whose round is not over.
    `results`: in the order in which the rounds ended. `stopped`: why no more tables begin.
    """

    opened: e.Opened
    at: int
    lived: int = 0
    message: MessageId | None = None
    members: Mapping[UserId, Member] = field(default_factory=dict)
    running: Mapping[int, tuple[UserId, ...]] = field(default_factory=dict)
    last: int = 0
    results: tuple[Result, ...] = ()
    tables: Mapping[TableId, int] = field(default_factory=dict)
    closest: e.Closest | None = None
    away: int = 0
    stopped: str | None = None
    stopped_at: int = 0
    is_over: bool = False
    quiet_since: int = 0

    @property
    def length(self) -> int:
        """The ms of its life until no more tables begin."""
        return self.opened.minutes * 60_000

    @cached_property
    def secret(self) -> bytes:
        return bytes.fromhex(self.opened.secret)

    @cached_property
    def tallies(self) -> Mapping[UserId, Tally]:
        return tally(self.results)

    def tally(self, user: UserId) -> Tally:
        return self.tallies.get(user, Tally())

    @cached_property
    def standing(self) -> tuple[tuple[int, Member, Tally], ...]:
        """Everybody with their place, the best first, and those without a round last."""
        there = [(member, self.tally(member.user)) for member in self.members.values()]
        there.sort(key=lambda one: (-one[1].points, -one[1].wins, not one[1].rounds, one[1].rounds))
        totals = [one.points for _, one in there]
        return tuple((1 + totals.index(one.points), member, one) for member, one in there)

    def place_of(self, user: UserId) -> int | None:
        return next((place for place, one, _ in self.standing if one.user == user), None)

    @cached_property
    def free(self) -> tuple[Member, ...]:
        """The people who wait for a table, the longest first."""
        waiting = (one for one in self.members.values() if one.status is Status.FREE)
        return tuple(sorted(waiting, key=lambda one: one.since))

    @cached_property
    def active(self) -> int:
        """The number of people who are in it and have not left."""
        return sum(one.status is not Status.OUT for one in self.members.values())


def begin(opened: e.Opened, at: int) -> Arena:
    """Return the arena that this event opens. `at`: Unix ms."""
    return Arena(opened, at)


def apply(arena: Arena, event: e.Event, at: int, lived: int) -> Arena:
    """Return the arena after one more event. `at`: Unix ms; `lived`: ms of its life.

    Somebody who is not in it (any more) is passed over. Raises ValueError for `Opened`.
    """
    arena = replace(arena, at=max(at, arena.at), lived=max(lived, arena.lived))
    match event:
        case e.Published(message):
            return arena if arena.message is not None else replace(arena, message=message)
        case e.Joined(user, name):
            return _joined(arena, user, name)
        case e.Freed() | e.Rested() | e.Left() | e.WalkedOut() | e.Forgotten():
            return _moved(arena, event)
        case e.Paired() | e.Unpaired() | e.Scored() | e.Voided():
            return _of_table(arena, event)
        case e.CameBack(away):
            return replace(arena, away=arena.away + away)
        case e.Stopped(reason):
            return replace(arena, stopped=reason, stopped_at=arena.lived)
        case e.Ended():
            return replace(arena, is_over=True)
        case e.Opened():
            raise ValueError("an arena is opened once, by begin")
        case _:
            assert_never(event)


def _joined(arena: Arena, user: UserId, name: str) -> Arena:
    if user == NOBODY:  # stored for somebody who was forgotten
        return arena
    known = arena.members.get(user, Member(user, name, Status.OUT, 0))
    after = replace(known, name=name, status=Status.FREE, since=arena.lived, number=None)
    return replace(arena, members={**arena.members, user: after}, quiet_since=arena.lived)


def _moved(arena: Arena, event: e.Freed | e.Rested | e.Left | e.WalkedOut | e.Forgotten) -> Arena:
    member = arena.members.get(event.user)
    if isinstance(event, e.Forgotten):
        return _without(arena, event.user)
    if member is None:
        return arena
    if isinstance(event, e.WalkedOut) and member.number != event.number:
        return arena
    after = replace(member, status=MOVED[type(event)], since=arena.lived, number=None)
    if isinstance(event, e.WalkedOut):
        after = replace(after, was_away=event.away)
    quiet_since = arena.lived if isinstance(event, e.Freed | e.WalkedOut) else arena.quiet_since
    members = {**arena.members, member.user: after}
    return replace(arena, members=members, quiet_since=quiet_since)


def _of_table(arena: Arena, event: e.Paired | e.Unpaired | e.Scored | e.Voided) -> Arena:
    number, lived = event.number, arena.lived
    match event:
        case e.Paired(users=users):
            running = {**arena.running, number: users}
            seated = {**arena.members, **_seated(arena, number, users)}
            return replace(arena, members=seated, running=running, last=number, quiet_since=lived)
        case e.Unpaired():
            risen = _rising(arena, number, Status.FREE)
            return replace(arena, members=risen, running=_less(arena, number))
        case e.Scored():
            result = result_of(event)
            return replace(
                arena,
                members=_rising(arena, number, Status.RESTING),
                running=_less(arena, number),
                results=(*arena.results, result),
                tables={**arena.tables, event.table: number},
                closest=_closer(arena.closest, event.closest),
                quiet_since=lived,
            )
        case e.Voided():
            results = tuple(
                replace(one, counts=False) if one.number == number else one for one in arena.results
            )
            return replace(arena, results=results)


def _seated(arena: Arena, number: int, users: tuple[UserId, ...]) -> Mapping[UserId, Member]:
    """Return these people as they sit at a table, with those whom they meet there."""
    return {
        user: replace(
            arena.members[user],
            status=Status.SEATED,
            since=arena.lived,
            number=number,
            last=number,
            met=(*arena.members[user].met, frozenset(users) - {user})[-MET:],
        )
        for user in users
        if user in arena.members
    }


def _rising(arena: Arena, number: int, status: Status) -> Mapping[UserId, Member]:
    """Return the members after those at this table have risen from it."""
    return {
        user: replace(one, status=status, since=arena.lived, number=None)
        if one.number == number
        else one
        for user, one in arena.members.items()
    }


def _less(arena: Arena, number: int) -> Mapping[int, tuple[UserId, ...]]:
    return {one: users for one, users in arena.running.items() if one != number}


def _closer(known: e.Closest | None, new: e.Closest | None) -> e.Closest | None:
    both = [one for one in (known, new) if one is not None and NOBODY not in (one.first, one.late)]
    return min(both, key=lambda one: one.ms, default=None)


def _without(arena: Arena, user: UserId) -> Arena:
    """Return the arena without this person. `NOBODY` has their places in its rounds."""
    members = {one: member for one, member in arena.members.items() if one != user}
    results = tuple(
        replace(one, users=tuple(NOBODY if other == user else other for other in one.users))
        for one in arena.results
    )
    known = arena.closest
    is_theirs = known is not None and user in (known.first, known.late)
    return replace(arena, members=members, results=results, closest=None if is_theirs else known)
