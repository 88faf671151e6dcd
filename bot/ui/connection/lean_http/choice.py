"""The choice of the HTTP client: the lean one, unless something needs aiohttp."""

import logging

import discord
from discord.http import Route

from bot.ui.connection.lean_http.client import Heard, LeanClient

log = logging.getLogger(__name__)


def lean_client(client: discord.Client, heard: Heard) -> LeanClient | None:
    """Return a lean client for one of discord.py's that has logged in; None if there is a proxy.

    `heard` is called with each reply.
    """
    http = client.http
    if http.proxy is not None:
        log.info("HTTP client: aiohttp, because of a proxy")
        return None
    return LeanClient(Route.BASE, http.user_agent, http.token or "", heard)


def lean_of(client: discord.Client) -> LeanClient | None:
    """Return a client's lean one; None if it calls Discord by aiohttp alone."""
    found: LeanClient | None = getattr(client, "lean", None)
    return found
