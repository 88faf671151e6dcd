"""What goes wrong while people play, and what they notice of it."""

import asyncio
import time

from tests.bench.figures import Row, share
from tests.groups.proof.fleet import Fleet, Member
from tests.groups.proof.play import Play

MISSED, FOUND = "Valkey cannot be reached", "Valkey can be reached again"
AGAIN = "Press again"
AFTERWARDS = 8.0
"""Seconds after a trouble in which every group has asked Valkey again."""
ANSWERED = 3.5
"""Seconds after which a press is answered, or never."""


async def valkey_killed(play: Play, seconds: float) -> Row:
    """Valkey is killed, and started again on the same port, empty."""
    fleet, began = play.fleet, time.perf_counter()
    before = _counts(fleet.members)
    fleet.valkey.kill()
    await asyncio.sleep(seconds)
    await fleet.valkey.start()
    await asyncio.sleep(AFTERWARDS)
    missed, found = _noticed(fleet.members, before)
    return await _row(
        play,
        f"Valkey killed, and started again {seconds:.0f} s later",
        None,
        began,
        f"missed by {missed} groups and found by {found}",
        is_noted=found == len(fleet.members),
    )


async def cut_off(play: Play, member: Member, seconds: float) -> Row:
    """Nothing gets through between one group and Valkey."""
    began, before = time.perf_counter(), _counts([member])
    member.proxy.cut()
    await asyncio.sleep(seconds)
    member.proxy.mend()
    await asyncio.sleep(AFTERWARDS)
    missed, found = _noticed([member], before)
    return await _row(
        play,
        f"a group cut off from Valkey for {seconds:.0f} s",
        member,
        began,
        f"missed {missed} times and found {found}",
        is_noted=found >= 1,
    )


async def started_twice(fleet: Fleet, member: Member) -> Row:
    """A second process with the shards of one that runs."""
    code, said = await fleet.elsewhere(member, "second").refused()
    return Row(
        "two groups started with the same shards",
        "the second refuses",
        f"exit code {code}: {said}",
        code == 2 and "already runs shards" in said,
    )


async def _row(
    play: Play, what: str, member: Member | None, began: float, noticed: str, *, is_noted: bool
) -> Row:
    ended = time.perf_counter()
    await asyncio.sleep(ANSWERED)
    pressed = [one for one in play.presses(member, began) if one.created <= ended]
    silent = sum(not one.ok for one in pressed)
    again = [one for one in pressed if one.original is not None and AGAIN in one.original.text]
    in_servers = [one for one in again if one.channel.guild_id is not None]
    late = 1000 * share([one.latency or 0.0 for one in pressed] or [0.0], 0.99)
    return Row(
        what,
        "nobody notices but the log, and direct messages of other groups",
        f"{len(pressed):,} presses, {silent} unanswered, p99 {late:.0f} ms; "
        f"{len(again)} in direct messages were told to press again; {noticed}",
        bool(pressed) and silent == 0 and not in_servers and is_noted,
    )


def _counts(members: list[Member]) -> list[tuple[int, int]]:
    return [(one.process.output.count(MISSED), one.process.output.count(FOUND)) for one in members]


def _noticed(members: list[Member], before: list[tuple[int, int]]) -> tuple[int, int]:
    """How many of them have missed Valkey since then, and how many have found it again."""
    now = _counts(members)
    rows = list(zip(now, before, strict=True))
    return (
        sum(after[0] > ago[0] for after, ago in rows),
        sum(after[1] > ago[1] for after, ago in rows),
    )
