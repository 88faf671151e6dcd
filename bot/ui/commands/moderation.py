"""The `/moderate` commands: closing a table, voiding a match, and the log of both."""

import logging
from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.ids import ChannelId, UserId
from bot.screen import Line, Look, Pick, Words
from bot.tables.arenas.arenas import Arenas
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.tables.views.lines import sentence
from bot.text import Text
from bot.ui.commands.moderation_pages import act, closed, has_match, label, sure_arena, sure_close
from bot.ui.commands.voiding import Voiding
from bot.ui.connection.responses import Interaction, answer, picked, redrawn
from bot.ui.records.match_choices import match_choices
from bot.ui.render import components
from bot.ui.toolkit.command_answers import allowed, guild_of, page, tell
from bot.ui.toolkit.command_router import CommandRouter, NotOursError, custom_id
from bot.ui.toolkit.command_words import IN_SERVERS, INSTALLED, command, words
from bot.ui.toolkit.custom_id_words import number

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
        self._voiding = Voiding(router, arenas)

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
        """Close this channel's table, or offer the server's tables; ask where a match is played."""
        if not await allowed(interaction, NEEDED):
            return
        if (arena := self._arenas.at(ChannelId(interaction.channel_id or 0))) is not None:
            await answer(interaction, page(interaction, TO_ID, *sure_arena(arena)))
            return
        here = self._tables.index.at(ChannelId(interaction.channel_id or 0))
        if here is not None and _is_open(here, interaction):
            if has_match(here):
                await answer(interaction, page(interaction, TO_ID, *sure_close(here)))
                return
            await self._close(interaction, here)
            await tell(interaction, closed(here))
            return
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        there = [table for table in self._tables.index if _is_open(table, interaction)]
        if not there:
            await tell(interaction, Text("moderate.no_tables"))
            return
        values = tuple((str(table.id), label(table, interaction)) for table in there[:LISTED])
        blocks = (Words((sentence("moderate.which"),)), Pick("close", values, ""))
        await answer(interaction, page(interaction, TO_ID, *blocks))

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Handle the list of tables, and the buttons of a question."""
        match words:
            case ["close"]:
                await self._choose(interaction)
            case ["close", table]:
                await self._close_for_sure(interaction, number(table))
            case ["arena", arena]:
                await self._close_arena(interaction, number(arena))
            case ["void", match_]:
                if await allowed(interaction, NEEDED, everywhere=True):
                    await self._voiding.void(interaction, number(match_))
            case ["keep"]:
                await self._redrawn(interaction, Text("answer.unchanged"))
            case _:
                raise NotOursError(":".join(words))

    async def _choose(self, interaction: Interaction) -> None:
        """Close the table chosen from the list; ask first if a match is played there."""
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        table = self._open(interaction, picked(interaction) or "")
        if table is not None and has_match(table):
            await redrawn(interaction, page(interaction, TO_ID, *sure_close(table)))
        else:
            await self._close_and_tell(interaction, table)

    async def _close_for_sure(self, interaction: Interaction, chosen: int) -> None:
        """Close a table after a yes. A moderator of its channel alone may do so there."""
        table = self._open(interaction, str(chosen))
        is_here = table is not None and table.session.channel == interaction.channel_id
        if await allowed(interaction, NEEDED, everywhere=not is_here):
            await self._close_and_tell(interaction, table)

    async def _close_and_tell(self, interaction: Interaction, table: Table | None) -> None:
        if table is None:
            await self._redrawn(interaction, Text("moderate.no_table"))
            return
        await self._close(interaction, table)
        await self._redrawn(interaction, closed(table))

    async def _redrawn(self, interaction: Interaction, said: Text) -> None:
        await redrawn(interaction, components.note(said, str(interaction.locale)))

    def _open(self, interaction: Interaction, sent: str) -> Table | None:
        """Return this server's open table of this number."""
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
            log.exception("%s: moderator's closing not recorded", table)

    async def _close_arena(self, interaction: Interaction, chosen: int) -> None:
        """End the arena of this channel as it stands, after a yes."""
        if not await allowed(interaction, NEEDED):
            return
        arena = self._arenas.at(ChannelId(interaction.channel_id or 0))
        if arena is None or arena.id != chosen:
            await self._redrawn(interaction, Text("arena.is_over"))
            return
        await self._arenas.close(arena, "arena.stopped.moderator")
        guild, user = arena.state.opened.guild, interaction.user.id
        log.info("server %d: moderator %d ended arena %d", guild, user, arena.id)
        await self._redrawn(interaction, Text("moderate.arena_ended", (("where", arena.link),)))

    async def void(self, interaction: Interaction, typed: str) -> None:
        """Show the match, and ask whether it's to be void."""
        if not await allowed(interaction, NEEDED, everywhere=True):
            return
        if (asked := await self._voiding.question(interaction, typed)) is not None:
            await answer(interaction, page(interaction, TO_ID, *asked))

    async def acts(self, interaction: Interaction) -> None:
        """Show the moderators' latest actions, newest first."""
        if not await allowed(interaction, NEEDED):
            return
        guild = guild_of(interaction)
        done = await self._archive.moderated(guild, LATEST)
        lines: tuple[Line, ...] = tuple(map(act, done)) or (sentence("moderate.no_acts"),)
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


def _is_number(sent: str) -> bool:
    return sent.isascii() and sent.isdecimal() and len(sent) <= len(str(2**53))
