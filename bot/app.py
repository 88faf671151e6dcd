"""The running bot: resumes tables, starts and owns every task, and stops in good order."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.clock import Clock
from bot.composition.chores import Chore
from bot.composition.core import SEED, core_of
from bot.composition.restoring import restore
from bot.composition.root import Running, compose
from bot.groups.group import ALONE, Group
from bot.ids import ChannelId, GuildId
from bot.ops.health.systemd import READY, STOPPING, notify
from bot.ops.health.wall_clock import WallClockWatch
from bot.records.archive import Archive
from bot.store.database.errors import passes
from bot.store.database.file import Database
from bot.store.records.recounts import recounts
from bot.tables.registry.resume import pause
from bot.tables.running.countdown import Countdown
from bot.tables.running.robots import Robots
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.tasks import keep_running, keep_ticking
from bot.ui.connection.client import Client
from bot.ui.connection.gateway.watchdog import GatewayWatchdog
from bot.ui.connection.responses import Interaction
from bot.ui.servers.command_registration import Registration
from bot.ui.toolkit.command_limit import CommandLimit
from bot.ui.watch.drawing_process import Draw, DrawingRun

log = logging.getLogger(__name__)
GRACE = 5.0
"""Seconds in which answers are finished, and tables told, before the bot stops."""


class App:
    """A running bot: built when the client has logged in, taken down when it closes.

    `drawings` are the small pictures that its screens show; `entropy` returns so many unguessable
    bytes; `draw_round` draws in a thread; `chores` are further tasks for as long as it runs.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        drawings: Callable[[], Mapping[str, Drawing]] = faces,
        group: Group = ALONE,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        draw_round: Draw = DrawingRun.run,
    ) -> None:
        self.database = database
        self.chores: Sequence[Chore] = ()
        self._clock = clock
        self._seed = partial(entropy, SEED)
        pictures = (drawings, draw_round)
        self._core = core = core_of(database, clock, pictures, entropy, group, self._give_up)
        self.group, self._tasks = core.group, core.tasks
        self._writer, self._journal, self.places = core.writer, core.journal, core.places
        self.archive: Archive = core.archive
        self.tables, self.arenas, self._load = core.tables, core.arenas, core.load
        self._supervisor = core.supervisor
        self._command_limit = CommandLimit(clock)
        self.on_away: Callable[[], None] = lambda: None
        self.on_begun: Callable[[], None] = lambda: None
        self.on_ready: Callable[[], None] = lambda: None
        self.news: Callable[[], tuple[str, str] | None] = lambda: None
        self.running: Running | None = None
        self.lost: list[TableId] = []  # tables that could not be resumed

    async def begin(self, client: Client) -> None:
        """Resume every open table, then take commands. Presses count from here."""
        self._journal.application = self._core.arena_store.application = client.application_id
        self.running = running = await self.register(client)
        self._keep_up(self._writer.run, "writer")
        await running.daily.secrets.begin()
        unresumable = await self._resume()
        countdown = Countdown(self._supervisor, self._clock)
        robots = Robots(self._supervisor, self._clock, self._seed)
        watchers = (self.arenas.watch, running.messages.watch, countdown.watch, robots.watch)
        self.tables.watchers += watchers
        await self.arenas.resume()
        self.arenas.watchers.append(running.arena.watch)
        await running.shared.begin(self._keep_up)
        self._keep_up(running.arena.resume, "arenas' messages")
        shown = (*filter(_has_message, self.tables.index), *unresumable)
        again = restore(client, shown, running.messages, self._supervisor, self._clock)
        self._tasks(again, name="restore")
        for table in self.tables.unpaused:
            self._supervisor.start(table, "pause", partial(pause, table, table.session))
        registration = Registration(client.tree, self.places, self._clock, passes)
        self._keep_up(registration.run, "registration")
        watchdog = GatewayWatchdog(client, self._clock, self.on_away)
        for part in (*running.ticking, watchdog, WallClockWatch(self.tables.discord)):
            work = partial(keep_ticking, part, self._clock)
            self._keep_up(work, f"tick of {type(part).__name__}")
        self._begin_chores(running)
        self.on_begun()

    def _begin_chores(self, running: Running) -> None:
        """Start what ends by itself, or is the caller's."""
        self._keep_up(running.context.emojis.run, "emojis")
        self._keep_up(running.live.clean_up, "live check leftovers")
        crowned = running.context.champions.read
        for name, recount in recounts(self.database.reading, self._writer, self._clock, crowned):
            self._keep_up(recount, name)
        for chore in self.chores:
            self._keep_up(chore.run, type(chore).__name__)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Run the database writer and no other task, for commands that end by themselves."""
        self._tasks(self._writer.run(), name="writer")
        try:
            yield
        finally:
            await self._writer.stop()

    async def register(self, client: Client) -> Running:
        """Give the client every command. Nothing is started, and nothing written."""
        return await compose(self._core, client)

    async def _resume(self) -> list[Table]:
        """Return the tables that could not go on."""
        stored = await self._journal.read_open()
        unresumable = await self.tables.resume(stored, await self._journal.next_table())
        self.lost = [one.id for one in stored if self.tables.index.get(one.id) is None]
        self.places.tidy(self.tables.discord.now())
        return unresumable

    async def ready(self) -> None:
        notify(READY)
        self.on_ready()
        if self.running is not None:
            await self.running.servers.ready()

    async def joined(self, guild: GuildId) -> None:
        if self.running is not None:
            await self.running.servers.joined(guild)

    async def left(self, guild: GuildId) -> None:
        if self.running is not None:
            await self.running.servers.left(guild)

    def deleted(self, channel: ChannelId) -> None:
        if self.running is not None:
            self.running.messages.channel_deleted(channel)
            self.running.arena.channel_deleted(channel)

    async def lets_in(self, interaction: Interaction) -> bool:
        """Return whether a command may run; False once the bot has begun to end."""
        return self.running is not None and await self._command_limit.lets_in(interaction)

    def press(self, interaction: Interaction) -> Awaitable[None]:
        """Handle a press. A press on a table is in line when this returns."""
        running = self.running
        if running is not None and running.arena_presses.is_for(interaction):
            return running.arena_presses.handle(interaction)
        if running is not None and not running.router.is_for(interaction):
            return running.handle(interaction)
        if running is None or running.router.opens(interaction):
            return self._ask(interaction, None)
        return self._ask(interaction, running.presses.here(interaction))

    async def _ask(self, interaction: Interaction, here: Awaitable[None] | None) -> None:
        """Answer a press on a leaderboard, a list or a private answer: no table waits for it."""
        if self.running is not None and await self.lets_in(interaction):
            await self.running.router.press(interaction)
        if here is not None:
            await here

    def rate_limited(self, channel: ChannelId | None) -> None:
        if self.running is not None:
            self.running.messages.budget.rate_limited(channel)

    def dated(self, date: str) -> None:
        """Set Discord's clock by the Date header of an answer."""
        self.tables.discord.dated(date)

    def lost_emojis(self, error: Exception) -> bool:
        """Return whether a refusal is due to emojis that were deleted. They are missed then."""
        return self.running is not None and self.running.context.emojis.doubt(error)

    def answered_late(self) -> None:
        self._load.answered_late()

    def figures(self) -> dict[str, float]:
        """Return the metrics by name: totals since the start, and current numbers."""
        client = self.running.client if self.running is not None else None
        return {
            **self._load.figures(),
            "connected": float(client is not None and client.is_connected),
            "edits": client.calls.edits if client is not None else 0,
            "rate_limits": client.calls.limits_met if client is not None else 0,
            "commits": self._writer.commits,
            "commit_seconds": self._writer.seconds,
        }

    @property
    def is_stuck(self) -> bool:
        """True while a transaction hangs, so that nothing is written."""
        return self._writer.is_stuck

    async def end(self) -> None:
        """Finish answers, tell open tables, and let the writer finish what it was given.

        Answers and tables get GRACE seconds; then answers are cancelled, and all else stops.
        """
        notify(STOPPING)
        if (running := self.running) is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await asyncio.gather(
                        running.client.answered(),
                        running.messages.farewell(),
                        running.arena.farewell(),
                        running.live.farewell(),
                    )
                    self.running = None  # presses from now on are not heard
                    await running.client.answered()
            self.running = None
            await self._writer.stop()
            await running.client.give_up_answers()
        await self._tasks.stop()

    def _keep_up(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._tasks(keep_running(work, name, self._clock), name=name)

    async def _give_up(self, table: Table) -> None:
        """Close a table that keeps failing, and tell everybody at it why.

        A table that is already closed is never drawn again.
        """
        if table.session.phase is not Phase.CLOSED:
            await self.tables.close(table, "table.closed.broken")
        elif self.running is not None:
            self.running.messages.give_up(table)


def _has_message(table: Table) -> bool:
    """Return whether a table has a message of its own. Arenas restore the panels of theirs."""
    return table.session.opened.arena is None
