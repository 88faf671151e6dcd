"""Bounds that keep a demo small for days: whatever nobody can see any longer is forgotten."""

import asyncio
from itertools import islice
from typing import TypeVar

from bot.demo.backend.world import DemoWorld
from bot.fakediscord import Channel, Message

K = TypeVar("K")
V = TypeVar("V")

EVERY = 10.0
TABLES = 50
"""The bot's public messages kept per channel."""
TALK = 150
"""Other messages kept per channel: private ones and those that people write."""
FILES = 200
NONCES = 200


async def tidy_forever(world: DemoWorld) -> None:
    while True:
        await asyncio.sleep(EVERY)
        tidy(world)


def tidy(world: DemoWorld) -> None:
    """Forget the oldest of everything that has outgrown its bound."""
    server = world.server
    there: set[int] = set()
    for channel in server.channels.values():
        messages = list(channel.messages.values())
        tables = [message for message in messages if _lasts(message)]
        talk = [message for message in messages if not _lasts(message)]
        for message in (*tables[:-TABLES], *talk[:-TALK]):
            _forget(channel, message)
        _oldest_out(channel.nonces, NONCES)
        there |= channel.messages.keys()
    for user in world.people.values():
        user.hidden &= there
    _oldest_out(server.blobs, FILES)
    server.limiter.forget_past()
    _ = server.late  # counting the unanswered interactions also forgets them
    server.crashes[:-NONCES] = []
    server.changed()


def _lasts(message: Message) -> bool:
    return bool(message.author.bot and not message.ephemeral)


def _forget(channel: Channel, message: Message) -> None:
    message.deleted = True
    channel.messages.pop(message.id, None)


def _oldest_out(kept: dict[K, V], most: int) -> None:
    for key in list(islice(kept, max(0, len(kept) - most))):
        del kept[key]
