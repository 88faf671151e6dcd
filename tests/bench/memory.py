"""What an idle bot holds, and what presses leave behind."""

import asyncio
from pathlib import Path

from bot.art.faces import faces
from tests.bench.crowd import AT_ONCE
from tests.bench.figures import Row, compared
from tests.bench.sides import BARE_BOT, SETTLED, game_side
from tests.bench.standin import Server
from tests.loopback.bots import bot_process
from tests.real import PATIENCE

PARTS = 10
FLAT = 1.05


async def idle(folder: Path, servers: int) -> Row:
    """Both bots with so many servers and nothing to do: ours has uploaded its pictures before."""
    async with (
        Server(guilds=servers, channels=5) as server,
        Server(guilds=servers, channels=5) as other,
        bot_process(server, folder / "idle.db", faces=True, rtt=0.0) as bot,
        bot_process(other, folder / "bare.db", program=BARE_BOT, rtt=0.0) as bare,
    ):
        _ = await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
        assert await bot.stop() == 0
        await bot.start()
        await asyncio.sleep(SETTLED)
        return compared(f"memory, idle, {servers} servers", 1.25, bot.memory, bare.memory, "MB")


async def flat(folder: Path, tables: int, presses: int) -> Row:
    """Memory after each tenth of the presses. Everybody at every table presses in turn, so no
    table is closed on the way for want of a press. Raises RefusedError and MiscountError.
    """
    part, held = presses // PARTS, list[float]()
    async with game_side(folder / "flat.db", tables) as side:
        for _ in range(PARTS):
            _ = await side.crowd.presses(part, AT_ONCE)
            held.append(side.bot.memory)
    return Row(
        f"memory over {PARTS * part:,} presses, {tables} tables",
        f"the last tenth at most {FLAT} x the first",
        told(held, part),
        held[-1] <= FLAT * held[0],
    )


def told(held: list[float], part: int) -> str:
    """Which parts of the run are compared. `held`: MB after each part of so many presses."""
    middle = len(held) // 2
    return (
        f"MB after each {part:,} presses: {', '.join(f'{one:.0f}' for one in held)};"
        f" last / first {held[-1] / held[0]:.3f},"
        f" last / after {middle * part:,} {held[-1] / held[middle - 1]:.3f}"
    )
