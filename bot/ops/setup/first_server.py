"""The bot's account, and the first server that it is in."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.ops.login import AwayError
from bot.ui.connection.client import Client
from bot.ui.limits.answers import reading
from bot.ui.limits.errors import FAILURES, one_line
from bot.ui.toolkit.invitation import invite

log = logging.getLogger(__name__)

PAUSE = 3.0
"""Seconds between two looks at the bot's servers."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a bot: its name, its owner's, and the address that invites it."""

    name: str
    owner: str
    invite: str


async def account_of(client: Client) -> Account:
    """Return the account of a client that has logged in. Raises AwayError."""
    try:
        with reading():
            application = await client.application_info()
    except FAILURES as error:
        raise AwayError(f"Discord did not describe the application: {one_line(error)}") from error
    owner = f"team {application.team.name}" if application.team else str(application.owner)
    return Account(str(client.user), owner, invite(application.id))


async def first_server(client: Client, before_waiting: Callable[[], None]) -> str:
    """Return the name of a server that the bot is in, and wait until there is one.

    Discord is asked every few seconds, and again whenever it doesn't answer. The client has logged
    in. `before_waiting` is called once, if there is no server yet.
    """
    is_told = False
    while True:
        if (name := await _a_server(client)) is not None:
            return name
        if not is_told:
            is_told = True
            before_waiting()
        await asyncio.sleep(PAUSE)


async def _a_server(client: discord.Client) -> str | None:
    try:
        with reading():
            async for guild in client.fetch_guilds(limit=1, with_counts=False):
                return guild.name
    except FAILURES as error:
        log.info("servers of the bot unknown, asking again in %d s: %r", PAUSE, error)
    return None
