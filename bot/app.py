"""The composition root: the only place that knows everybody, and that owns every task."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.clock import Clock
from bot.ids import ChannelId, GuildId
from bot.ops.health.systemd import READY, STOPPING, notify
from bot.ops.health.wall_clock import WallClock
from bot.records.archive import Archive
from bot.store.database.errors import passes
from bot.store.database.file import Database
from bot.store.database.writer import Writer
from bot.store.records.archive import SqliteArchive
from bot.store.records.rerating import Rerating
from bot.store.tables.journal import SqliteJournal
from bot.store.tables.message_refs import SqlitePlaces
from bot.store.tables.paces import SqlitePaces
from bot.tables.running.countdown import Countdown
from bot.tables.running.registry import Tables
from bot.tables.running.resume import pause
from bot.tables.running.robots import Robots
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.tasks import OwnedTasks, lasting
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.caches.plain_text_users import PlainTextUsers
from bot.ui.commands.moderation import Moderation
from bot.ui.commands.ping import Ping
from bot.ui.commands.plain_text import PlainText
from bot.ui.commands.play import Commands
from bot.ui.commands.privacy import Privacy
from bot.ui.commands.rules import Rules
from bot.ui.commands.settings import SettingsPanel
from bot.ui.connection.client import Client
from bot.ui.connection.gateway_watchdog import GatewayWatchdog
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.responses import Interaction
from bot.ui.limits.edit_budget import Budget
from bot.ui.limits.server_lessons import Learned
from bot.ui.live_check.live_check import LiveCheck
from bot.ui.panels.context import PanelContext
from bot.ui.presses.presses import Presses
from bot.ui.records import MatchSummary, register
from bot.ui.records.fairness import Fairness
from bot.ui.render.emojis import EmojiUploader
from bot.ui.servers.command_registration import Registration
from bot.ui.servers.lifecycle import Servers
from bot.ui.tables.messages import TableMessages
from bot.ui.toolkit.command_limit import CommandLimit
from bot.ui.toolkit.router import CommandRouter

log = logging.getLogger(__name__)

SEED = 32
"""Bytes of a seed: of a match's deals, or of what a computer player does by chance."""
TICK = 5.0
"""Seconds between two looks at what time has brought."""
GRACE = 5.0
"""Seconds in which answers are finished, and tables told, before the bot stops."""


class Ticking(Protocol):
    async def tick(self) -> None: ...


class Chore(Protocol):
    async def run(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Running:
    """The parts that exist only while a client is logged in."""

    client: Client
    context: PanelContext
    messages: TableMessages
    presses: Presses
    router: CommandRouter
    servers: Servers
    live: LiveCheck


class App:
    """A running bot: built when the client has logged in, taken down when it closes.

    `drawings` are the small pictures that its screens show; `chores` are further tasks for as long
    as it runs; `entropy` returns this number of unguessable bytes, for seeds.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        drawings: Callable[[], Mapping[str, Drawing]] = faces,
        chores: Sequence[Chore] = (),
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.database = database
        self._chores = chores
        self._drawings = drawings
        self._clock = clock
        self._seed = partial(entropy, SEED)
        self._tasks = OwnedTasks()
        self._writer = Writer(database.writing, clock)
        self._journal = SqliteJournal(database.writing, self._writer)
        self._places = SqlitePlaces(database.writing, self._writer)
        self.archive: Archive = SqliteArchive(database.reading, self._writer)
        self.tables = Tables(self._journal, clock, self._seed, self._tasks, passes)
        self._command_limit = CommandLimit(clock)
        self._load = Load(self.tables.index, clock)
        self.on_away: Callable[[], None] = lambda: None
        self.on_begun: Callable[[], None] = lambda: None
        self._supervisor = Supervisor(self._tasks, self._give_up, clock, passes)
        self.running: Running | None = None

    async def begin(self, client: Client) -> None:
        """Resume every open table, then take commands. Presses count from here."""
        self._journal.application = client.application_id
        self.running = running = await self.register(client)
        self._goes_on(self._writer.run, "writer")
        unresumable = await self._resume()
        countdown = Countdown(self._supervisor, self._clock)
        robots = Robots(self._supervisor, self._clock, self._seed)
        self.tables.watchers += [running.messages.watch, countdown.watch, robots.watch]
        for table in (*self.tables.index, *unresumable):
            self._supervisor.start(table, "resume", partial(running.messages.resume, table))
        for table in self.tables.unpaused:
            self._supervisor.start(table, "pause", partial(pause, table, table.session))
        registration = Registration(client.tree, self._places, self._clock, passes)
        self._goes_on(registration.run, "registration")
        watchdog = GatewayWatchdog(client, self._clock, self.on_away)
        clock = WallClock(self.tables.discord)
        for part in (self.tables, running.messages, running.servers, watchdog, self._load, clock):
            self._goes_on(partial(self._ticking, part), f"tick of {type(part).__name__}")
        self._goes_on(running.context.emojis.run, "emojis")
        self._goes_on(running.live.clean_up, "live check leftovers")
        self._goes_on(Rerating(self.database.reading, self._writer, self._clock).run, "rerating")
        for chore in self._chores:
            self._goes_on(chore.run, type(chore).__name__)
        self.on_begun()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Write what is to be kept, and nothing else: for commands that end by themselves."""
        self._tasks(self._writer.run(), name="writer")
        try:
            yield
        finally:
            await self._writer.stop()

    async def register(self, client: Client) -> Running:
        """Give the client every command. Nothing is started, and nothing written."""
        context, index = await self._context(client), self.tables.index

        def occupied(channel: ChannelId) -> bool:
            return index.at(channel) is not None

        live = LiveCheck(context, self._places, self._tasks, index.in_play_at)
        messages = TableMessages(
            context,
            self._places,
            occupied=occupied,
            followed=lambda table: index.at(table.session.channel) not in (None, table),
            match_summary=MatchSummary(self.archive),
        )
        self._load.more_held = messages.held
        presses = Presses(self.tables, messages, self._load, self._clock, live.is_in)
        guild_settings = GuildSettings(self.archive)
        await guild_settings.load()
        router = CommandRouter(self.archive, self.tables, self._clock)
        Commands(router, messages, presses, guild_settings, live.is_in).add_to(client.tree)
        self._offer(router, guild_settings, messages, context.plain, live)
        router.add_to(client.tree)
        servers = Servers(client, self.archive, self.tables, guild_settings, self._clock, passes)
        return Running(client, context, messages, presses, router, servers, live)

    async def _context(self, client: Client) -> PanelContext:
        """Return the tools of panels, with what was known before the start."""
        budget = Budget(self._clock, SqlitePaces(self.database.writing, self._writer))
        emojis = EmojiUploader(client, self._places, budget, self._clock, self._drawings())
        plain = PlainTextUsers(self.archive)
        await budget.recall()
        await emojis.recall()
        await plain.recall()
        learned = Learned(self._places, self.tables.discord)
        await learned.recall()
        return PanelContext(
            client,
            self._places,
            budget,
            self._supervisor,
            self._clock,
            emojis,
            plain,
            learned,
            self.tables.discord,
        )

    def _offer(
        self,
        router: CommandRouter,
        guild_settings: GuildSettings,
        messages: TableMessages,
        plain_text_users: PlainTextUsers,
        live: LiveCheck,
    ) -> None:
        """Register every command that isn't a table's."""
        register(router)
        Fairness(router)
        Rules(router)
        Ping(router)
        SettingsPanel(guild_settings, live).add_to(router)
        live.add_to(router)
        Moderation(router).add_to(router)
        Privacy(router, guild_settings, plain_text_users).add_to(router)
        PlainText(router, plain_text_users, messages.panels)

    async def _resume(self) -> list[Table]:
        """Return the tables that could not go on."""
        stored = await self._journal.read_open()
        unresumable = await self.tables.resume(stored, await self._journal.next_table())
        self._places.tidy(self.tables.discord.now())
        return unresumable

    async def ready(self) -> None:
        notify(READY)
        if self.running is not None:
            await self.running.servers.ready()

    async def joined(self, guild: GuildId) -> None:
        if self.running is not None:
            await self.running.servers.joined(guild)

    async def left(self, guild: GuildId) -> None:
        if self.running is not None:
            await self.running.servers.left(guild)

    async def lets_in(self, interaction: Interaction) -> bool:
        """Return whether a command may run; False once the bot has begun to end."""
        return self.running is not None and await self._command_limit.lets_in(interaction)

    def press(self, interaction: Interaction) -> Awaitable[None]:
        """Handle a press. A press on a table is in line when this returns."""
        running = self.running
        if running is not None and not running.router.is_for(interaction):
            return running.presses.handle(interaction)
        return self._ask(interaction, running.presses.here(interaction) if running else None)

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

    def answered_late(self) -> None:
        self._load.answered_late()

    def figures(self) -> dict[str, float]:
        """Return the metrics by name: totals since the start, and current numbers."""
        client = self.running.client if self.running is not None else None
        return {
            **self._load.figures(),
            "edits": client.edits if client is not None else 0,
            "rate_limits": client.limits_met if client is not None else 0,
            "commits": self._writer.commits,
            "commit_seconds": self._writer.seconds,
        }

    @property
    def is_stuck(self) -> bool:
        """True while a transaction hangs, so that nothing is written."""
        return self._writer.is_stuck

    async def end(self) -> None:
        """Finish answers, tell open tables, and let the writer finish what it was given.

        Answers and tables get GRACE seconds at most; answers left then are cancelled. Everything
        else stops where it is.
        """
        notify(STOPPING)
        if (running := self.running) is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await asyncio.gather(
                        running.client.answered(),
                        running.messages.farewell(),
                        running.live.farewell(),
                    )
                    self.running = None  # presses from now on are not heard
                    await running.client.answered()
            self.running = None
            await self._writer.stop()
            await running.client.give_up_answers()
        await self._tasks.stop()

    def _goes_on(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._tasks(lasting(work, name, self._clock), name=name)

    async def _ticking(self, part: Ticking) -> None:
        """Tick one part, in a task of its own: a part that is slow or fails delays no other."""
        while True:
            await self._clock.sleep(TICK)
            self._clock.awake()  # somebody looks at it, or the machine would seem to stand still
            try:
                await part.tick()
            except Exception:
                log.exception("tick of %s failed, retrying", type(part).__name__)

    async def _give_up(self, table: Table) -> None:
        """Close a table that keeps failing, and tell everybody at it why.

        A table that is already closed is never drawn again.
        """
        if table.session.phase is not Phase.CLOSED:
            await self.tables.close(table, "table.closed.broken")
        elif self.running is not None:
            self.running.messages.give_up(table)
