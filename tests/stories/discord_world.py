"""The world of the stories about Discord: the stand-in, a bot as a process, and people.

The stories import the stand-in from here alone. Where it is kinder than Discord, it is made
stricter from outside.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import web

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Channel, Fault, Guild, Interaction, Item, Message, Server, User
from bot.fakediscord.model.payloads import user_payload
from bot.fakediscord.people.interactions import NewInteraction
from bot.fakediscord.rate_limits import TOO_OLD, too_many
from bot.fakediscord.rest.application import application_payload
from bot.fakediscord.validation.errors import ApiError
from tests.loopback.players import PATIENCE, Player, all_ready, labels, seated
from tests.simulate.process import Log, Process, Said

__all__ = [
    "COMMAND",
    "COMPONENT",
    "MODAL",
    "PATIENCE",
    "AgentsSeen",
    "ApiError",
    "Channel",
    "Fault",
    "Guild",
    "Interaction",
    "Item",
    "Message",
    "OldEdits",
    "Player",
    "Process",
    "Said",
    "Server",
    "User",
    "World",
    "all_ready",
    "application_payload",
    "becomes",
    "labels",
    "seated",
    "send",
    "stand_in",
    "user_payload",
    "world",
]

ROUND_TRIP = 0.1
"""Seconds from a request of the bot to its answer."""
COMMAND, COMPONENT, MODAL = 2, 3, 5
"""Kinds of interactions."""


Discord = TypeVar("Discord", bound=Server)


@dataclass(frozen=True, slots=True)
class World:
    """A Discord, a bot that is connected to it, and what the bot has logged."""

    server: Server
    bot: Process
    log: Log

    @property
    def tracebacks(self) -> list[Said]:
        return [line for line in self.log.lines if line.trace]


def spaced(text: str) -> str:
    """The text with spaces that may break: units keep with their numbers."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def stand_in(kind: type[Discord]) -> Discord:
    """Build a stand-in."""
    return kind()


@asynccontextmanager
async def world(
    folder: Path, server: Server | None = None, seed: int = 0, **settings: object
) -> AsyncIterator[World]:
    """Start a Discord and a bot, and wait until they are connected. `seed`: of what is dealt.

    `settings`: the bot's. No backups are made: Discord has no part in them.
    """
    server = server or stand_in(Server)
    server.settings.most_emojis, server.settings.rtt = 0, ROUND_TRIP
    server.gateway.enforce_identify = False
    log = Log()
    logging.getLogger().addHandler(log)
    try:
        async with server:
            with pointed_at(server.url, server.ws_url):
                bot = Process(folder, seed, **{"backups_kept": 0} | settings)
                bot.start()
                try:
                    await server.wait_ready(PATIENCE, commands=True)
                    yield World(server, bot, log)
                finally:
                    if bot.is_running:
                        await bot.stop()
    finally:
        logging.getLogger().removeHandler(log)


async def becomes(server: Server, condition: Callable[[], object], within: float) -> bool:
    """Wait until it is so, for that many seconds at most. Whether it became so."""
    try:
        await server.wait_for(condition, within)
    except TimeoutError:
        return False
    return True


def send(
    server: Server,
    user: User,
    place: Channel | Message,
    kind: int,
    data: dict[str, Any],
) -> Interaction:
    """Deliver an interaction as it is, without what a client would check first."""
    message = place if isinstance(place, Message) else None
    channel = place.channel if isinstance(place, Message) else place
    if channel.guild is not None:
        channel.guild.join(user)
    name = str(data.get("name") or data.get("custom_id"))
    return server.send(NewInteraction(kind, user, channel, name, data, message))


class AgentsSeen(Server):
    """Notes the User-Agent of each REST call: `agents` has method, path and value."""

    def __init__(self) -> None:
        super().__init__()
        self.agents: list[tuple[str, str, str]] = []

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        agent = request.headers.get("User-Agent", "")
        self.agents.append((request.method, request.path, agent))
        return await super()._handle(request)


class OldEdits(Fault):
    """Refuses edits as Discord refuses those of a message older than an hour.

    `retry_after`: seconds, as Discord names them.
    """

    def error(self) -> ApiError:
        return too_many(self.retry_after or 1.0, code=TOO_OLD)
