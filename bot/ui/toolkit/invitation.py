"""The link that adds the bot to a server, and the check whether it is in one."""

import logging

import discord

from bot.ids import ChannelId, GuildId
from bot.text import Text
from bot.ui.connection.responses import Interaction, private
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES

log = logging.getLogger(__name__)

NEEDED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "attach_files",
)
"""The last two are for a table's own thread, and for pictures and logs."""
PERMISSIONS = discord.Permissions(**dict.fromkeys(NEEDED, True))
ASKED = 1.5
"""Seconds for the question whether the bot is in a server: the answer has three (PLATFORM 1)."""


def invite(application: int) -> str:
    """Return the address with which somebody adds the bot to a server."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS)


def no_bot(interaction: Interaction) -> Text:
    """Say that a server has only the bot's commands, and how to add the bot itself."""
    return Text("request.refused.no_bot", (("link", invite(interaction.application_id)),))


async def is_absent(client: discord.Client, guild: GuildId) -> bool:
    """Return whether a server has the bot's commands at most, and not the bot.

    Discord is asked if the gateway hasn't named the server. While Discord doesn't answer, the bot
    counts as there.
    """
    if client.get_guild(guild) is not None:
        return False
    try:
        async with answered_within(ASKED):
            await client.fetch_guild(guild, with_counts=False)
    except (discord.Forbidden, discord.NotFound):
        return True
    except FAILURES as error:
        log.info("server %d: unknown whether the bot is in it: %r", guild, error)
    return False


async def place_to_play(interaction: Interaction) -> tuple[GuildId, ChannelId] | None:
    """Return the server and channel of a command that opens something there.

    None, and the command is answered, if it came from no server or from one without the bot.
    """
    if interaction.guild_id is None or interaction.channel_id is None:
        await private(interaction, Text("request.refused.no_server"))
        return None
    guild = GuildId(interaction.guild_id)
    if await is_absent(interaction.client, guild):
        await private(interaction, no_bot(interaction))
        return None
    return guild, ChannelId(interaction.channel_id)
