"""Refusals as discord.py's own exceptions, decided from the one reply that came."""

from typing import Any, cast

import aiohttp
import discord
import orjson

from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits.errors import UPSTREAM

_KINDS = {403: discord.Forbidden, 404: discord.NotFound}


def refusal(reply: Reply) -> discord.HTTPException:
    """Return the exception that discord.py would raise for a reply that is no success."""
    return error(reply, reply.text)


def error(reply: Reply | aiohttp.ClientResponse, text: str) -> discord.HTTPException:
    """Return the same for an answer to either client. `text`: its body."""
    kind = _KINDS.get(reply.status, discord.HTTPException)
    if reply.status >= UPSTREAM:
        kind = discord.DiscordServerError
    return kind(cast("Any", reply), read(text))  # it reads status and reason alone


def read(body: str) -> dict[str, Any] | str:
    """Parse a refusal's body: Discord's JSON object, or the text of a proxy in front of it."""
    try:
        found = orjson.loads(body)
    except ValueError:
        return body
    return found if isinstance(found, dict) else body
