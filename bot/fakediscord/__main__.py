"""`python -m bot.fakediscord --port 8787`: stand-alone, driven by POST /__ctl."""

import argparse
import asyncio
import contextlib
import logging
from pathlib import Path

from bot.fakediscord.serving.server import Server
from bot.fakediscord.settings import Settings

ABOUT = (
    "A stand-in for Discord on this machine, for a bot that is pointed at it. POST /__ctl drives "
    "it: see bot/fakediscord/README.md."
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.fakediscord", description=ABOUT)
    parser.add_argument("--port", type=int, default=8787, help="on this machine (default 8787)")
    parser.add_argument("--guilds", type=int, default=1, metavar="N", help="default 1")
    parser.add_argument(
        "--channels", type=int, default=3, metavar="N", help="per guild (default 3)"
    )
    parser.add_argument(
        "--shards", type=int, default=1, metavar="N", help="advised to the bot (default 1)"
    )
    parser.add_argument("--token", help="accept only this bot token")
    parser.add_argument("--no-ratelimits", action="store_true", help="refuse no call as too many")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write every call and event to this file"
    )
    parser.add_argument(
        "--rtt", type=float, default=0.0, metavar="S", help="seconds added to each REST call"
    )
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
