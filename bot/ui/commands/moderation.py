"""The `/moderate` commands: closing a table, voiding a match, and the log of both."""

import logging
from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.ids import ChannelId, UserId
from bot.records.models import Moderated
from bot.screen import Line, Look, Pick, Words
from bot.tables.arenas.arenas import Arenas
from bot.tables.arenas.running import RunningArena
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.tables.views.lines import game_name, sentence
from bot.text import Text
from bot.ui.connection.responses import Interaction, answer, picked, redrawn
from bot.ui.records.match_choices import match_choices, no_match, number_of
from bot.ui.render import components, names
from bot.ui.toolkit.command_answers import allowed, defer_answer, guild_of, page, tell
from bot.ui.toolkit.command_router import CommandRouter, custom_id
from bot.ui.toolkit.command_words import IN_SERVERS, INSTALLED, command, words

log = logging.getLogger(__name__)

SUBJECT = "moderate"
TO_ID = partial(custom_id, SUBJECT)
NEEDED = "manage_messages"
"""The permission of moderators. Manage Server is for the few who also change settings."""
LISTED = 25
"""Tables in the list; any other is closed from its own channel."""
LATEST = 15
CLOSED = "table.closed.moderator"


class Moderation:
    """Commands for moderators. Each action is logged in the archive with moderator and time."""

    def __init__(self, router: CommandRouter, arenas: Arenas) -> None:
        self._arenas = arenas
        self._archive = router.archive
        self._tables = router.tables
        self._clock = router.clock
        self._champions = router.champions

    def add_to(self, router: CommandRouter) -> None:
        router.offer(self._commands())
        router.on_press(SUBJECT, self.press, in_private=True)

    def _commands(self) -> app_commands.Group:
        group = app_commands.Group(
            name=words("name.moderate"),
            description=words("command.moderate"),
            default_permissions=discord.Permissions(manage_messages=True),
            allowed_contexts=IN_SERVERS,
            allowed_installs=INSTALLED,
        )

        async def close(interaction: discord.Interaction[discord.Client]) -> None:
            await self.close(interaction)

        async def suggested(
            interaction: discord.Interaction[discord.Client], typed: str
        ) -> list[app_commands.Choice[str]]:
            if not interaction.permissions.manage_messages:
                return []
            return await match_choices(interaction, self._archive, typed, voidable=True)

        @app_commands.autocomplete(match=suggested)
        async def void(interaction: discord.Interaction[discord.Client], match: str) -> None:
            await self.void(interaction, match)

        async def acts(interaction: discord.Interaction[discord.Client]) -> None:
            await self.acts(interaction)

        group.add_command(command("moderate_close", close))
        group.add_command(command("moderate_void", void, match="command.moderate_match"))
        group.add_command(command("moderate_log", acts))
        return group

    async def close(self, interaction: Interaction) -> None:
        """Close this channel's table; if it has none, offer the server's tables to choose from."""
        if not await allowed(interaction, NEEDED):
            return
        if (arena := self._arenas.at(ChannelId(interaction.channel_id or 0))) is not None:
            await self._close_arena(interaction, arena)
            return
        here = self._tables.index.at(ChannelId(interaction.channel_id or 0))
        if here is not None and _is_open(here, interaction):
            await self._close(interaction, here)
            await tell(interaction, _closed(here))
            return
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        there = [table for table in self._tables.index if _is_open(table, interaction)]
        if not there:
            await tell(interaction, Text("moderate.no_tables"))
            return
        values = tuple((str(table.id), _label(table, interaction)) for table in there[:LISTED])
        blocks = (Words((sentence("moderate.which"),)), Pick("close", values, ""))
        await answer(interaction, page(interaction, TO_ID, *blocks))

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Close the table chosen from the list."""
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        table = self._chosen(interaction) if words == ["close"] else None
        if table is None:
            said = Text("moderate.no_table")
        else:
            await self._close(interaction, table)
            said = _closed(table)
        view = components.note(said, str(interaction.locale))
        await redrawn(interaction, view)

    def _chosen(self, interaction: Interaction) -> Table | None:
        sent = picked(interaction) or ""
        table = self._tables.index.get(TableId(int(sent))) if _is_number(sent) else None
        return table if table is not None and _is_open(table, interaction) else None

    async def _close(self, interaction: Interaction, table: Table) -> None:
        """Close a table. It stays closed even if the archive can't record it (logged)."""
        guild = table.session.opened.guild
        await self._tables.close(table, CLOSED)
        user, at = UserId(interaction.user.id), self._now
        log.info("server %d: moderator %d closed table %d", guild, user, table.id)
        try:
            await self._archive.closed(guild, table.id, moderator=user, at=at)
        except Exception:
            log.exception("%s: closing by a moderator not recorded", table)

    async def _close_arena(self, interaction: Interaction, arena: RunningArena) -> None:
        """End the arena of this channel as it stands."""
        await self._arenas.close(arena, "arena.stopped.moderator")
        guild, user = arena.state.opened.guild, interaction.user.id
        log.info("server %d: moderator %d ended arena %d", guild, user, arena.id)
        await tell(interaction, Text("moderate.arena_ended", (("where", arena.link),)))

    async def void(self, interaction: Interaction, typed: str) -> None:
        """Void a match. The answer is deferred: recalculating ratings takes a moment."""
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        number = number_of(typed)
        if number is None:
            await tell(interaction, no_match(typed))
            return
        guild = guild_of(interaction)
        if not await defer_answer(interaction):
            return
        match = ("match", number)
        details = await self._archive.match(guild, number)
        if details is None:
            await tell(interaction, no_match(typed))
            return
        user = UserId(interaction.user.id)
        done = await self._archive.void(guild, number, moderator=user, at=self._now)
        if done:
            await self._champions.read(guild)
            await self._arenas.voided(guild, TableId(details.match.table))
        what = "voided" if done else "nothing to void"
        log.info("server %d: moderator %d, match %d: %s", guild, user, number, what)
        said = "moderate.voided" if done else "moderate.void_already"
        if done and await self._archive.ratings_due(guild, details.match.game):
            said = "moderate.voided_due"
        await tell(interaction, Text(said, (match,)))

    async def acts(self, interaction: Interaction) -> None:
        """Show the moderators' latest actions, newest first."""
        if not await allowed(interaction, NEEDED):
            return
        guild = guild_of(interaction)
        done = await self._archive.moderated(guild, LATEST)
        lines: tuple[Line, ...] = tuple(map(_act, done)) or (sentence("moderate.no_acts"),)
        blocks = (Words((sentence("moderate.acts", look=Look.HEAD), *lines)),)
        await answer(interaction, page(interaction, TO_ID, *blocks))

    @property
    def _now(self) -> int:
        return int(self._clock.wall() * 1000)


def _is_open(table: Table, interaction: Interaction) -> bool:
    """Return whether a table is on this server and neither over nor closed."""
    session = table.session
    over = session.phase in (Phase.OVER, Phase.CLOSED)
    return session.opened.guild == interaction.guild_id and not over


def _closed(table: Table) -> Text:
    return Text("moderate.closed", (("table", table.id), ("where", table.link)))


def _label(table: Table, interaction: Interaction) -> Text:
    """Return a list label such as `Ligretto in game-night, host Anna`. Lists can't show links."""
    session = table.session
    guild = interaction.guild
    channel = guild.get_channel_or_thread(session.channel) if guild is not None else None
    host = next((chair.name for chair in session.chairs if chair.user == session.host), "")
    values = (
        ("game", game_name(session)),
        ("channel", names.plain(channel.name if channel is not None else "?", 32)),
        ("host", names.label(host, 24, str(interaction.locale))),
    )
    return Text("moderate.table", values)


def _act(done: Moderated) -> Line:
    who = Text("moderate.nobody") if done.moderator is None else f"<@{done.moderator}>"
    key = "moderate.act_void" if done.action == "void" else "moderate.act_close"
    values = (("when", f"<t:{done.at // 1000}:f>"), ("who", who), ("number", done.subject))
    return sentence(key, values)


def _is_number(sent: str) -> bool:
    return sent.isascii() and sent.isdecimal() and len(sent) <= len(str(2**53))
