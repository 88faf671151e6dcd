"""`python -m bot check`: is everything there that a running bot needs? Nothing is changed."""

import time
from collections.abc import Collection

import aiohttp
import discord

from bot.config import Config
from bot.ops import machine
from bot.ops.daily import DailyBackup
from bot.ops.finding import Finding, later, mend, ok
from bot.tables.clock import SystemClock
from bot.ui.client import Client
from bot.ui.commands import out_of_step
from bot.ui.errors import FAILURES

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
)
"""The last two are for a table's own thread, and for pictures and logs."""


class Visitor(Client):
    """Logs in and looks: it opens no connection for events and resumes nothing."""

    async def setup_hook(self) -> None:
        """Nothing begins."""


async def check(config: Config, client: Visitor, emojis: Collection[str]) -> tuple[Finding, ...]:
    """Everything about the machine, then everything about Discord as far as it can be asked.

    The client has its commands already. `emojis`: the names of those that should be with Discord.
    """
    path, kept = config.database_path, config.backups_kept
    daily = DailyBackup(path, config.backups, kept, SystemClock())
    here = (
        machine.database(path),
        machine.disk(path),
        machine.backups(daily, kept=kept, now=time.time()),
    )
    try:
        await client.login(config.discord_token.get_secret_value())
    except discord.LoginFailure:
        said = "Discord does not take DISCORD_TOKEN: press Reset Token on the Bot page, copy it"
        return (*here, mend("token", said))
    except FAILURES as error:
        return (*here, mend("Discord", f"cannot be reached: {error}"))
    try:
        return (*here, *await _discord(client, emojis))
    except FAILURES as error:
        return (*here, mend("Discord", f"does not answer as it should: {error!r}"))


async def _discord(client: Visitor, emojis: Collection[str]) -> tuple[Finding, ...]:
    application = await client.application_info()
    return (
        ok("token", f"Discord takes it: {client.user}"),
        machine.clock(await _date(), time.time()),
        *installed(application),
        ok("intents", "no privileged one is needed"),
        await _commands(client),
        await _emojis(client, emojis),
        ok("invite", invite(application.id)),
    )


def installed(application: discord.AppInfo) -> tuple[Finding, ...]:
    """Settings of the developer portal that keep a bot from working."""
    found = []
    if application.interactions_endpoint_url:
        said = "Discord sends presses to a web address: clear Interactions Endpoint URL"
        found.append(mend("application", f"{said} (General Information)"))
    if application.bot_require_code_grant:
        said = "nobody can invite the bot: switch Requires OAuth2 Code Grant off (Bot)"
        found.append(mend("application", said))
    who = "anybody can" if application.bot_public else "only its owner can"
    return (*found,) or (ok("application", f"{application.name}; {who} invite it"),)


def invite(application: int) -> str:
    """The address with which somebody adds the bot to a server."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS)


async def _commands(client: Visitor) -> Finding:
    if names := await out_of_step(client.tree):
        said = ", ".join(f"/{name}" for name in names)
        return later("commands", f"the next start tells Discord about {said}")
    return ok("commands", f"Discord knows all {len(client.tree.get_commands())}")


async def _emojis(client: Visitor, names: Collection[str]) -> Finding:
    there = {emoji.name for emoji in await client.fetch_application_emojis()}
    if missing := set(names) - there:
        return later("emojis", f"the running bot uploads {len(missing)}; words do until then")
    return ok("emojis", f"all {len(names)} are with Discord")


async def _date() -> str:
    """Discord's own time, as it stands in any answer of its."""
    url = f"{discord.http.Route.BASE}/gateway"
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        return answer.headers["Date"]
