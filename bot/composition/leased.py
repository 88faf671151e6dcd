"""The membership of a process that is one group of several."""

import logging
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.clock import Clock
from bot.groups.group import Group
from bot.groups.layout import Layout
from bot.groups.lease.holder import holder_of
from bot.groups.lease.joining import Join
from bot.groups.lease.lease import Lease
from bot.groups.lease.leases import Leases
from bot.groups.lease.refusals import GroupLostError
from bot.groups.valkey import Valkey
from bot.store.database import errors
from bot.store.database.file import Database
from bot.store.database.writer import Writer
from bot.store.groups.group_file import SqliteGroupFile
from bot.store.groups.moved import refuse_moved
from bot.tasks import OwnedTasks, keep_running

log = logging.getLogger(__name__)


class Leased:
    """A `Membership` that holds a lease: renewed in a task of its own, from `join` on."""

    def __init__(
        self, valkey: Valkey, layout: Layout, path: Path, clock: Clock, *, takes_over: bool
    ) -> None:
        self._valkey = valkey
        self._layout = layout
        self._path = path
        self._clock = clock
        self._takes_over = takes_over
        self._tasks = OwnedTasks()
        self._file: SqliteGroupFile | None = None
        self._lease: Lease | None = None
        self.on_lost: Callable[[], None] = lambda: None

    @property
    def lost(self) -> GroupLostError | None:
        return self._lease.lost if self._lease is not None else None

    async def join(self, database: Database) -> Group:
        """Take the lease. Raises GroupError, and DatabaseError if no holder's id can be kept."""
        await refuse_moved(database, self._path, takes_over=self._takes_over)
        try:
            holder = holder_of(self._path)
        except OSError as error:
            raise errors.of_system(self._path, error) from None
        self._file = file = SqliteGroupFile(database)
        leases = Leases(self._valkey, self._layout)
        own = await Join(self._path, file, holder, leases, self._clock, self._takes_over).run()
        self._lease = lease = Lease(own, file, leases, self._clock)
        lease.on_lost = self._lost
        self._tasks(keep_running(lease.keep, "lease", self._clock), name="lease")
        return Group(self._layout, own.number, self._valkey, own.start, lambda: lease.is_sure)

    def _lost(self) -> None:
        self.on_lost()

    def begun(self, writer: Writer) -> None:
        assert self._file is not None, "it has joined"
        self._file.write = partial(writer.write, durable=True)

    async def leave(self) -> None:
        if self._file is None or self._lease is None:
            return
        await self._tasks.stop()
        self._file.write = self._file.directly
        try:
            await self._lease.leave()
        except sqlite3.Error as error:
            log.warning("group %d: end not recorded: %s", self._lease.own.number, error)

    async def release(self) -> None:
        """Release the lease, if there is one. The database is closed."""
        await self._tasks.stop()
        if self._lease is not None:
            await self._lease.release()
