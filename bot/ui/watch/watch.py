"""The Watch button: a round of a match as a moving picture, in private, and shared on request."""

import logging
from collections.abc import Sequence

import discord

from bot.ids import ChannelId
from bot.records.models import MatchDetails
from bot.screen import Screen
from bot.tables.decisions.rated_or_practice import Standing
from bot.text import Name, Text
from bot.ui.connection.responses import Interaction, picked, private, went_out
from bot.ui.limits.picture_lessons import Lesson, ServerLessons
from bot.ui.records.match_choices import no_match
from bot.ui.records.match_pages import seat_name
from bot.ui.toolkit.command_answers import defer_answer, guild_of, tell
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.custom_id_words import exactly, number
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import public_locale_of
from bot.ui.watch.drawing_process import BusyError, DrawingError, DrawingProcess
from bot.ui.watch.latest_answers import LatestAnswers
from bot.ui.watch.picture_message import edit, is_plain, post
from bot.ui.watch.share_limit import SharedRound, ShareLimit
from bot.ui.watch.watch_screens import (
    PICK,
    SHARE,
    WatchedMatch,
    own_screen,
    shared_screen,
)
from bot.watch.messages import WatchRequest

log = logging.getLogger(__name__)


class Watching:
    """The buttons to a moving picture. Answers are private until somebody shares one."""

    def __init__(
        self, router: CommandRouter, learned: ServerLessons, drawing: DrawingProcess
    ) -> None:
        self._archive = router.archive
        self._learned = learned
        self._drawing = drawing
        self._answers = LatestAnswers(router.clock)
        self._limit = ShareLimit(router.public, router.clock)
        self._posting: set[SharedRound] = set()
        router.on_press("watch", self._of_table)
        router.on_press("rounds", self._of_match)
        router.on_press(PICK, self._pick, in_private=True)
        router.on_press(SHARE, self._share, in_private=True)

    async def _of_table(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Answer the Watch button on a table whose match is over."""
        (table,) = exactly(words, 1)
        guild, asked = guild_of(interaction), number(table)
        if not await defer_answer(interaction):
            return
        details = await self._archive.match_of_table(guild, asked)
        if details is None or details.match.standing is Standing.DROPPED:
            await tell(interaction, Text("replay.gone"))
            return
        await self._open(interaction, details)

    async def _of_match(self, interaction: Interaction, words: Sequence[str]) -> None:
        (word,) = exactly(words, 1)
        guild, asked = guild_of(interaction), number(word)
        if not await defer_answer(interaction):
            return
        details = await self._archive.match(guild, asked)
        if details is None:
            await tell(interaction, no_match(str(asked)))
            return
        await self._open(interaction, details)

    async def _open(self, interaction: Interaction, details: MatchDetails) -> None:
        """Show the most dramatic round, in words if the reader can't be shown a picture."""
        shown = await self._watched(
            interaction, details, None, pictured=await self._sees_pictures(interaction)
        )
        if isinstance(shown, Text):
            await tell(interaction, shown)
            return
        guild, why = guild_of(interaction), (Lesson.PICTURES_STAND_STILL, Lesson.PICTURES_APART)
        attached = any(self._learned.holds(guild, lesson) for lesson in why)
        screen = self._own(interaction, shown)
        if await edit(interaction, shown, screen, attached=attached and bool(shown.watched.gif)):
            await self._answers.replace(interaction, shown.match.number)

    async def _pick(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Show another round in the same message."""
        asked, _ = map(number, exactly(words, 2))
        chosen = number(picked(interaction) or "")
        if not await went_out(interaction, interaction.response.defer):
            return
        shown = await self._again(interaction, asked, chosen)
        if shown is not None:
            attached = is_plain(interaction.message)
            await edit(interaction, shown, self._own(interaction, shown), attached=attached)

    async def _share(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Post a round in the channel if its limits allow it: once, however often it is pressed."""
        asked, chosen = map(number, exactly(words, 2))
        shared = SharedRound(ChannelId(interaction.channel_id or 0), asked, chosen)
        if shared in self._posting:
            await went_out(interaction, interaction.response.defer)
            return
        refused = _may_not_post(interaction) or self._limit.refuses(interaction, shared)
        if refused is not None:
            await private(interaction, refused)
            return
        self._posting.add(shared)
        try:
            shown = await self._posted(interaction, asked, chosen)
            if shown is None:
                self._limit.take_back(interaction, shared)
                return
            attached = is_plain(interaction.message)
            await edit(interaction, shown, self._own(interaction, shown), attached=attached)
        finally:
            self._posting.discard(shared)

    async def _posted(
        self, interaction: Interaction, asked: int, chosen: int
    ) -> WatchedMatch | None:
        """Post a round. Return it; None if it isn't in the channel, and the person knows why."""
        if not await went_out(interaction, interaction.response.defer):
            return None
        shown = await self._again(interaction, asked, chosen)
        if shown is None:
            return None
        locale = await public_locale_of(interaction, self._archive)
        screen = shared_screen(shown, Name(interaction.user.display_name))
        attached = is_plain(interaction.message)
        if await post(interaction, shown, screen, locale, attached=attached):
            return shown
        await tell(interaction, Text("watch.not_shared"))
        return None

    def _own(self, interaction: Interaction, one: WatchedMatch) -> Screen:
        where = ChannelId(interaction.channel_id or 0)
        shared = SharedRound(where, one.match.number, one.watched.shown.number)
        return own_screen(one, is_shared=self._limit.is_shared(shared))

    async def _again(
        self, interaction: Interaction, asked: int, chosen: int
    ) -> WatchedMatch | None:
        """Return this round, or say why it isn't there any more."""
        details = await self._archive.match(guild_of(interaction), asked)
        if details is None:
            await tell(interaction, no_match(str(asked)))
            return None
        pictured = await self._sees_pictures(interaction)
        shown = await self._watched(interaction, details, chosen, pictured=pictured)
        if isinstance(shown, Text):
            await tell(interaction, shown)
            return None
        return shown

    async def _watched(
        self, interaction: Interaction, details: MatchDetails, round_: int | None, *, pictured: bool
    ) -> WatchedMatch | Text:
        """Return a round, the most dramatic one by default, or why there is none."""
        match, guild = details.match, guild_of(interaction)
        packed = await self._archive.packed_log(guild, match.number)
        if packed is None:
            return Text("replay.no_log", (("number", match.number),))
        known = Names.told_by(interaction, str(interaction.locale))
        names = tuple(seat_name(seat, known) for seat in match.seats)
        request = WatchRequest(packed, tuple(name.text for name in names), round_, pictured)
        try:
            watched = await self._drawing.watched(request)
        except BusyError:
            return Text("watch.busy")
        except DrawingError as error:
            log.warning("match %d in server %d: not drawn: %s", match.number, guild, error)
            return Text("watch.failed")
        return Text("watch.nothing") if watched is None else WatchedMatch(watched, match, names)

    async def _sees_pictures(self, interaction: Interaction) -> bool:
        is_plain_reader = interaction.user.id in await self._archive.plain_readers()
        return interaction.app_permissions.attach_files and not is_plain_reader


def _may_not_post(interaction: Interaction) -> Text | None:
    """Return what the person lacks to post a picture here; None if they may."""
    held = interaction.permissions
    writes = (
        "send_messages_in_threads"
        if isinstance(interaction.channel, discord.Thread)
        else "send_messages"
    )
    for permission in (writes, "attach_files"):
        if not getattr(held, permission):
            needed = Text(f"permission.{permission}")
            return Text("request.refused.not_allowed", (("name", needed),))
    return None
