"""The `/history` and `/replay` commands: a server's matches, their rounds, and their logs."""

from collections.abc import Sequence
from io import BytesIO

import discord
from discord import app_commands, ui

from bot.games.screen import Joined, Screen, Text, Words
from bot.i18n import say
from bot.records.figures import PlayedMatch
from bot.records.results import Standing
from bot.tables.phrases import sentence
from bot.ui.answers import Interaction, private
from bot.ui.asking import command, guild_of
from bot.ui.desk import Desk
from bot.ui.records.ids import as_many, number
from bot.ui.records.matches import history_screen, match_screen
from bot.ui.records.people import Names
from bot.ui.records.reply import show, turn_to

MOST = 10**15 - 1
"""The largest match number a command accepts."""


class Histories:
    """Both commands and their buttons. Answers are private.

    A match of another server is answered like one that doesn't exist.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

        async def history(interaction: Interaction) -> None:
            await show(interaction, await self._page(interaction, 0), str(interaction.locale))

        async def replay(
            interaction: Interaction,
            match: app_commands.Range[int, 1, MOST] | None = None,
        ) -> None:
            await self._replay(interaction, match)

        desk.offer(command("history", history))
        desk.offer(command("replay", replay, match="command.replay.match"))
        desk.answer("history", self._turn)
        desk.answer("match", self._open)
        desk.answer("replay", self._replay_pressed)
        desk.answer("log", self._log_of_table)

    async def _page(self, interaction: Interaction, page: int) -> Screen:
        archive, guild = self._desk.archive, guild_of(interaction)
        history = await archive.history(guild, page)
        found = [await archive.match(guild, match.number) for match in history.matches]
        return history_screen(history, [one for one in found if one], _names(interaction))

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        (page,) = as_many(words, 1)
        await turn_to(
            interaction, await self._page(interaction, number(page)), str(interaction.locale)
        )

    async def _open(self, interaction: Interaction, words: Sequence[str]) -> None:
        asked, page, back = map(number, as_many(words, 3))
        details = await self._desk.archive.match(guild_of(interaction), asked)
        if details is None:
            await private(interaction, Text("replay.unknown", (("number", asked),)))
            return
        screen = match_screen(details, page, back, _names(interaction))
        await turn_to(interaction, screen, str(interaction.locale))

    async def _replay_pressed(self, interaction: Interaction, words: Sequence[str]) -> None:
        (asked,) = as_many(words, 1)
        await self._replay(interaction, number(asked))

    async def _log_of_table(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Answer the Replay button on a table whose match is over."""
        (table,) = as_many(words, 1)
        guild = guild_of(interaction)
        details = await self._desk.archive.match_of_table(guild, number(table))
        if details is None or details.match.standing is Standing.DROPPED:
            await private(interaction, Text("replay.gone"))
            return
        await self._send(interaction, details.match)

    async def _replay(self, interaction: Interaction, asked: int | None) -> None:
        archive, guild = self._desk.archive, guild_of(interaction)
        if asked is None:
            latest = (await archive.history(guild, 0)).matches
            if not latest:
                await private(interaction, Text("history.empty"))
                return
            await self._send(interaction, latest[0])
            return
        details = await archive.match(guild, asked)
        if details is None:
            await private(interaction, Text("replay.unknown", (("number", asked),)))
            return
        await self._send(interaction, details.match)

    async def _send(self, interaction: Interaction, match: PlayedMatch) -> None:
        locale, of_match = str(interaction.locale), (("number", match.number),)
        if not interaction.app_permissions.attach_files:
            missing = Joined((Text("permission.attach_files"),))
            await private(interaction, Text("door.refused.no_permission", (("names", missing),)))
            return
        nameless = say(Text("records.nameless"), locale)
        log = await self._desk.archive.match_log(guild_of(interaction), match.number, nameless)
        if log is None:
            await private(interaction, Text("replay.no_log", of_match))
            return
        file = discord.File(BytesIO(log.encode()), f"ligretto-match-{match.number}.jsonl")
        values = (*of_match, ("game", Text(f"game.{match.game}")))
        screen = Screen((Words((sentence("replay.here", values),)),))
        await show(interaction, screen, locale, ui.File(file), files=[file])


def _names(interaction: Interaction) -> Names:
    return Names.told_by(interaction, str(interaction.locale))
