"""The test of Discord that a server's manager starts from `/settings`: once, in a real channel.

Its first press waits for a second one, since limits may be of each token: two managers press, or
one presses twice. With both tokens private messages are edited for a minute; then the bot tries
its own calls, deletes what it has posted and reports. What it learns is kept for the server.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.art.moving import moving
from bot.i18n import FALLBACK
from bot.ids import ChannelId, GuildId
from bot.tasks import Spawn
from bot.text import Text
from bot.ui.connection.responses import Interaction, redrawn
from bot.ui.limits.picture_lessons import Lesson
from bot.ui.live_check.edit_probe import edited
from bot.ui.live_check.leftovers import Left, Leftovers, Notes
from bot.ui.live_check.lessons import learn, learn_pace, learn_pictures
from bot.ui.live_check.panels import LivePanels
from bot.ui.live_check.participant import (
    SUBJECT,
    Participant,
    ask,
    in_full,
    note,
    progress,
    show_to,
)
from bot.ui.live_check.probes import ProbeKind, Probes, takes_threads
from bot.ui.live_check.report import Report
from bot.ui.panels.context import PanelContext
from bot.ui.render import components
from bot.ui.render.image_worker import drawn
from bot.ui.toolkit.command_answers import allowed, guild_of, tell
from bot.ui.toolkit.command_router import CommandRouter, NotOursError
from bot.ui.toolkit.invitation import is_absent, no_bot

log = logging.getLogger(__name__)

NEEDED = "manage_guild"
WAITS = 300.0
"""Seconds for which the first press waits for the second: its token has to last for all of it."""


@dataclass(slots=True)
class Run:
    """A test that runs, or is about to. `task`: None until it has begun."""

    channel: ChannelId
    parts: tuple[Participant, ...]
    task: asyncio.Task[Any] | None = None


class LiveCheck:
    """The live checks, at most one at a time in a server.

    The state is in memory: a kill ends a check, and the next process says so and deletes its posts.
    """

    def __init__(
        self,
        context: PanelContext,
        notes: Notes,
        spawn: Spawn,
        occupied: Callable[[ChannelId], bool],
    ) -> None:
        self.leftovers = Leftovers(context.client, notes, context.discord_time)
        self._panels = LivePanels(context, notes)
        self._context = context
        self._spawn = spawn
        self._occupied = occupied
        self._waiting: dict[GuildId, Participant] = {}
        self._running: dict[GuildId, Run] = {}
        self._moves: dict[GuildId, bool] = {}
        self._is_ending = False

    def add_to(self, router: CommandRouter) -> None:
        router.on_press(SUBJECT, self.press, in_private=True)

    async def begin(self, interaction: Interaction) -> None:
        """Take a press on the button in `/settings`, by somebody who may change settings.

        In a server that the gateway has named, nothing is awaited before the press counts.
        """
        guild, channel = guild_of(interaction), ChannelId(interaction.channel_id or 0)
        if await is_absent(self._context.client, guild):
            await tell(interaction, no_bot(interaction))
            return
        if guild in self._running:
            await tell(interaction, Text("live.running"))
            return
        if self._occupied(channel):
            await tell(interaction, Text("live.table_here"))
            return
        part = Participant(interaction, self._context.clock.now())
        first = self._waiting.pop(guild, None)
        if first is None or not self._fits(first, channel):
            await self._wait(guild, part)
            if first is not None:
                await self._void(first)
            return
        parts = (first, part)
        self._running[guild] = Run(channel, parts)
        await self._answer(part, Text("live.started"))
        if not self._is_ending:
            self._spawn(self._run(guild, parts), name=f"live check in server {guild}")

    async def _wait(self, guild: GuildId, part: Participant) -> None:
        """Let a first press wait for the second, if its answer, which says so, went out."""
        self._waiting[guild] = part
        if not await self._answer(part, Text("live.waiting")) and self._waiting.get(guild) is part:
            del self._waiting[guild]
            await self._void(part)

    async def _answer(self, part: Participant, said: Text) -> bool:
        """Answer a press, and keep its message meanwhile. Return whether the answer went out."""
        kept, went = await asyncio.gather(
            self._panels.keep(part), part.answer(said), return_exceptions=True
        )
        if isinstance(went, BaseException):
            raise went
        if isinstance(kept, Exception):
            log.warning("channel %d: live check's message not stored: %r", part.channel, kept)
        return went

    async def _void(self, part: Participant) -> None:
        """Say that a press counts no longer."""
        if await part.is_answered() or part.place is not None:
            await show_to(self._context, part, note(part, Text("live.void")))
        await self._panels.drop((part,))

    def is_in(self, channel: ChannelId) -> bool:
        """Return whether a test runs in this channel."""
        return any(run.channel == channel for run in self._running.values())

    async def clean_up(self) -> None:
        """Finish what an earlier process has left: its messages and its posts."""
        await self._panels.finish()
        await self.leftovers.clean_up()

    async def farewell(self) -> None:
        """End what runs or waits, and say so: the process is about to end. Deletes what it can."""
        self._is_ending = True
        runs = tuple(self._running.values())
        parts = [*self._waiting.values(), *(part for run in runs for part in run.parts)]
        self._waiting.clear()
        tasks = [run.task for run in runs if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if parts:
            await asyncio.gather(self.leftovers.clean_up(), *map(self._interrupted, parts))

    async def _interrupted(self, part: Participant) -> None:
        await part.is_answered()
        await show_to(self._context, part, note(part, Text("live.interrupted")))
        await self._panels.drop((part,))

    def _fits(self, first: Participant, channel: ChannelId) -> bool:
        return first.channel == channel and self._context.clock.now() - first.at < WAITS

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Take the answer to the question if the picture moves."""
        if words not in (["moves"], ["still"]):
            raise NotOursError
        if not await allowed(interaction, NEEDED):
            return
        guild, does = guild_of(interaction), words == ["moves"]
        if guild not in self._running:
            await redrawn(interaction, components.note(Text("live.late"), str(interaction.locale)))
            return
        self._moves[guild] = does
        learn(self._context.learned, guild, Lesson.PICTURES_STAND_STILL, holds=not does)
        await redrawn(interaction, components.note(Text("live.thanks"), str(interaction.locale)))

    async def without_presses(
        self, guild: GuildId, channel: ChannelId, *, takes_threads: bool
    ) -> tuple[Probes, Left]:
        """Try what needs no press, in a process without a connection for events.

        Return how it went, and what could not be deleted.
        """
        await self.leftovers.clean_up()
        probes = Probes(self._context.clock, await drawn(moving))
        left = await probes.in_channel(
            self._context.client, channel, self.leftovers, FALLBACK, takes_threads=takes_threads
        )
        learn_pictures(self._context.learned, guild, probes)
        return probes, left

    # -- the test itself --------------------------------------------------------------------

    async def _run(self, guild: GuildId, pressed: tuple[Participant, ...]) -> None:
        """Test with the presses that have an answer, if one of these surely went out."""
        self._running[guild].task = asyncio.current_task()
        try:
            answered = [await part.is_answered() for part in pressed]
            parts = tuple(part for part in pressed if part.place is not None)
            if any(answered):
                await self._shown(guild, parts)
            else:
                await asyncio.gather(*map(self._void, parts))
        finally:
            self._running.pop(guild, None)
            self._moves.pop(guild, None)
            await self._panels.drop(pressed)

    async def _shown(self, guild: GuildId, parts: Sequence[Participant]) -> None:
        """Show both managers the report, or once if one manager has pressed twice."""
        try:
            report = await self._tried(guild, parts)
        except Exception:
            log.exception("server %d: live check failed", guild)
            views = [note(part, Text("live.broken")) for part in parts]
        else:
            readers = {part.user: part for part in reversed(parts)}
            views = [
                in_full(report, part.locale)
                if readers[part.user] is part
                else note(part, Text("live.over"))
                for part in parts
            ]
        show = partial(show_to, self._context)
        await asyncio.gather(*map(show, parts, views))

    async def _tried(self, guild: GuildId, parts: Sequence[Participant]) -> Report:
        """Try everything, and remember what it has taught."""
        context, first = self._context, parts[0]
        probes = Probes(context.clock, await drawn(moving))
        where = first.where(guild)
        asked = context.budget.spend(where).at
        await probes.attempt(ProbeKind.MOVING, lambda: ask(first, probes))
        places = [part.place for part in parts if part.place is not None]
        edits = await edited(places, context, where, partial(progress, first.locale), [asked])
        left = await probes.in_channel(
            context.client,
            first.channel,
            self.leftovers,
            FALLBACK,
            takes_threads=takes_threads(first.interaction.channel),
        )
        learn_pace(context.budget, where, edits, context.clock.now())
        learn_pictures(context.learned, guild, probes)
        return Report(tuple(probes.done), edits, left, self._moves.get(guild))
