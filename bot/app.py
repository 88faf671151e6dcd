"""The composition root: the only place that knows everybody, and that owns every task."""

import asyncio
import logging
import signal
from contextlib import suppress
from functools import partial

from bot.config import Config
from bot.ops.daily import DailyBackup
from bot.records.archive import Archive
from bot.store.archive import SqliteArchive
from bot.store.database import Database, only_process, opened
from bot.store.journal import SqliteJournal
from bot.store.places import SqlitePlaces
from bot.store.writer import Writer
from bot.tables.clock import Clock, SystemClock
from bot.tables.counting import Counting
from bot.tables.registry import Tables
from bot.tables.robots import Robots
from bot.tables.supervisor import Crew, Supervisor
from bot.tables.table import Table
from bot.ui.answers import Interaction
from bot.ui.client import Client
from bot.ui.commands import Commands, sync
from bot.ui.desk import Desk
from bot.ui.house import House
from bot.ui.moderation import Moderation
from bot.ui.preferences import Preferences
from bot.ui.presses import Presses
from bot.ui.privacy import Privacy
from bot.ui.records import Epilogue, furnish
from bot.ui.rulebook import Rulebook
from bot.ui.servers import Servers
from bot.ui.settings import SettingsPanel

log = logging.getLogger(__name__)

TICK = 5.0
"""Seconds between two looks at what time has brought."""


class App:
    """A running bot: built when the client has logged in, taken down when it closes."""

    def __init__(
        self, database: Database, clock: Clock, *, backups: DailyBackup | None = None
    ) -> None:
        self.database = database
        self._backups = backups
        self._clock = clock
        self._crew = Crew()
        self._writer = Writer(database.writing, clock)
        self._journal = SqliteJournal(database.writing, self._writer)
        self._places = SqlitePlaces(database.writing, self._writer)
        self.archive: Archive = SqliteArchive(database.reading, self._writer)
        self.tables = Tables(self._journal, clock)
        self._supervisor = Supervisor(self._crew, self._give_up)
        self._begun = False
        self._house: House | None = None
        self._presses: Presses | None = None
        self._desk: Desk | None = None
        self._servers: Servers | None = None

    async def begin(self, client: Client) -> None:
        """Resume every open table, then take commands. Presses count from here."""
        self._begun = True
        self._crew(self._writer.run(), name="writer")
        await self.tables.resume(await self._journal.read_open(), await self._journal.next_table())
        preferences = Preferences(self.archive)
        house = self.furnish(client, preferences)
        for table in self.tables.books:
            self._supervisor.start(table, "resume", partial(house.resume, table))
        self._servers = Servers(client, self.archive, self.tables, preferences, self._clock)
        await sync(client.tree, self._places)
        self._crew(self._tick(house), name="tick")
        if self._backups is not None:
            self._crew(self._backups.run(), name="backups")

    def furnish(self, client: Client, preferences: Preferences) -> House:
        """Give the client every command, and the tables what watches them."""
        books = self.tables.books
        house = House(
            client,
            self._places,
            self._supervisor,
            self._clock,
            occupied=lambda channel: books.at(channel) is not None,
            epilogue=Epilogue(self.archive),
        )
        presses = Presses(self.tables, house, self._clock)
        self._house, self._presses = house, presses
        counting = Counting(self._supervisor, self._clock)
        robots = Robots(self._supervisor, self._clock)
        self.tables.watchers += [house.watch, counting.watch, robots.watch]
        Commands(self.tables, house, presses, preferences, self._clock).add_to(client.tree)
        self._desk = desk = Desk(self.archive, self.tables, self._clock)
        furnish(desk)
        Rulebook(desk)
        SettingsPanel(preferences).add_to(desk)
        Moderation(desk).add_to(desk)
        Privacy(desk, preferences).add_to(desk)
        desk.add_to(client.tree)
        return house

    async def ready(self) -> None:
        if self._servers is not None:
            await self._servers.ready()

    async def joined(self, guild: int) -> None:
        if self._servers is not None:
            await self._servers.joined(guild)

    async def left(self, guild: int) -> None:
        if self._servers is not None:
            await self._servers.left(guild)

    async def press(self, interaction: Interaction) -> None:
        if self._desk is not None and self._desk.is_for(interaction):
            await self._desk.press(interaction)
        elif self._presses is not None:
            await self._presses.handle(interaction)

    def rate_limited(self) -> None:
        if self._house is not None:
            self._house.budget.rate_limited()

    async def end(self) -> None:
        """Let the writer finish what it was given; everything else stops where it is."""
        if self._begun:
            await self._writer.stop()
        await self._crew.stop()

    async def _tick(self, house: House) -> None:
        while True:
            await self._clock.sleep(TICK)
            await self.tables.tick()
            try:
                await house.tick()
            except Exception:
                log.exception("the upkeep of messages failed; it is tried again")
            if self._servers is not None and self._servers.is_due:
                self._crew(self._servers.tidy(), name="tidy")

    async def _give_up(self, table: Table) -> None:
        await self.tables.close(table, "table.closed.broken")


async def run(config: Config) -> None:
    """Connect, and stay until the process is told to stop. Raises what ends the start."""
    with only_process(config.database_path):
        database = await opened(config.database_path)
        clock = SystemClock()
        backups = DailyBackup(config.database_path, config.backups, config.backups_kept, clock)
        try:
            async with Client(App(database, clock, backups=backups)) as client:
                loop = asyncio.get_running_loop()
                connected = asyncio.current_task()
                assert connected is not None
                loop.add_signal_handler(signal.SIGTERM, connected.cancel)
                with suppress(asyncio.CancelledError):
                    await client.start(config.discord_token.get_secret_value())
        finally:
            await database.close()
