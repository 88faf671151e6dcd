"""A group that goes on elsewhere: after a kill with a replica, and after a stop with its file."""

import asyncio
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.figures import Row
from tests.groups.proof.fleet import Member
from tests.groups.proof.play import Play, all_accepted
from tests.groups.proof.replica import Replica


@dataclass(frozen=True, slots=True)
class Loss:
    """`lost`: answered moves that the replica didn't have. `seconds`: the age of the oldest one."""

    lost: int
    seconds: float
    is_whole: bool


async def killed(play: Play, member: Member, replica: Replica, seconds: float) -> list[Row]:
    """SIGKILL, and a start on another machine with what was replicated until then."""
    fleet, old = play.fleet, member.process
    await asyncio.sleep(seconds)
    await old.kill()
    at = time.perf_counter()
    await replica.kill()
    member.process = fleet.elsewhere(member, f"{old.database.parent.name}-replicated")
    await replica.restore(member.process.database)
    kept = all_accepted(member.process.database)
    await member.process.run("--take-over")
    took = time.perf_counter() - at
    loss = _loss(play, all_accepted(old.database), kept, at)
    return [
        Row(
            "a group killed with SIGKILL, on a replica elsewhere",
            "no replicated move lost",
            f"{len(kept):,} accepted presses are there in their order, {loss.lost} are not; "
            f"ready after {took:.1f} s",
            loss.is_whole,
        ),
        Row("answered moves lost with it", "", f"the last {loss.seconds:.1f} s"),
    ]


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
    written = all_accepted(old.database)
    member.process = fleet.elsewhere(member, f"{old.database.parent.name}-moved")
    _ = await asyncio.to_thread(shutil.copyfile, old.database, member.process.database)
    await member.process.run()
    ready = time.perf_counter() - began
    answered = await _first_answer(play, member, began + ready) - began
    kept = all_accepted(member.process.database)
    lost = _unwritten(play, member, written, began)
    is_whole = kept[: len(written)] == written and not lost
    return Row(
        "a group stopped here and started there",
        "every answered move is there" + (f", back within {soon:.0f} s" if soon else ""),
        f"ready after {ready:.1f} s, the first press answered after {answered:.1f} s, "
        f"{len(written):,} accepted presses are there, {lost} are not",
        is_whole and (soon is None or answered <= soon),
    )


def _unwritten(play: Play, member: Member, written: Sequence[int], until: float) -> int:
    """Count the moves that were shown to be accepted before the stop, and aren't in the file."""
    known = {*written}
    return sum(
        one.id not in known and one.id in play.shown
        for one in play.presses(member)
        if one.called_back_at is not None and one.called_back_at < until
    )


async def _first_answer(play: Play, member: Member, since: float) -> float:
    """Wait until somebody at one of its tables is answered; when that was."""
    while True:
        times = [
            one.called_back_at for one in play.presses(member, since - 5.0) if one.called_back_at
        ]
        if later := [one for one in times if one >= since - 5.0]:
            return max(min(later), since)
        await asyncio.sleep(0.05)
