"""A process's membership in its bot: it is one of several groups, or all there is."""

# ruff: noqa: PLC0415 a bot of one process imports nothing of Valkey
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from bot.clock import Clock
from bot.groups.group import Group
from bot.groups.layout import Layout
from bot.groups.lease.refusals import GroupError, GroupLostError, one_of_several
from bot.settings.config import Config
from bot.store.database.file import Database
from bot.store.database.writer import Writer
from bot.store.groups.group_file import SqliteGroupFile
from bot.store.groups.moved import refuse_moved
from bot.store.groups.part import kept_part


class Membership(Protocol):
    """A process's part in its bot, from the opened database to the closed one.

    `lost`: why it may not go on; None as long as it may. `on_lost` is called once it is set.
    """

    on_lost: Callable[[], None]

    @property
    def lost(self) -> GroupLostError | None: ...

    async def join(self, database: Database) -> Group:
        """Return the group that the database is. Raises GroupError if it may not run here."""

    def begun(self, writer: Writer) -> None:
        """Write through the bot's own writer from now on."""

    async def leave(self) -> None:
        """Note in the database that the process stops in order. The writer has stopped."""


class Alone:
    """The membership of a process that is the whole bot."""

    def __init__(self, layout: Layout, path: Path, *, takes_over: bool) -> None:
        self._layout = layout
        self._path = path
        self._takes_over = takes_over
        self.on_lost: Callable[[], None] = lambda: None
        self.lost: GroupLostError | None = None

    async def join(self, database: Database) -> Group:
        was_moved = await refuse_moved(database, self._path, takes_over=self._takes_over)
        file = SqliteGroupFile(database)
        own = await file.own()
        refused = one_of_several(self._path, own, await kept_part(database))
        if refused is not None:
            if not self._takes_over:
                raise refused
            await file.forget()
        elif self._takes_over and not was_moved:
            raise GroupError("--take-over: this bot is one process, and has no groups")
        return Group(self._layout)

    def begun(self, writer: Writer) -> None:
        pass

    async def leave(self) -> None:
        pass


@asynccontextmanager
async def membership(
    config: Config, clock: Clock, *, takes_over: bool = False
) -> AsyncIterator[Membership]:
    """Yield the membership that the settings ask for. Leaving it releases the group's lease.

    The database must be closed by then. `takes_over`: the operator says that whoever held the group
    last is gone.
    """
    if config.valkey_url is None:
        yield Alone(config.layout, config.database_path, takes_over=takes_over)
        return
    from bot.composition.leased import Leased
    from bot.groups.valkey import Valkey

    bot = config.discord_token.get_secret_value().partition(".")[0]
    valkey = Valkey(config.valkey_url.get_secret_value(), bot, clock)
    path: Path = config.database_path
    member = Leased(valkey, config.layout, path, clock, takes_over=takes_over)
    try:
        yield member
    finally:
        await member.release()
        await valkey.close()
