"""`python -m bot check`: a check of everything that a running bot needs. Changes nothing.

It writes a file to each folder that the bot writes to, and removes it.
"""

import asyncio
import time
from collections.abc import Collection, Iterable
from math import ceil

import aiohttp
import discord

from bot.clock import SystemClock
from bot.groups.layout import Layout
from bot.i18n import FALLBACK, say
from bot.ops.check import machine
from bot.ops.check.dailies import dailies
from bot.ops.check.finding import Finding, fix, later, ok
from bot.ops.check.old_commands import looked_for
from bot.ops.check.releases import releases
from bot.ops.check.service_folders import closed
from bot.ops.daily_backups import DailyBackups
from bot.ops.login import AwayError, log_in
from bot.ownership import acting_as, bot_user
from bot.settings.config import Config
from bot.settings.home import command, home
from bot.text import Text
from bot.ui.connection.client import Client
from bot.ui.connection.gateway.identify_turns import TURN
from bot.ui.limits.answers import reading
from bot.ui.limits.errors import FAILURES, one_line
from bot.ui.servers.command_registration import out_of_step
from bot.ui.toolkit.invitation import NEEDED, invite

PATIENCE = 90.0
"""Seconds in which Discord has to answer all questions of a check."""
MOST = 5
"""Servers that one line names."""
MOST_OF_ADVISED = 2
"""Discord advises a shard per 1,000 servers, and takes 2,500 (PLATFORM 2)."""
BOT = "bot"
"""The scope that brings the bot itself, beside its commands."""


class Visitor(Client):
    """A client that only looks: it opens no connection for events and resumes nothing."""

    async def setup_hook(self) -> None:
        """Begin nothing."""


async def check(
    config: Config, client: Visitor, emojis: Collection[str], groups: Iterable[Finding] = ()
) -> tuple[Finding, ...]:
    """Check everything about the machine, then about Discord as far as it can be asked.

    The client has its commands already. `emojis`: the names of those that should be with Discord.
    `groups`: findings about the other groups of the bot.
    """
    path, kept = config.database_path, config.backups_kept
    daily = DailyBackups(path, config.backups, kept, SystemClock())
    source = machine.settings(home().settings)
    runs = await releases(config.releases_url)
    with acting_as(bot_user(path)):  # root may do what the bot may not
        here = (
            source,
            machine.database(path, config.backups, is_group=config.valkey_url is not None),
            *machine.log_file(config.log_file),
            *closed(config.folders),
            machine.disk(path),
            machine.backups(daily, kept=kept, now=time.time()),
            *machine.backup_command(config.backup_command),
            *dailies(path),
            runs,
            *groups,
        )
    try:
        await log_in(client, config.discord_token.get_secret_value())
    except discord.LoginFailure:
        said = "Discord rejected DISCORD_TOKEN: press Reset Token on the Bot page"
        return (*here, fix("token", f"{said} and copy the new token"))
    except AwayError as away:
        return (*here, fix("Discord", str(away)))
    try:
        async with asyncio.timeout(PATIENCE):
            return (*here, *await _discord(client, emojis, config.layout))
    except FAILURES as error:
        return (*here, fix("Discord", f"unexpected answer: {one_line(error)}"))


async def _discord(client: Visitor, emojis: Collection[str], layout: Layout) -> tuple[Finding, ...]:
    with reading():
        application = await client.application_info()
    return (
        ok("token", f"Discord accepts it: {client.user}"),
        machine.clock(await _date(client), time.time()),
        *installed(application),
        ok("intents", "no privileged intents are needed"),
        await _commands(client),
        *await _left(client),
        await _emojis(client, emojis),
        *await _shards(client, layout),
        ok("invite", invite(application.id)),
    )


def installed(application: discord.AppInfo) -> tuple[Finding, ...]:
    """Return findings on settings of the developer portal that keep a bot from working."""
    found = []
    if application.interactions_endpoint_url:
        said = "Discord sends presses to a web address: clear Interactions Endpoint URL"
        found.append(fix("application", f"{said} (General Information)"))
    if (wrong := _add_app(application)) is not None:
        found.append(fix("application", f"{wrong} (Installation)"))
    if application.bot_require_code_grant:
        said = "nobody can invite the bot: turn off Requires OAuth2 Code Grant (Bot)"
        found.append(fix("application", said))
    who = "anyone can" if application.bot_public else "only its owner can"
    return (*found,) or (ok("application", f"{application.name}; {who} invite it"),)


def _add_app(application: discord.AppInfo) -> str | None:
    """Return the faults of the Add App button; none for an application without settings for it."""
    settings = application.guild_integration_config
    if settings is None:
        elsewhere = application.user_integration_config is not None
        return "nobody can add it to a server: turn on Guild Install" if elsewhere else None
    if (asked := settings.oauth2_install_params) is None:
        return None
    if BOT not in asked.scopes:
        return f'Add App adds the commands without the bot: add the scope "{BOT}" to Guild Install'
    missing = [name for name in NEEDED if not _has(asked, name)]
    named = ", ".join(say(Text(f"permission.{name}"), FALLBACK) for name in missing)
    return f"Add App asks for too few permissions: add {named}" if missing else None


def _has(asked: discord.AppInstallParams, permission: str) -> bool:
    return asked.permissions.administrator or getattr(asked.permissions, permission)


async def _commands(client: Visitor) -> Finding:
    if names := await out_of_step(client.tree):
        said = ", ".join(f"/{name}" for name in names)
        return later("commands", f"the next start registers {said}")
    return ok("commands", f"all {len(client.tree.get_commands())} are registered")


async def _left(client: Visitor) -> tuple[Finding, ...]:
    """Return a line if an earlier bot has left commands of a server's own."""
    found = await looked_for(client)
    unseen = f"; {found.unseen} servers not checked" if found.unseen else ""
    if not found.leftovers:
        return (ok("old commands", f"none found{unseen}"),) if unseen else ()
    named = "; ".join(map(str, found.leftovers[:MOST]))
    more = len(found.leftovers) - MOST
    others = f"; and in {more} more servers" if more > 0 else ""
    said = f"an earlier bot left {named}{others}{unseen}: run `{command()} remove-commands`"
    return (fix("old commands", said),)


async def _emojis(client: Visitor, names: Collection[str]) -> Finding:
    with reading():
        there = {emoji.name for emoji in await client.fetch_application_emojis()}
    if missing := set(names) - there:
        return later(
            "emojis",
            f"the running bot will upload {len(missing)}; until then it shows old ones or words",
        )
    return ok("emojis", f"all {len(names)} are uploaded")


async def _shards(client: Visitor, layout: Layout) -> tuple[Finding, ...]:
    """Compare SHARD_COUNT with Discord's advice. Beyond 2,500 servers a shard, it refuses."""
    if layout.count is None:
        return ()
    with reading():
        advised, _, limits = await client.http.get_bot_gateway()
    said = f"{layout.count}; Discord advises {advised}, and lets {limits['max_concurrency']} start"
    seconds = TURN * ceil(len(layout.ids) / limits["max_concurrency"])
    said = f"{said} at once, so that these {len(layout.ids)} take {seconds:.0f} s"
    if advised > MOST_OF_ADVISED * layout.count:
        return (fix("shards", f"{said}: stop all groups and double SHARD_COUNT"),)
    return (ok("shards", said),)


async def _date(client: discord.Client) -> str:
    """Return Discord's time: the Date header of an answer."""
    url, named = f"{discord.http.Route.BASE}/gateway", {"User-Agent": client.http.user_agent}
    proxy = client.http.proxy
    async with aiohttp.ClientSession(headers=named) as http, http.get(url, proxy=proxy) as answer:
        return answer.headers["Date"]
