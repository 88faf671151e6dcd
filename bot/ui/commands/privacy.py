"""The `/privacy` command: what is stored about a person, its export, and its deletion."""

import gzip
import io
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.i18n import say
from bot.ids import GuildId, UserId
from bot.records.models import Settings
from bot.screen import Block, Choice, Look, Row, Style, Words
from bot.tables.views.lines import sentence
from bot.text import Joined, Text
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.connection import deadlines
from bot.ui.connection.responses import Interaction, answer, apologise, redrawn, went_out
from bot.ui.limits.errors import FAILURES
from bot.ui.people.everywhere import Everywhere, Part, Why
from bot.ui.people.exports import export_text
from bot.ui.people.parts import not_deleted, not_in_it
from bot.ui.render import components
from bot.ui.toolkit.command_answers import defer_answer, page, replaced, tell
from bot.ui.toolkit.command_router import OLDER, CommandRouter, custom_id
from bot.ui.toolkit.command_words import command

log = logging.getLogger(__name__)

SUBJECT = "privacy"
TO_ID = partial(custom_id, SUBJECT)
FILE = "ligretto-mine.json"
ZIPPED = "ligretto-mine.json.gz"
ROOM = 7 * 1024 * 1024
"""Bytes of a file that every server accepts; larger exports are compressed."""


class Privacy:
    """The command and its buttons. They cover every server, not only this one."""

    def __init__(self, everywhere: Everywhere, guild_settings: GuildSettings) -> None:
        self._everywhere = everywhere
        self._guild_settings = guild_settings

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
        left = await self._everywhere.left(UserId(interaction.user.id))
        await answer(interaction, page(interaction, TO_ID, *stored(settings, left)))

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
        found = await self._everywhere.export(UserId(interaction.user.id))
        locale = str(interaction.locale)
        text, name = export_text(found, locale), FILE
        if len(text) > ROOM:
            text, name = gzip.compress(text), ZIPPED
        file = discord.File(io.BytesIO(text), name)
        said = "\n".join(say(one, locale) for one in not_in_it(found.missing)) or None
        try:
            async with deadlines.later(interaction, deadlines.UPLOAD):
                await interaction.edit_original_response(content=said, attachments=[file])
        except FAILURES as error:
            log.info("privacy: export not sent: %r", error)
            await apologise(interaction)

    async def _forget(self, interaction: Interaction) -> None:
        """Anonymise this person, unless a running match will still record their name."""
        user = UserId(interaction.user.id)
        defer = interaction.response.defer
        if self._everywhere.takes_time and not await went_out(interaction, defer):
            return
        if where := await self._everywhere.playing(user):
            said = Text("privacy.refused.playing", (("where", Joined(where)),))
        else:
            left = await self._everywhere.forget(user)
            log.info("privacy: anonymised a person")
            if left:
                lines = (sentence("privacy.forgotten_partly", look=Look.HEAD), *not_deleted(left))
                await replaced(interaction, page(interaction, TO_ID, Words(lines)))
                return
            said = Text("privacy.forgotten")
        await replaced(interaction, components.note(said, str(interaction.locale)))


def stored(settings: Settings, left: Mapping[Part, Why]) -> tuple[Block, ...]:
    """Return the page that explains what is stored, with buttons to export and delete it.

    `left`: the parts of the bot in which this person's deletion isn't done yet.
    """
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
        *not_deleted(left),
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
