"""`python -m bot.fakediscord --port 8787`: stand-alone, driven by POST /__ctl."""

import argparse
import asyncio
import contextlib
import logging

from bot.fakediscord.server import Server


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fakediscord")
    parser.add_argument("--port", type=int, default=8787)
    parser.add_argument("--guilds", type=int, default=1)
    parser.add_argument("--channels", type=int, default=3, help="per guild")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--token", help="accept only this bot token")
    parser.add_argument("--no-ratelimits", action="store_true")
    parser.add_argument("--rtt", type=float, default=0.0, help="seconds added to each REST call")
    return parser.parse_args()


async def main(args: argparse.Namespace) -> None:
    server = Server(
        args.port,
        guilds=args.guilds,
        channels=args.channels,
        token=args.token,
        ratelimits=not args.no_ratelimits,
        rtt=args.rtt,
    )
    server.gateway.shards = args.shards
    async with server:
        await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(arguments()))
