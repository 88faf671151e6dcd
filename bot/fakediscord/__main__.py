"""`python -m bot.fakediscord --port 8787`: stand-alone, driven by POST /__ctl."""

import argparse
import asyncio
import contextlib
import logging
from pathlib import Path

from bot.fakediscord.server import Server
from bot.fakediscord.settings import Settings


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fakediscord")
    parser.add_argument("--port", type=int, default=8787)
    parser.add_argument("--guilds", type=int, default=1)
    parser.add_argument("--channels", type=int, default=3, help="per guild")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--token", help="accept only this bot token")
    parser.add_argument("--no-ratelimits", action="store_true")
    parser.add_argument("--record", type=Path, help="write every call and event to this file")
    parser.add_argument("--rtt", type=float, default=0.0, help="seconds added to each REST call")
    return parser.parse_args()


async def main(given: argparse.Namespace) -> None:
    settings = Settings(token=given.token, rtt=given.rtt)
    server = Server(
        given.port,
        guilds=given.guilds,
        channels=given.channels,
        settings=settings,
        record=given.record,
    )
    server.limiter.enabled = not given.no_ratelimits
    server.gateway.shards = given.shards
    async with server:
        await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(arguments()))
