"""Reasons for which a process may not be its group."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from bot.groups.layout import Layout, in_short
from bot.groups.lease.own_group import OwnGroup


class GroupError(Exception):
    """Raised where a process may not be its group. The message says why, and what to do."""


class GroupAwayError(GroupError):
    """It may not be its group now, but a later start may succeed without any change."""


class GroupLostError(GroupError):
    """The group was started elsewhere while this process ran."""


class Why(Enum):
    """The reason for which a lease was refused.

    `COUNT`: another group runs with another number of shards. `SHARDS`: one runs with shards of
    ours. `TWICE`: our number is another database's as well. `NEWER`: the group has been started
    since. `HELD`: somebody else holds it. `UNRELEASED`: nobody holds it, but somebody else did last
    and hasn't stopped in order, or this file is older than the one that was used last.
    """

    COUNT = auto()
    SHARDS = auto()
    TWICE = auto()
    NEWER = auto()
    HELD = auto()
    UNRELEASED = auto()


ELSEWHERE = frozenset({Why.NEWER, Why.HELD, Why.UNRELEASED})
"""Reasons that name another holder of the group."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A lease that was refused, and the reason as a line for the operator."""

    why: Why
    said: str


def other_count(group: int, theirs: int, ours: int) -> Refused:
    return Refused(
        Why.COUNT,
        f"SHARD_COUNT: group {group} runs with {theirs}, and this process has {ours}: "
        "give all groups the same number, or stop them all before you change it",
    )


def same_shards(group: int, shards: Iterable[int]) -> Refused:
    return Refused(
        Why.SHARDS,
        f"SHARD_IDS: group {group} already runs shards {in_short(shards)}: "
        "give each shard to one group only",
    )


def given_twice(group: int) -> Refused:
    return Refused(
        Why.TWICE,
        f"group {group}: this number was also given to another database, since Valkey had lost its "
        "data. This database gets a new one at its start",
    )


def newer(group: int, theirs: int, ours: int) -> Refused:
    return Refused(
        Why.NEWER,
        f"group {group} was started elsewhere (start {theirs}, this was start {ours}), "
        "so this process has stopped",
    )


def held(group: int) -> Refused:
    return Refused(
        Why.HELD,
        f"group {group} is running elsewhere, with another copy of this database: stop it there "
        "before you start it here",
    )


def unreleased(group: int) -> Refused:
    return Refused(
        Why.UNRELEASED,
        f"group {group} last ran elsewhere, and this copy of its database may lack what was played "
        "since. Start it there again; or, if that machine is lost, here with --take-over",
    )


def other_servers(database: Path, servers: int, shards: Iterable[int], count: int) -> GroupError:
    return GroupError(
        f"SHARD_IDS: with SHARD_COUNT={count}, {database} has servers of shards {in_short(shards)} "
        f"({servers} in all), which this group does not have. If SHARD_COUNT and SHARD_IDS are "
        "right, set DATABASE_PATH to this group's own file, or split it with the command split"
    )


def new_database(database: Path, group: int, shards: Iterable[int], servers: int) -> GroupError:
    """Return the error for a file that was no group yet. `servers`: how many it has."""
    if servers:
        return GroupError(
            f"DATABASE_PATH: {database} has servers ({servers} in all), but has not run as a group "
            f"yet, and group {group} last had shards {in_short(shards)}. Set it to the database of "
            "that group; or, if that one began with an empty file by mistake, begin with this one "
            "with --take-over"
        )
    return GroupError(
        f"DATABASE_PATH: {database} is new, but group {group} last had shards {in_short(shards)}. "
        "Set it to the database of that group; or, if that is lost, begin without it with "
        "--take-over"
    )


def others_shards(database: Path, group: int, shards: Iterable[int]) -> GroupError:
    return GroupError(
        f"SHARD_IDS: {database} never had shards {in_short(shards)}, and group {group} had them "
        "last: its database has their servers. Merge the two with the command merge; or, if that "
        "one is lost, begin without it with --take-over"
    )


def left_behind(database: Path, group: int, shards: Iterable[int]) -> GroupError:
    return GroupError(
        f"DATABASE_PATH: group {group} has had shards {in_short(shards)} since {database} was last "
        "used: what was played then is in the database of that group. Set it to that one; or, if "
        "that one no longer counts, start this one with --take-over"
    )


def one_of_several(database: Path, own: OwnGroup | None, part: Layout) -> GroupError | None:
    """Return the error for a start as one process; None if the file isn't one of several.

    `part`: the shards whose servers it has, as far as is known.
    """
    if own is not None and own.holder:
        what = f"is the database of group {own.number}"
    elif part.count is not None:
        what = f"has only {part}" if part.ids else "has no servers"
    else:
        return None
    return GroupError(
        f"{database} {what}, and this bot would be one process: set SHARD_COUNT, SHARD_IDS and "
        "VALKEY_URL. To have one process again, merge the databases of all groups with the command "
        "merge; or, if this one has every server, start it once with --take-over"
    )


def valkey_needed(group: int | None) -> GroupAwayError:
    """Return the error for a group that ran elsewhere; None if it never ran."""
    if group is None:
        return GroupAwayError(
            "VALKEY_URL: Valkey cannot be reached, and the first start of a group needs it"
        )
    return GroupAwayError(
        f"VALKEY_URL: Valkey cannot be reached. Group {group} last ran elsewhere, so only Valkey "
        "knows whether it may start here"
    )


def unusable(why: str) -> GroupError:
    return GroupError(f"VALKEY_URL: Valkey cannot be used: {why}")
