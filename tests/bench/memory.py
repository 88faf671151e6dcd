"""What an idle bot holds, and what presses leave behind."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.art.faces import faces
from bot.demo.fakediscord import Server
from tests.bench.figures import Row, compared
from tests.bench.people import Turner, live_tables, turners
from tests.bench.presses import AT_ONCE, BARE, IN_A_SERVER, in_turn
from tests.loopback.bots import BotProcess, bot_process

SETTLED = 3.0
"""Seconds after which a start is over."""
UPLOADED = 120.0
"""Seconds in which all pictures are with Discord."""
FLAT = 1.05


async def idle(folder: Path, servers: int) -> Row:
    """Both bots with so many servers and nothing to do: ours has uploaded its pictures before."""
    async with (
        Server(guilds=servers, channels=5) as server,
        Server(guilds=servers, channels=5) as other,
        bot_process(server, folder / "idle.db", faces=True, rtt=0.0) as bot,
        bot_process(other, folder / "bare.db", program=BARE, rtt=0.0) as bare,
    ):
        _ = await server.wait_for(lambda: len(server.emojis) == len(faces()), UPLOADED)
        assert await bot.stop() == 0
        await bot.start()
        await asyncio.sleep(SETTLED)
        return compared(f"memory, idle, {servers} servers", 1.25, bot.memory, bare.memory, "MB")


async def flat(folder: Path, tables: int, presses: int) -> Row:
    """Memory after each tenth of the presses. There are no more tables than are pressed at: others
    would be closed in the middle, after ten minutes without a press.
    """
    tables = min(tables, AT_ONCE // 2)
    async with (
        Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER) as server,
        bot_process(server, folder / "flat.db", faces=True, rtt=0.0) as bot,
    ):
        server.keep_interactions = 20_000
        people = turners(await live_tables(server, tables, 2))
        held = [await _after(bot, people, presses // 10) for _ in range(10)]
    told = f"MB after each tenth: {', '.join(f'{one:.0f}' for one in held)}"
    return Row(f"memory over {presses:,} presses", "flat", told, held[-1] <= FLAT * held[0])


async def _after(bot: BotProcess, people: Sequence[Turner], presses: int) -> float:
    await in_turn(people, presses)
    return bot.memory
