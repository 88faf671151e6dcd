"""A group that goes on elsewhere: after a kill with a replica, and after a stop with its file."""

import asyncio
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.fakediscord import Channel, Interaction, Server, User
from tests.bench.figures import Row
from tests.groups.proof.fleet import Member
from tests.groups.proof.play import Play, all_accepted
from tests.groups.proof.replica import Replica
from tests.real import PATIENCE

OFTEN = 0.1
"""Seconds between two presses of somebody who wants to know whether a table is back."""


@dataclass(frozen=True, slots=True)
class Loss:
    """`lost`: answered moves that the replica didn't have. `seconds`: the age of the oldest one."""

    lost: int
    seconds: float
    is_whole: bool


async def killed(play: Play, member: Member, folder: Path, seconds: float, times: int) -> list[Row]:
    """SIGKILL right after an answered move, and a start elsewhere with what was replicated.

    So many times, after so many seconds of play each.
    """
    losses, kept, took = list[Loss](), 0, 0.0
    for number in range(times):
        replica = Replica(folder / f"replica{number}")
        await replica.follow(member.process.database)
        await asyncio.sleep(seconds)
        loss, found, ready = await _killed_once(play, member, replica)
        losses.append(loss)
        kept, took = found, max(took, ready)
    lost, seen = sum(one.lost for one in losses), sum(one.lost > 0 for one in losses)
    oldest = max(one.seconds for one in losses)
    return [
        Row(
            f"a group killed with SIGKILL {times} times, each time on a replica elsewhere",
            "no replicated move lost",
            f"{kept:,} accepted presses are there in their order; ready after {took:.1f} s at most",
            kept > 0 and all(one.is_whole for one in losses),
        ),
        Row(
            "answered moves lost with it",
            "",
            f"{lost} in {seen} of {times} kills: those of the last {oldest:.1f} s at most",
        ),
    ]


async def _killed_once(play: Play, member: Member, replica: Replica) -> tuple[Loss, int, float]:
    """Return what was lost, the accepted presses that are there, and the seconds until ready."""
    old = member.process
    await play.next_move(member)
    await old.kill()
    at = time.perf_counter()
    await replica.kill()
    member.process = play.fleet.elsewhere(member, f"{old.database.parent.name}-again")
    await replica.restore(member.process.database)
    kept = all_accepted(member.process.database)
    await member.process.run("--take-over")
    took = time.perf_counter() - at
    return _loss(play, all_accepted(old.database), kept, at), len(kept), took


def _loss(play: Play, written: Sequence[int], kept: Sequence[int], at: float) -> Loss:
    """Compare what the dead process has written with what the replica has."""
    lost = {*written[len(kept) :]}
    answered = [
        one.called_back_at
        for one in play.presses()
        if one.id in lost and one.called_back_at is not None and one.called_back_at < at
    ]
    is_whole = list(written[: len(kept)]) == list(kept)
    return Loss(len(answered), at - min(answered, default=at), is_whole)


async def moved(play: Play, member: Member, soon: float | None) -> Row:
    """SIGTERM here, and a start there with the same file. `soon`: seconds in which it is back."""
    fleet, old = play.fleet, member.process
    began = time.perf_counter()
    assert await old.stop() == 0
    member.process = fleet.elsewhere(member, f"{old.database.parent.name}-moved")
    _ = await asyncio.to_thread(shutil.copyfile, old.database, member.process.database)
    await member.process.begin()
    first, last = [at - began for at in await _back(play, member)]
    written, kept = all_accepted(old.database), all_accepted(member.process.database)
    lost = _unwritten(play, member, written, began)
    is_whole = kept[: len(written)] == written and not lost
    return Row(
        "a group stopped here and started there",
        "every answered move is there" + (f", back within {soon:.0f} s" if soon else ""),
        f"its first table is back after {first:.1f} s, its last one after {last:.1f} s; "
        f"{len(written):,} accepted presses are there, {lost} are not",
        is_whole and (soon is None or last <= soon),
    )


def _unwritten(play: Play, member: Member, written: Sequence[int], until: float) -> int:
    """Count the moves that were shown to be accepted before the stop, and aren't in the file."""
    known = {*written}
    return sum(
        one.id not in known and one.id in play.shown
        for one in play.presses(member)
        if one.called_back_at is not None and one.called_back_at < until
    )


async def _back(play: Play, member: Member) -> tuple[float, float]:
    """Return when a press at the first of its tables is answered, and one at the last."""
    channels = {one.id: one for one in play.homes.values() if play.fleet.owner(one) is member}
    async with asyncio.timeout(PATIENCE):
        found = await asyncio.gather(*(_answered(play, one) for one in channels.values()))
    return min(found), max(found)


async def _answered(play: Play, channel: Channel) -> float:
    """Have a visitor press again and again, until a press is answered. Return when it was.

    Players would wait for the end of each press first.
    """
    discord = play.fleet.discord
    visitor = discord.user(f"visitor{channel.id}")
    play.homes[visitor.id] = channel
    pressed = list[Interaction]()
    while not (answered := [at for one in pressed if (at := one.called_back_at) is not None]):
        pressed.append(_look(discord, visitor, channel))
        await asyncio.sleep(OFTEN)
    return min(answered)


def _look(discord: Server, visitor: User, channel: Channel) -> Interaction:
    """Have them ask for the cards, or for whatever there is once a match has ended."""
    message = next(one for one in reversed(discord.public(channel)) if one.controls)
    buttons = [one for one in message.controls if one.custom_id]
    cards = [one for one in buttons if (one.label or "").startswith("My ")]
    return discord.click(visitor, message, (cards or buttons)[0].custom_id)
