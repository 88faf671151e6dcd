"""Many tables of four people at the pace of a chat: everything pushed and drawn, as it is."""

import asyncio
import time
from pathlib import Path

from tests.bench.figures import Row, share
from tests.bench.standin import Server
from tests.loopback.bots import bot_process
from tests.soak.people import Table

IN_A_SERVER = 25
MOST = 100.0


async def evening(folder: Path, tables: int, pace: float, warm: float, seconds: float) -> Row:
    """`pace`: seconds an action takes them. What is answered after `warm` seconds counts: all
    tables are in play then.
    """
    async with (
        Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER) as server,
        bot_process(server, folder / "evening.db", faces=True, rtt=0.0) as bot,
    ):
        there = [
            Table(server, channel, 4, number)
            for number, channel in enumerate(server.all_channels[:tables])
        ]
        began = time.perf_counter()
        over = lambda: time.perf_counter() > began + warm + seconds  # noqa: E731 used once more
        playing = asyncio.gather(*(table.play(over, pace) for table in there))
        await asyncio.sleep(warm)
        used = bot.processor
        _ = await playing
        used = bot.processor - used
        counted = [one for one in server.tokens.values() if one.created > began + warm]
        waits = [1000 * (one.latency or float("inf")) for one in counted]
    p95 = share(waits, 0.95)
    told = (
        f"p95 {p95:.0f} ms, median {share(waits, 0.5):.1f} ms, "
        f"{len(waits) / seconds:.0f} presses a second, {100 * used / seconds:.0f} % of a core, "
        f"{server.ratelimited} x 429"
    )
    return Row(f"{tables} live tables of four people", "p95 under 100 ms", told, p95 < MOST)
