"""What goes wrong: one call in twenty, the gateway every few seconds, the process now and then."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from bot.fakediscord import Fault, Server
from tests.loopback.bots import PATIENCE, BotProcess

CALLS = "/callback|/webhooks/|/channels/"
"""Everything a bot in play asks of Discord."""
EACH = 0.05 / 7
"""Seven kinds of faults make one call in twenty go wrong."""
SETTLED = 5.0
"""Seconds after which a session of the gateway may be disturbed."""
RESTARTS, FIRST, LAST = 3, 0.1, 0.5
"""How often the process ends and starts again, and between which shares of the time."""


def faulty(server: Server, chance: random.Random) -> list[Fault]:
    """Short rate limits, errors of Discord's, cut connections, lost answers, slow ones."""
    kinds: tuple[dict[str, Any], ...] = (
        {"retry_after": 0.3},
        {"status": 500},
        {"status": 502},
        {"status": 503},
        {"drop": True},
        {"drop": True, "when": "after"},
        {"latency": lambda: chance.uniform(0.2, 2.0)},
    )
    return [server.fault(CALLS, probability=EACH, chance=chance, **kind) for kind in kinds]


async def gateway(server: Server, chance: random.Random, until: Callable[[], bool]) -> int:
    """Connections are cut and resumed, or their session is gone. How often.

    Never in the first seconds of a session: once, discord.py did not come back from that.
    """
    faults: tuple[Callable[[], object], ...] = (
        lambda: server.gateway.faults.drop(duplicates=3),
        server.gateway.faults.reconnect,
        server.gateway.faults.invalidate,
    )
    number = 0
    while not until():
        await asyncio.sleep(chance.uniform(5, 15))
        began = max(when for when, _ in server.gateway.identifies)
        if server.gateway.ready and asyncio.get_running_loop().time() - began > SETTLED:
            number += 1
            chance.choice(faults)()
    return number


async def restarts(bot: BotProcess, chance: random.Random, seconds: float) -> int:
    """Killed, stopped, and killed again, at any moment. How often."""
    began = asyncio.get_running_loop().time()
    shares = sorted(chance.uniform(FIRST, LAST) for _ in range(RESTARTS))
    for number, share in enumerate(shares):
        await asyncio.sleep(max(0.0, began + share * seconds - asyncio.get_running_loop().time()))
        if number % 2:
            assert await bot.stop() == 0
            await bot.server.wait_for(lambda: not bot.server.gateway.ready, PATIENCE)
        else:
            await bot.kill()
        await bot.start()
    return RESTARTS
