"""The parts of the bot that exist without a client: the database, the tables, the arenas."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.art.drawing import Drawing
from bot.clock import Clock
from bot.groups.group import Group
from bot.groups.once import Once, once_of
from bot.records.archive import Archive
from bot.store.arenas.arenas import SqliteArenas
from bot.store.database.errors import passes
from bot.store.database.file import Database
from bot.store.database.writer import Writer
from bot.store.records.archive import SqliteArchive
from bot.store.tables.journal import SqliteJournal
from bot.store.tables.message_refs import SqliteMessageRefs
from bot.tables.arenas.arenas import Arenas
from bot.tables.registry.registry import Tables
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tasks import OwnedTasks
from bot.ui.connection.load_shedding import Load
from bot.ui.render.robots import robot
from bot.ui.watch.drawing_process import Draw

SEED = 32
"""Bytes of a seed: for a match's deals, or for the choices of a robot."""
CHAIN = 64
"""Bytes from which a chain of dailies is made."""


@dataclass(frozen=True, slots=True)
class Core:
    """The parts that exist without a client.

    `drawings`: the small pictures that screens show; `draw_round`: how a moving picture is drawn.
    `draw` returns the unguessable bytes of a chain of dailies. `group`: the process within its bot;
    `once`: its right to act for the whole bot.
    """

    database: Database
    clock: Clock
    tasks: OwnedTasks
    supervisor: Supervisor
    writer: Writer
    journal: SqliteJournal
    places: SqliteMessageRefs
    archive: Archive
    tables: Tables
    load: Load
    arenas: Arenas
    arena_store: SqliteArenas
    drawings: Callable[[], Mapping[str, Drawing]]
    draw_round: Draw
    draw: Callable[[], bytes]
    group: Group
    once: Once


def core_of(
    database: Database,
    clock: Clock,
    pictures: tuple[Callable[[], Mapping[str, Drawing]], Draw],
    entropy: Callable[[int], bytes],
    group: Group,
    give_up: Callable[[Table], Coroutine[Any, Any, None]],
) -> Core:
    """Build the parts that exist without a client.

    `entropy` returns so many unguessable bytes; `give_up` closes a table that keeps failing.
    """
    seed, tasks = partial(entropy, SEED), OwnedTasks()
    writer = Writer(database.writing, clock)
    journal = SqliteJournal(database.writing, writer, group.number)
    tables = Tables(journal, clock, seed, tasks, passes, robot)
    arena_store = SqliteArenas(database.writing, writer, group.number)
    return Core(
        database,
        clock,
        tasks,
        Supervisor(tasks, give_up, clock, passes),
        writer,
        journal,
        SqliteMessageRefs(database.writing, writer),
        SqliteArchive(database.reading, writer, group.layout),
        tables,
        Load(tables.index, clock),
        Arenas(tables, arena_store, clock, seed, tasks),
        arena_store,
        *pictures,
        partial(entropy, CHAIN),
        group,
        once_of(group, clock),
    )
