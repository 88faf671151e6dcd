"""Taking a match back: the question that shows it, and what a Yes does."""

import logging

from bot.ids import GuildId, UserId
from bot.records.models import MatchDetails
from bot.screen import Block
from bot.tables.arenas.arenas import Arenas
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.state.journal import TableId
from bot.text import Text
from bot.ui.commands.moderation_pages import sure_void
from bot.ui.connection.responses import Interaction, went_out
from bot.ui.records.match_choices import no_match, number_of
from bot.ui.toolkit.command_answers import edited, guild_of, tell
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.player_names import Names

log = logging.getLogger(__name__)


class Voiding:
    """The question and its Yes. Callers have checked the moderator's permission."""

    def __init__(self, router: CommandRouter, arenas: Arenas) -> None:
        self._arenas = arenas
        self._archive = router.archive
        self._tables = router.tables
        self._clock = router.clock
        self._champions = router.champions

    async def question(self, interaction: Interaction, typed: str) -> tuple[Block, ...] | None:
        """Return what to ask before a match is void; None if there's none, which is told."""
        number, guild = number_of(typed), guild_of(interaction)
        found = None if number is None else await self._archive.match(guild, number)
        if found is None:
            await tell(interaction, no_match(typed))
            return None
        if found.match.standing is Standing.VOID:
            await tell(interaction, _said("moderate.void_already", found.match.number))
            return None
        return sure_void(found, Names.told_by(interaction, str(interaction.locale)))

    async def void(self, interaction: Interaction, number: int) -> None:
        """Void a match. The answer is deferred: recalculating ratings takes a moment."""
        guild = guild_of(interaction)
        if not await went_out(interaction, interaction.response.defer):
            return
        details = await self._archive.match(guild, number)
        if details is None:
            await edited(interaction, no_match(str(number)))
            return
        await edited(interaction, _said(await self._voided(interaction, details), number))

    async def _voided(self, interaction: Interaction, details: MatchDetails) -> str:
        """Void a match, and return the key of what is said then."""
        guild, user = guild_of(interaction), UserId(interaction.user.id)
        match = details.match
        at = int(self._clock.wall() * 1000)
        done = await self._archive.void(guild, match.number, moderator=user, at=at)
        what = "voided" if done else "nothing to void"
        log.info("server %d: moderator %d, match %d: %s", guild, user, match.number, what)
        if not done:
            return "moderate.void_already"
        await self._champions.read(guild)
        await self._arenas.voided(guild, TableId(match.table))
        self._tables.index.records_changed(guild)
        return "moderate.voided_due" if await self._is_due(guild, match.game) else "moderate.voided"

    async def _is_due(self, guild: GuildId, game: str) -> bool:
        return await self._archive.ratings_due(guild, game)


def _said(key: str, number: int) -> Text:
    return Text(key, (("match", number),))
