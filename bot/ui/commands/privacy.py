"""The `/privacy` command: what is stored about a person, its export, and its deletion."""

import gzip
import io
import json
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

import discord
from discord import app_commands

from bot.i18n import say
from bot.ids import GuildId, UserId
from bot.records.models import Settings
from bot.screen import Block, Choice, Look, Row, Style, Words
from bot.tables.arenas.arenas import Arenas
from bot.tables.state.session import Phase
from bot.tables.views.lines import sentence
from bot.text import Joined, Text
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction, answer, apologise, redrawn
from bot.ui.limits.errors import FAILURES
from bot.ui.render import components
from bot.ui.toolkit.command_answers import defer_answer, page, tell
from bot.ui.toolkit.command_router import OLDER, CommandRouter, custom_id
from bot.ui.toolkit.command_words import command

log = logging.getLogger(__name__)

SUBJECT = "privacy"
TO_ID = partial(custom_id, SUBJECT)
FILE = "ligretto-mine.json"
ZIPPED = "ligretto-mine.json.gz"
ROOM = 7 * 1024 * 1024
"""Bytes of a file that every server accepts; larger exports are compressed."""


class Remembered(Protocol):
    """Something kept in memory about people."""

    def forget(self, user: UserId) -> None: ...


class Privacy:
    """The command and its buttons. They cover every server, not only this one."""

    def __init__(
        self,
        router: CommandRouter,
        arenas: Arenas,
        guild_settings: GuildSettings,
        remembered: Sequence[Remembered],
    ) -> None:
        self._archive = router.archive
        self._tables = router.tables
        self._arenas = arenas
        self._guild_settings = guild_settings
        self._remembered = remembered

    def add_to(self, router: CommandRouter) -> None:
        router.offer(self._command())
        router.on_press(SUBJECT, self.press, in_private=True)

    def _command(self) -> app_commands.Command[Any, Any, None]:
        async def privacy(interaction: discord.Interaction[discord.Client]) -> None:
            await self.open(interaction)

        return command(SUBJECT, privacy)

    async def open(self, interaction: Interaction) -> None:
        settings = Settings()
        if interaction.guild_id is not None:
            settings = self._guild_settings.of(GuildId(interaction.guild_id))
        await answer(interaction, page(interaction, TO_ID, *stored(settings)))

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Answer a button. People can only export or delete their own data."""
        match words:
            case ["export"]:
                await self._export(interaction)
            case ["forget"]:
                view = page(interaction, TO_ID, *asked_again())
                await redrawn(interaction, view)
            case ["keep"]:
                view = components.note(Text("answer.unchanged"), str(interaction.locale))
                await redrawn(interaction, view)
            case ["really"]:
                await self._forget(interaction)
            case _:
                await tell(interaction, OLDER)

    async def _export(self, interaction: Interaction) -> None:
        """Send everything stored under this person's id as a private file."""
        if not await defer_answer(interaction):
            return
        kept = await self._archive.export(UserId(interaction.user.id))
        about = say(Text("privacy.export_about"), str(interaction.locale))
        text = json.dumps({"about": about, **kept}, indent=1, ensure_ascii=False).encode()
        name = FILE
        if len(text) > ROOM:
            text, name = gzip.compress(text), ZIPPED
        file = discord.File(io.BytesIO(text), name)
        try:
            async with deadlines.later(interaction, deadlines.UPLOAD):
                await interaction.edit_original_response(attachments=[file])
        except FAILURES as error:
            log.info("privacy: export not sent: %r", error)
            await apologise(interaction)

    async def _forget(self, interaction: Interaction) -> None:
        """Anonymise this person, unless a running match will still record their name."""
        user = UserId(interaction.user.id)
        if where := self._playing(user):
            said = Text("privacy.refused.playing", (("where", Joined(where)),))
        else:
            await self._tables.forget(user)
            await self._arenas.forget(user)
            await self._archive.forget(user)
            for one in self._remembered:
                one.forget(user)
            self._tables.index.records_changed()
            log.info("privacy: anonymised a person")
            said = Text("privacy.forgotten")
        view = components.note(said, str(interaction.locale))
        await redrawn(interaction, view)

    def _playing(self, user: UserId) -> tuple[str, ...]:
        """Return links to open tables where this person has a seat.

        That includes a match they have left: what they played there counts when it ends.
        """
        return tuple(
            table.link
            for table in self._tables.index
            if table.session.phase not in (Phase.OVER, Phase.CLOSED)
            and any(chair.user == user for chair in table.session.chairs)
        )


def stored(settings: Settings) -> tuple[Block, ...]:
    """Return the page that explains what is stored, with buttons to export and delete it."""
    days = settings.keep_logs
    logs = Text("privacy.logs_ever") if days is None else Text("privacy.logs", (("n", days),))
    lines = (
        sentence("privacy.title", look=Look.HEAD),
        sentence("privacy.who"),
        sentence("privacy.matches"),
        sentence("privacy.champion"),
        sentence("privacy.daily"),
        sentence("privacy.log", (("how_long", logs),)),
        sentence("privacy.tokens"),
        sentence("privacy.arena"),
        sentence("privacy.plain"),
        sentence("privacy.newcomer"),
        sentence("privacy.moderation"),
        sentence("privacy.nothing"),
        sentence("privacy.everywhere", look=Look.SMALL),
    )
    buttons = (
        Choice(Text("button.export"), "export", style=Style.PRIMARY),
        Choice(Text("button.forget"), "forget"),
    )
    return (Words(lines), Row(buttons))


def asked_again() -> tuple[Block, ...]:
    """Return the page that asks for confirmation before anything is deleted."""
    lines = (
        sentence("privacy.sure", look=Look.HEAD),
        sentence("privacy.what_happens"),
        sentence("privacy.posted"),
        sentence("privacy.daily_forgotten"),
    )
    buttons = (
        Choice(Text("button.forget_really"), "really", style=Style.PRIMARY),
        Choice(Text("button.keep"), "keep"),
    )
    return (Words(lines), Row(buttons))
