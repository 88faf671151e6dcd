"""Tables whose tasks nobody owns: a test that ends cancels none of them, and logs no failure."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

from bot.clock import Clock
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.registry.registry import Tables
from bot.tables.running.table import Table
from bot.tables.state.journal import Journal, TableId
from bot.tables.state.session import Session

_tasks: set[asyncio.Task[None]] = set()
"""Keeps these tasks alive, since the loop holds only weak references."""


def spawn(work: Coroutine[Any, Any, None], *, name: str) -> None:
    task = asyncio.get_running_loop().create_task(work, name=name)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def random_seed() -> bytes:
    return secrets.token_bytes(32)


def never(_: Exception) -> bool:
    """No failure passes by itself."""
    return False


def new_tables(journal: Journal, clock: Clock, seed: Callable[[], bytes] = random_seed) -> Tables:
    return Tables(journal, clock, seed, spawn, never)


def new_table(
    table_id: TableId, session: Session, seq: int, journal: Journal, clock: Clock
) -> Table:
    turns = ArrivalQueue(f"table {table_id} turns", spawn)
    return Table(table_id, session, seq, journal, clock, turns)
