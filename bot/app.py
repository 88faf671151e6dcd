"""The running bot: resumes tables, starts and owns every task, and stops in good order."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.clock import Clock
from bot.composition.chores import Chore
from bot.composition.core import SEED, core_of
from bot.composition.restoring import has_message, recall, restore
from bot.composition.root import Running, compose
from bot.groups.group import ALONE, Group
from bot.ids import ChannelId, GuildId
from bot.ops.health.systemd import READY, STOPPING, notify
from bot.ops.health.wall_clock import WallClockWatch
from bot.records.archive import Archive
from bot.store.database.file import Database
from bot.tables.registry.resume import pause
from bot.tables.running.countdown import Countdown
from bot.tables.running.robots import Robots
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.tasks import Work, keep_running, keep_ticking
from bot.ui.connection.client import Client
from bot.ui.connection.gateway.watchdog import GatewayWatchdog
from bot.ui.connection.responses import Interaction, sent_id
from bot.ui.render import custom_ids
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
        self.group, self.once, self._tasks = core.group, core.once, core.tasks
        self.writer, self._supervisor = core.writer, core.supervisor
        self._journal, self.places = core.journal, core.places
        self.archive: Archive = core.archive
        self.tables, self.arenas, self._load = core.tables, core.arenas, core.load
        self._command_limit = CommandLimit(clock)
        self.on_away: Callable[[], None] = lambda: None
        self.on_begun: Callable[[], None] = lambda: None
        self.on_ready: Callable[[], None] = lambda: None
        self.news: Callable[[], tuple[str, str] | None] = lambda: None
        self.running: Running | None = None
        self.lost: list[TableId] = []  # tables that could not be resumed
        self._given_away: Running | None = None

    async def begin(self, client: Client) -> None:
        """Resume every open table, then take commands. Events wait until this returns."""
        self._journal.application = self._core.arena_store.application = client.application_id
        self.running = running = await self.register(client)
        self._keep_up(self.writer.run, "writer")
        await running.daily.secrets.begin()
        unresumable = await self._resume()
        countdown = Countdown(self._supervisor, self._clock)
        robots = Robots(self._supervisor, self._clock, self._seed)
        watchers = (self.arenas.watch, running.messages.watch, countdown.watch, robots.watch)
        self.tables.watchers += watchers
        await self.arenas.resume()
        self.arenas.watchers.append(running.arena.watch)
        await running.across.begin()
        self._keep_up(running.arena.resume, "arenas' messages")
        shown = (*filter(has_message, self.tables.index), *unresumable)
        unread = await recall(shown, running.messages)
        again = restore(client, shown, unread, running.messages, self._supervisor, self._clock)
        self._tasks(again, name="restore")
        for table in self.tables.unpaused:
            self._supervisor.start(table, "pause", partial(pause, table, table.session))
        watchdog = GatewayWatchdog(client, self._clock, self.on_away)
        for part in (*running.ticking, watchdog, WallClockWatch(self.tables.discord)):
            work = partial(keep_ticking, part, self._clock)
            self._keep_up(work, f"tick of {type(part).__name__}")
        for name, done in running.work.items():
            self._keep_up(done, name)
        for chore in self.chores:
            self._keep_up(chore.run, type(chore).__name__)
        self.on_begun()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Run the database writer and no other task, for commands that end by themselves."""
        self._tasks(self.writer.run(), name="writer")
        try:
            yield
        finally:
            await self.writer.stop()

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
        if running is not None and sent_id(interaction).startswith(custom_ids.PREFIX):
            return running.presses.handle(interaction)
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
            self.running.across.rate_limited(channel)

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
            **(self._load.figures() | self.group.figures()),
            "connected": float(client is not None and client.is_connected),
            "edits": client.calls.edits if client is not None else 0,
            "rate_limits": client.calls.limits_met if client is not None else 0,
            "commits": self.writer.commits,
            "commit_seconds": self.writer.seconds,
        }

    @property
    def is_stuck(self) -> bool:
        """True while a transaction hangs, so that nothing is written."""
        return self.writer.is_stuck

    def give_way(self) -> None:
        """Hear no press from now on, and let `end` tell the tables nothing of the stop."""
        self._given_away, self.running = self.running, None

    async def end(self) -> None:
        """Finish answers, tell open tables, and let the writer finish what it was given.

        Answers and tables get GRACE seconds; then answers are cancelled, and all else stops.
        """
        notify(STOPPING)
        if (running := self.running) is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await running.farewell()
                    self.running = None  # presses from now on are not heard
                    await running.client.answered()
            self.running = None
        if (running := running or self._given_away) is not None:
            await self.writer.stop()
            await running.client.give_up_answers()
        await self._tasks.stop()

    def _keep_up(self, work: Work, name: str) -> None:
        self._tasks(keep_running(work, name, self._clock), name=name)

    async def _give_up(self, table: Table) -> None:
        """Close a table that keeps failing, and tell everybody at it why.

        A table that is already closed is never drawn again.
        """
        if table.session.phase is not Phase.CLOSED:
            await self.tables.close(table, "table.closed.broken")
        elif self.running is not None:
            self.running.messages.give_up(table)
