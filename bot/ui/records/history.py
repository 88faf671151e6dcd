"""The `/history` and `/replay` commands: a server's matches, their rounds, and their logs."""

from collections.abc import Sequence
from io import BytesIO

import discord
from discord import app_commands, ui

from bot.i18n import say
from bot.records.models import PlayedMatch
from bot.screen import Look, Row, Screen, Words
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.views.lines import sentence
from bot.text import Joined, Text
from bot.ui.connection.responses import Interaction, private
from bot.ui.records.feats.server_records import RECORD_MATCH
from bot.ui.records.match_choices import match_choices, no_match, number_of
from bot.ui.records.match_pages import history_screen, match_screen, watch_button
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command
from bot.ui.toolkit.custom_id_words import exactly, number
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import show, turn_to


class Histories:
    """Both commands and their buttons. Answers are private.

    A match of another server is answered like one that doesn't exist.
    """

    def __init__(self, router: CommandRouter) -> None:
        self._router = router

        async def suggested(
            interaction: discord.Interaction[discord.Client], typed: str
        ) -> list[app_commands.Choice[str]]:
            return await match_choices(interaction, router.archive, typed)

        async def with_log(
            interaction: discord.Interaction[discord.Client], typed: str
        ) -> list[app_commands.Choice[str]]:
            return await match_choices(interaction, router.archive, typed, logged=True)

        @app_commands.autocomplete(match=suggested)
        async def history(interaction: Interaction, match: str | None = None) -> None:
            await self._history(interaction, match)

        @app_commands.autocomplete(match=with_log)
        async def replay(interaction: Interaction, match: str | None = None) -> None:
            number = None if match is None else number_of(match)
            if match is not None and number is None:
                await private(interaction, no_match(match))
                return
            await self._replay(interaction, number)

        router.offer(command("history", history, match="command.history.match"))
        router.offer(command("replay", replay, match="command.replay.match"))
        router.on_press("history", self._turn)
        router.on_press("match", self._open)
        router.on_press(RECORD_MATCH, self._open_record)
        router.on_press("replay", self._replay_pressed)
        router.on_press("log", self._log_of_table)

    async def _history(self, interaction: Interaction, typed: str | None) -> None:
        """Show the last matches, or the one that was chosen."""
        if typed is None:
            screen = await self._page(interaction, 0)
        else:
            number = number_of(typed)
            archive, guild = self._router.archive, guild_of(interaction)
            details = None if number is None else await archive.match(guild, number)
            if details is None:
                await private(interaction, no_match(typed))
                return
            screen = match_screen(details, 0, 0, _names(interaction))
        await show(interaction, screen, str(interaction.locale))

    async def _page(self, interaction: Interaction, page: int) -> Screen:
        archive, guild = self._router.archive, guild_of(interaction)
        history = await archive.history(guild, page)
        found = [await archive.match(guild, match.number) for match in history.matches]
        return history_screen(history, [one for one in found if one], _names(interaction))

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        (page,) = exactly(words, 1)
        await turn_to(
            interaction, await self._page(interaction, number(page)), str(interaction.locale)
        )

    async def _open(self, interaction: Interaction, words: Sequence[str]) -> None:
        asked, page, back = map(number, exactly(words, 3))
        details = await self._router.archive.match(guild_of(interaction), asked)
        if details is None:
            await private(interaction, no_match(str(asked)))
            return
        screen = match_screen(details, page, back, _names(interaction))
        await turn_to(interaction, screen, str(interaction.locale))

    async def _open_record(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Show the match of a record to whoever pressed."""
        (asked,) = exactly(words, 1)
        details = await self._router.archive.match(guild_of(interaction), number(asked))
        if details is None:
            await private(interaction, no_match(asked))
            return
        screen = match_screen(details, 0, 0, _names(interaction))
        await show(interaction, screen, str(interaction.locale))

    async def _replay_pressed(self, interaction: Interaction, words: Sequence[str]) -> None:
        (asked,) = exactly(words, 1)
        await self._replay(interaction, number(asked))

    async def _log_of_table(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Answer the Replay button on a table whose match is over."""
        (table,) = exactly(words, 1)
        guild = guild_of(interaction)
        details = await self._router.archive.match_of_table(guild, number(table))
        if details is None or details.match.standing is Standing.DROPPED:
            await private(interaction, Text("replay.gone"))
            return
        await self._send(interaction, details.match)

    async def _replay(self, interaction: Interaction, asked: int | None) -> None:
        archive, guild = self._router.archive, guild_of(interaction)
        if asked is None:
            latest = (await archive.history(guild, 0)).matches
            if not latest:
                await private(interaction, Text("history.empty"))
                return
            await self._send(interaction, latest[0])
            return
        details = await archive.match(guild, asked)
        if details is None:
            await private(interaction, no_match(str(asked)))
            return
        await self._send(interaction, details.match)

    async def _send(self, interaction: Interaction, match: PlayedMatch) -> None:
        locale, of_match = str(interaction.locale), (("number", match.number),)
        if not interaction.app_permissions.attach_files:
            missing = Joined((Text("permission.attach_files"),))
            await private(interaction, Text("request.refused.no_permission", (("names", missing),)))
            return
        nameless = say(Text("records.nameless"), locale)
        log = await self._router.archive.match_log(guild_of(interaction), match.number, nameless)
        if log is None:
            await private(interaction, Text("replay.no_log", of_match))
            return
        file = discord.File(BytesIO(log.encode()), f"ligretto-match-{match.number}.jsonl")
        values = (*of_match, ("game", Text(f"game.{match.game}")))
        how = sentence("replay.check", (("fair", Text("button.fair")),), Look.SMALL)
        here = Words((sentence("replay.here", values), how))
        screen = Screen((here, Row((watch_button(match),))))
        await show(interaction, screen, locale, ui.File(file), files=[file])


def _names(interaction: Interaction) -> Names:
    return Names.told_by(interaction, str(interaction.locale))
