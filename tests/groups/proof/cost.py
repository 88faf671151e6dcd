"""A press on a group beside one on a bot of one process: processor time, in turns."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median

from bot.fakediscord import Channel, Server, Settings
from tests.bench.crowd import Crowd
from tests.bench.figures import Row, spread
from tests.bench.people import flippers, live_tables
from tests.groups.proof.fleet import REMEMBERED, Fleet
from tests.loopback.processes import BotProcess

log = logging.getLogger(__name__)
PEOPLE = 2
SETTLED = 8.0
"""Seconds after the last table has begun, in which its messages are drawn."""
MOST = 1.05


@dataclass(frozen=True, slots=True)
class Effort:
    """`rate`: presses a second on one process, for so many seconds a round."""

    tables: int
    rate: float
    seconds: float
    rounds: int
    later: float = 2.0


@dataclass(frozen=True, slots=True)
class Side:
    """One process, and everybody who presses on it."""

    name: str
    process: BotProcess
    crowd: Crowd

    async def round(self, effort: Effort) -> float:
        """Press at that rate, and return the processor time of a press in us. What the process
        does at that time anyway is a part of it, as what it puts off is.
        """
        count = int(effort.rate * effort.seconds)
        before = self.process.processor
        loop = asyncio.get_running_loop()
        began, presses = loop.time(), list[asyncio.Task[float]]()
        for number in range(count):
            await asyncio.sleep(began + number / effort.rate - loop.time())
            presses.append(loop.create_task(self.crowd.press()))
        await asyncio.gather(*presses)
        await asyncio.sleep(effort.later)
        return 1e6 * (self.process.processor - before) / count


async def cost(fleet: Fleet, effort: Effort) -> Row:
    """Rounds of one process and of each group in turn. Who begins a round is the last of the next.

    The one process has as many servers, tables and presses a second as each group.
    """
    size = len(fleet.discord.guilds) // len(fleet.members)
    async with _alone(fleet, size, effort) as alone:
        sides = [alone, *await _groups(fleet, effort)]
        figures: list[list[float]] = [[] for _ in sides]
        for number in range(-1, effort.rounds):  # the first is not measured
            for at in range(len(sides)):
                turn = (max(number, 0) + at) % len(sides)
                took = await sides[turn].round(effort)
                if number >= 0:
                    figures[turn].append(took)
            log.info("round %d of %d", number + 1, effort.rounds)
    one, groups = figures[0], [median(row) for row in zip(*figures[1:], strict=True)]
    by_round = [ours / theirs for ours, theirs in zip(groups, one, strict=True)]
    ratio = median(groups) / median(one)
    return Row(
        f"processor time of a press at {effort.rate:.0f} a second on each process",
        f"at most {MOST} x one process",
        f"{spread(groups)} us, one process {spread(one)} us: {ratio:.2f} x "
        f"[{min(by_round):.2f}..{max(by_round):.2f}]",
        ratio <= MOST,
    )


async def _groups(fleet: Fleet, effort: Effort) -> list[Side]:
    channels = [one.channels(fleet.discord, effort.tables) for one in fleet.members]
    every = [channel for row in channels for channel in row]
    crowds = await _crowds(fleet.discord, every, effort.tables)
    return [
        Side(str(member.layout), member.process, crowd)
        for member, crowd in zip(fleet.members, crowds, strict=True)
    ]


async def _crowds(server: Server, channels: Sequence[Channel], tables: int) -> list[Crowd]:
    people = await live_tables(server, len(channels), PEOPLE, channels)
    await asyncio.sleep(SETTLED)
    at = range(0, len(people), tables)
    return [Crowd(flippers(people[first : first + tables])) for first in at]


@asynccontextmanager
async def _alone(fleet: Fleet, servers: int, effort: Effort) -> AsyncIterator[Side]:
    settings = Settings(keep_interactions=REMEMBERED, most_emojis=0)
    (fleet.folder / "alone").mkdir()
    async with Server(guilds=servers, settings=settings) as discord:
        process = BotProcess(discord, fleet.folder / "alone" / "bot.db", BACKUPS_KEPT="0")
        await process.start()
        try:
            crowds = await _crowds(discord, discord.all_channels[: effort.tables], effort.tables)
            yield Side("one process", process, crowds[0])
        finally:
            await process.kill()
