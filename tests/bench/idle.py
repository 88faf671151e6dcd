"""The memory of a bot that has nothing to do."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.art.faces import faces
from tests.bench.compared import BARE, Bot
from tests.bench.figures import Row, compared
from tests.bench.running import running
from tests.bench.sides import SETTLED
from tests.bench.standin import Server
from tests.real import PATIENCE

CHANNELS = 5
MOST = 1.25


async def idle(folder: Path, servers: int, bots: Sequence[Bot]) -> Row:
    """MB that each bot holds with so many servers. Ours has uploaded its pictures before."""
    held = await asyncio.gather(
        *(_held(folder / f"{at}.db", servers, one) for at, one in enumerate(bots))
    )
    figures = {bot.name: [megabytes] for bot, megabytes in zip(bots, held, strict=True)}
    return compared(f"memory, idle, {servers} servers", {BARE.name: MOST}, figures, "MB")


async def _held(database: Path, servers: int, bot: Bot) -> float:
    async with (
        Server(guilds=servers, channels=CHANNELS) as server,
        running(bot, server, database) as process,
    ):
        if bot.is_ours:
            _ = await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
            assert await process.stop() == 0
            await process.start()
        await asyncio.sleep(SETTLED)
        return process.memory
