"""One soak: many tables, everything going wrong, and the figures."""

import asyncio
import random
from dataclasses import dataclass, fields
from pathlib import Path

from bot.fakediscord import Server
from tests.loopback.bots import BotProcess, bot_process
from tests.soak import audit, trouble
from tests.soak.people import Table

IN_A_SERVER = 25
PEOPLE = (2, 3, 4, 3)
WARM = 0.7
"""Share of the time after which memory is measured: all restarts are over, all tables in play, and
most people's panels have been shown again, which are remembered.
"""
GOING_HOME = 120.0
QUIET = 300.0
"""Seconds until the last message is drawn: a budget halved by rate limits comes back slowly."""
LOOK, WEIGHED = 1.0, 4.0
"""Seconds between two looks at what is held, and at how much memory that takes."""
AT_REST = 27
"""Tasks that a bot at rest may have: the writer, the clock, what ticks, discord.py's own."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a soak came to. Memory in MB of the process that ran last, latencies in ms."""

    seconds: float
    tables: int
    people: int
    matches: int
    presses: int
    answered: float
    median: float
    slowest_percent: float
    calls: int
    faults: int
    gateway_faults: int
    restarts: int
    warm: float
    end: float
    tables_left: int
    tasks_left: int
    surprises: tuple[str, ...]

    def table(self) -> str:
        """Two columns: what, and how much."""
        rows = [(field.name.replace("_", " "), getattr(self, field.name)) for field in fields(self)]
        told = [
            (name, f"{value:,.1f}" if isinstance(value, float) else value) for name, value in rows
        ]
        return "\n".join(f"| {name} | {value} |" for name, value in told)


async def soak(folder: Path, seconds: float, tables: int, pace: float, seed: int = 1) -> Figures:
    """`pace`: seconds between two presses of one person."""
    chance = random.Random(seed)
    guilds = -(-tables // IN_A_SERVER)
    async with Server(guilds=guilds, channels=IN_A_SERVER) as server:
        server.settings.keep_interactions = 20_000
        async with bot_process(server, folder / "soak.db", faces=True, LOG_LEVEL="DEBUG") as bot:
            channels = server.all_channels[:tables]
            there = [
                Table(server, channel, PEOPLE[number % len(PEOPLE)], number)
                for number, channel in enumerate(channels)
            ]
            clock = asyncio.get_running_loop().time
            ends = clock() + seconds
            over = lambda: clock() > ends  # noqa: E731 short, and used three times
            faults = trouble.faulty(server, chance)
            (cuts, killed, memory), _ = await asyncio.gather(
                asyncio.gather(
                    trouble.gateway(server, chance, over),
                    trouble.restarts(bot, chance, seconds),
                    _memory(bot, ends, seconds),
                ),
                asyncio.gather(*(table.play(over, pace) for table in there)),
            )
            server.faults.clear()
            answers = sorted(rec.latency for rec in server.tokens.values() if rec.latency)
            await asyncio.wait_for(asyncio.gather(*(table.leave() for table in there)), GOING_HOME)
            tables_left, tasks_left = await _at_rest(bot)
            assert await bot.stop() == 0
        assert not any(audit.left_behind(bot.database).values())
        assert not server.unknown
        assert not server.crashes
    pressed = sum(table.pressed for table in there)
    return Figures(
        seconds=seconds,
        tables=tables,
        people=sum(len(table.players) for table in there),
        matches=audit.matches(bot.database),
        presses=pressed,
        answered=100 * sum(table.answered for table in there) / pressed,
        median=1000 * answers[len(answers) // 2],
        slowest_percent=1000 * answers[len(answers) * 99 // 100],
        calls=sum(server.statuses.values()),
        faults=sum(fault.hits for fault in faults),
        gateway_faults=cuts,
        restarts=killed,
        warm=memory[0],
        end=memory[-1],
        tables_left=tables_left,
        tasks_left=tasks_left,
        surprises=tuple(audit.surprises(bot.output)),
    )


async def _at_rest(bot: BotProcess) -> tuple[int, int]:
    """Tables and tasks that are left once nothing is in work any more."""
    written = len(bot.output)
    async with asyncio.timeout(QUIET):
        while True:
            await asyncio.sleep(LOOK)
            for tables, tasks, presses in bot.held(written):
                if presses == 0 and tasks <= AT_REST:
                    return tables, tasks


async def _memory(bot: BotProcess, ends: float, seconds: float) -> list[float]:
    """MB held by the process, from when it is warm until the end."""
    held: list[float] = []
    await asyncio.sleep(seconds * WARM)
    while asyncio.get_running_loop().time() < ends:
        held.append(bot.memory)
        await asyncio.sleep(WEIGHED)
    return held
