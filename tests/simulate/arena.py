"""`python -m tests.simulate.arena`: an arena of very many people, and what they waited for.

Everybody plays what fits at a human pace, asks for the next round after some seconds, and now and
then vanishes, leaves a round or comes back. Four others play at an ordinary table in another
channel. The bot may be killed in the middle.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest

from bot.clock import Bell
from bot.fakediscord import Message, Server
from bot.store.arenas.arenas import KINDS
from bot.tables.arena import events as e
from bot.tables.arena.state import MET, Arena, Status, apply, begin
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.limits.urgency import Claim, Worth
from tests.loopback.players import Player, labels
from tests.simulate.beside import Beside, percentile
from tests.simulate.loop import VirtualLoop
from tests.stories.world import World, running

TEA, VANISHES = 0.03, 0.0005
"""How often somebody rests between two rounds, and vanishes in one, per press."""
NEXT, JOIN, READY = "Next round", "Join", "Ready"
ROUND_OVER = 6 * 60.0
"""Seconds after the end of an arena in which its last rounds are over."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An arena. `calls`: how many a minute its channel takes; None for no limit but tokens' own.

    `kill_at`: the second at which the bot is killed; `down`: for how many seconds. `is_alone`:
    nobody plays at a table beside it.
    """

    people: int = 100
    minutes: int = 30
    seats: int = 4
    game: str = "ligretto"
    seed: int = 1
    calls: int | None = None
    kill_at: float | None = None
    down: float = 60.0
    pace: float = 2.0
    is_alone: bool = False


@dataclass(slots=True)
class Report:
    """What people have seen. All times in seconds.

    `gaps`: from the end of somebody's round to their next cards; `presses`: from a press in a round
    to its answer; `beside`: the same at the ordinary table. `held`: how long pushes to panels of
    the arena had to wait for their turn; `deals`: those that brought cards, from the last time that
    there were none to bring. `thrice`:
    tables at which somebody met the same people for the third time in a row although others were
    free. `turned_away`: presses on Join for which there was no room.
    """

    gaps: list[float] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    deals: list[float] = field(default_factory=list)
    unanswered: int = 0
    thrice: int = 0
    rounds: int = 0
    sizes: list[int] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    turned_away: int = 0
    lost: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = (
            f"rounds {self.rounds}, people at a table {_mean(self.sizes):.2f}",
            f"between two rounds {_times(self.gaps)}",
            f"presses {_times(self.presses)}",
            f"presses at an ordinary table beside it {_times(self.beside)}",
            f"pushes held {_times(self.held)}, of these cards {_times(self.deals)}",
            f"unanswered {self.unanswered}, turned away {self.turned_away}",
            f"the same people thrice although others were free: {self.thrice}",
            f"refused by Discord: {self.refused or 'nothing'}",
            f"lost: {self.lost or 'nothing'}; said: {self.log or 'nothing'}",
        )
        return "\n".join(lines)


def _times(seconds: Sequence[float]) -> str:
    """Say how many there were, and how long they took."""
    shares = ((0.5, "median"), (0.9, "90 %"), (0.99, "99 %"), (1.0, "longest"))
    told = ", ".join(f"{what} {percentile(seconds, share):.3f} s" for share, what in shares)
    return f"{len(seconds)}: {told}"


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


@dataclass(slots=True)
class Crowd:
    """The people of one arena. `is_down`: the bot is; nobody presses then."""

    world: World
    plan: Plan
    chance: random.Random
    report: Report
    is_down: bool = False
    is_over: Callable[[], bool] = lambda: False

    async def sit(self, player: Player) -> None:
        """Join at some time in the first tenth of the arena, and play until it is over."""
        await asyncio.sleep(self.chance.uniform(1, 6 * self.plan.minutes))
        ended: float | None = None
        while not self.is_over():
            if self.is_down:
                await asyncio.sleep(5)
            elif is_dealt(player):
                ended = self._dealt(player, ended)
                await self._in_round(player)
                await asyncio.sleep(self._pause(self.plan.pace))
            elif NEXT in labels_of(player):
                ended = asyncio.get_running_loop().time() if ended is None else ended
                ended = await self._asks(player, ended)
            elif not labels_of(player) & {"Leave arena", "Leave round"}:
                await self._join(player)
                await asyncio.sleep(self._pause(4))
            else:
                await asyncio.sleep(1)

    def _dealt(self, player: Player, ended: float | None) -> float | None:
        """Note how long somebody has waited for the cards that they have now."""
        if ended is None or player.choose() is None:
            return ended
        self.report.gaps.append(asyncio.get_running_loop().time() - ended)
        return None

    async def _asks(self, player: Player, ended: float) -> float | None:
        """Ask for the next round after some seconds, or after a cup of tea, which isn't counted."""
        await asyncio.sleep(self.chance.uniform(1.5, 9))
        has_tea = self.chance.random() < TEA
        if has_tea:
            await asyncio.sleep(self.chance.uniform(60, 180))
        await self._press(player, NEXT)
        return None if has_tea else ended

    def _pause(self, mean: float) -> float:
        return mean * self.chance.uniform(0.5, 1.5)

    async def _join(self, player: Player) -> None:
        public = public_of(self.world)
        if public is None or JOIN not in labels(public):
            return
        answer = await self.world.server.click(player.user, public, label=JOIN, stale=True).wait()
        if answer.original is not None and "takes" in answer.original.text:
            self.report.turned_away += 1
            await asyncio.sleep(30)

    async def _in_round(self, player: Player) -> None:
        if READY in labels_of(player):
            await self._press(player, READY)
            return
        if self.chance.random() < VANISHES:
            await asyncio.sleep(self.chance.uniform(30, 240))
            return
        item, began = player.choose(), asyncio.get_running_loop().time()
        if item is None:
            return
        sent = self.world.server.click(player.user, player.panel, item.custom_id, stale=True)
        answer = await sent.wait()
        if answer.ok:
            self.report.presses.append(asyncio.get_running_loop().time() - began)
        elif not self.is_down:
            self.report.unanswered += 1

    async def _press(self, player: Player, label: str) -> None:
        panel = player.panel
        if label in labels(panel):
            _ = await self.world.server.click(player.user, panel, label=label, stale=True).wait()


def labels_of(player: Player) -> set[str]:
    return labels(player.panel) if player.panels else set()


def is_dealt(player: Player) -> bool:
    """Whether somebody's panel is that of a table."""
    if not player.panels:
        return False
    return any((one.custom_id or "").startswith("lg1:") for one in player.panel.controls)


def public_of(world: World) -> Message | None:
    found = [one for one in world.server.public(world.channel) if one.controls]
    return found[-1] if found else None


async def evening(folder: Path, plan: Plan) -> Report:
    """Play one arena to its end, in simulated time."""
    report, chance = Report(), random.Random(plan.seed)
    async with running(folder, seed=plan.seed) as world:
        world.server.settings.webhook_calls = plan.calls
        if plan.calls is None:
            await world.knows_its_channel()
        host = world.person("host")
        options = {"minutes": plan.minutes, "seats": plan.seats, "game": plan.game}
        _ = await world.server.slash(host.user, world.channel, "arena", options).wait()
        crowd = Crowd(world, plan, chance, report)
        crowd.is_over = lambda: "Played:" in (public_of(world) or host.public).text
        people = [host, *(world.person(f"p{i}") for i in range(1, plan.people))]
        kept = Kept(world)
        async with asyncio.timeout(60 * plan.minutes + plan.down + ROUND_OVER):
            with _holds(report, world.channel.id):
                await _together(crowd, people, kept)
        _counted(report, kept, world.server)
        report.log = [line for line in world.said() if "not installed" not in line]
    return report


async def _together(crowd: Crowd, people: Sequence[Player], kept: "Kept") -> None:
    async with asyncio.TaskGroup() as watching:
        watches = watching.create_task(kept.watch(crowd))
        async with asyncio.TaskGroup() as together:
            for one in people:
                together.create_task(crowd.sit(one))
            if not crowd.plan.is_alone:
                together.create_task(_beside(crowd))
            if crowd.plan.kill_at is not None:
                together.create_task(_killed(crowd, crowd.plan.kill_at, crowd.plan.down))
        watches.cancel()


async def _beside(crowd: Crowd) -> None:
    plan, report = crowd.plan, crowd.report
    chance = random.Random(plan.seed + 1)
    table = Beside(
        crowd.world,
        plan.game,
        plan.pace,
        chance,
        crowd.is_over,
        lambda: crowd.is_down,
        report.beside,
    )
    await table.play()
    report.unanswered += table.unanswered


@contextmanager
def _holds(report: Report, channel: int) -> Iterator[None]:
    """Note how long pushes of a channel wait for their turn, unless they are called off."""
    take = Budget.take

    async def timed(
        self: Budget, where: CountedChannel, claim: Callable[[], Claim], bell: Bell | None = None
    ) -> Claim:
        now = asyncio.get_running_loop().time
        began = undealt = now()

        def watched() -> Claim:
            nonlocal undealt
            asked = claim()
            if asked.worth is not Worth.DEAL:
                undealt = now()
            return asked

        granted = await take(self, where, watched, bell)
        if where.channel == channel and (worth := claim().worth) is not Worth.NOTHING:
            report.held.append(now() - began)
            if worth is Worth.DEAL:
                report.deals.append(now() - undealt)
        return granted

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(Budget, "take", timed)
        yield


async def _killed(crowd: Crowd, at: float, down: float) -> None:
    await asyncio.sleep(at)
    crowd.is_down = True
    crowd.world.bot.kill()
    await asyncio.sleep(down)
    await crowd.world.start()
    crowd.is_down = False


@dataclass(slots=True)
class Kept:
    """The arena's journal, read now and then, since it is deleted at the end."""

    world: World
    lines: list[tuple[int, int, str, str]] = field(default_factory=list)

    async def watch(self, crowd: Crowd) -> None:
        sql = "SELECT at, lived, kind, body FROM arena_journal WHERE seq >= ? ORDER BY seq"
        while True:
            await asyncio.sleep(1)
            if not crowd.is_down:
                self.lines += self.world.rows(sql, len(self.lines))


def _counted(report: Report, kept: Kept, server: Server) -> None:
    at, _, __, body = kept.lines[0]
    arena = begin(KINDS["Opened"].validate_json(body), at)
    for when, lived, kind, text in kept.lines[1:]:
        event = KINDS[kind].validate_json(text)
        if isinstance(event, e.Paired):
            report.sizes.append(len(event.users))
            report.thrice += _is_third(arena, event)
        arena = apply(arena, event, when, lived)
    rated = """
        SELECT count(*) FROM matches
        WHERE json_extract(options, '$.arena') IS NOT NULL AND json_array_length(rated_rounds) = 1
    """
    ((report.rounds,),) = kept.world.rows(rated)
    public = public_of(kept.world)
    if public is None or f"Played: {report.rounds} rounds" not in public.text:
        report.lost.append(f"not all of {report.rounds} rated rounds are in the standing")
    here = kept.world.channel.id
    sql = "SELECT id FROM tables WHERE closed = 0 AND channel = ?"
    if open_ := kept.world.rows(sql, here):
        report.lost.append(f"tables that never ended: {open_}")
    report.refused = dict(server.limiter.refused)


def _is_third(arena: Arena, paired: e.Paired) -> bool:
    """Whether somebody meets the same people for the third time although others are free."""
    others = [
        one.user
        for one in arena.members.values()
        if one.status is Status.FREE and one.user not in paired.users
    ]
    return bool(others) and any(
        len(arena.members[user].met) == MET
        and all(met == frozenset(paired.users) - {user} for met in arena.members[user].met)
        for user in paired.users
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one arena, and tell what came of it. 1 if a bound of docs/testing.md is not kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulate.arena", description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--game", default="ligretto")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, help="that the channel takes in a minute")
    parser.add_argument("--kill-at", type=float, help="second at which the bot is killed")
    given = parser.parse_args(arguments)
    plan = Plan(
        given.people,
        given.minutes,
        game=given.game,
        seed=given.seed,
        calls=given.calls,
        kill_at=given.kill_at,
    )
    report = played(plan)
    sys.stdout.write(f"{report}\n")
    return 0 if is_kept(report, is_limited=plan.calls is not None) else 1


def played(plan: Plan) -> Report:
    """Play one arena in a loop of its own."""
    with (
        TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: VirtualLoop(plan.seed)) as runner,
    ):
        return runner.run(evening(Path(folder), plan))


MOST_BETWEEN = 45.0
"""Seconds between two rounds at the median."""
SLOWER = 0.05
"""Seconds by which a press in a hundred may take longer than at an ordinary table."""


LESSONS = 3
"""Refusals by which a channel may show how many calls it takes, since no header tells it."""


def is_kept(report: Report, *, is_limited: bool = False) -> bool:
    """Return whether nobody waited too long, met the same people too often, or lost anything.

    `is_limited`: the channel takes only so many calls a minute.
    """
    refused = sum(report.refused.values()) > (LESSONS if is_limited else 0)
    wrong = refused or report.lost or report.unanswered or report.thrice
    presses, beside = percentile(report.presses, 0.99), percentile(report.beside, 0.99)
    is_slow = bool(report.beside) and presses > beside + SLOWER
    is_quick = bool(report.gaps) and median(report.gaps) <= MOST_BETWEEN and not is_slow
    return is_quick and not wrong


if __name__ == "__main__":
    sys.exit(main())
