"""A press on a group beside one on a bot of one process: processor time, in turns."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
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
    """Each group's round beside one of the one process, which goes first every other time.

    The one process has as many servers, tables and presses a second as each group.
    """
    size = len(fleet.discord.guilds) // len(fleet.members)
    one, groups = list[list[float]](), list[list[float]]()
    async with _alone(fleet, size, effort) as alone:
        members = await _groups(fleet, effort)
        for number in range(-1, effort.rounds):  # the first is not measured
            pairs = [
                await _pair(alone, member, effort, is_first=(number + at) % 2 == 0)
                for at, member in enumerate(members)
            ]
            if number >= 0:
                one.append([theirs for theirs, _ in pairs])
                groups.append([ours for _, ours in pairs])
            log.info("round %d of %d", number + 1, effort.rounds)
    ours, theirs = [*map(median, groups)], [*map(median, one)]
    by_round = [mine / its for mine, its in zip(ours, theirs, strict=True)]
    ratio = median(chain(*groups)) / median(chain(*one))
    return Row(
        f"processor time of a press at {effort.rate:.0f} a second on each process",
        f"at most {MOST} x one process",
        f"{spread(ours)} us, one process {spread(theirs)} us: {ratio:.2f} x "
        f"[{min(by_round):.2f}..{max(by_round):.2f}]",
        ratio <= MOST,
    )


async def _pair(
    alone: Side, member: Side, effort: Effort, *, is_first: bool
) -> tuple[float, float]:
    """Return what a press costs on the one process, and on the group, right after each other."""
    if is_first:
        theirs = await alone.round(effort)
        return theirs, await member.round(effort)
    ours = await member.round(effort)
    return await alone.round(effort), ours


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
