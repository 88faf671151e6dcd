"""Tables' messages and panels after a restart, which wait until people can press."""

import logging
import sqlite3
from collections.abc import Container, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

from bot.clock import Clock
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.ui.tables.messages import TableMessages

log = logging.getLogger(__name__)

PRESSES_FIRST = 5.0
"""Seconds for which messages wait for the gateway at most."""
AT_ONCE, REST = 20, 0.1
"""Tables that are restored together, and seconds before the next of them: presses come between."""


class Greeted(Protocol):
    """A client that knows how many shards are connected, and waits for an event of discord.py's."""

    def connected(self) -> int: ...
    async def wait_for(self, event: str, /, *, timeout: float) -> object: ...  # noqa: ASYNC109 its own


async def recall(tables: Sequence[Table], messages: TableMessages) -> list[Table]:
    """Read which messages and panels tables have. Return those that could not be read.

    A press needs to know what there is, so nobody may press before.
    """
    for table in tables:
        messages.hold(table)
    return [table for table in tables if not await _recalled(table, messages)]


async def restore(
    client: Greeted,
    tables: Sequence[Table],
    unread: Container[Table],
    messages: TableMessages,
    supervisor: Supervisor,
    clock: Clock,
) -> None:
    """Restore the messages and panels of tables once the gateway has greeted the bot.

    Before that nobody can press, and redrawing thousands of panels would only delay it. All at
    once, they would keep the first presses waiting for seconds.
    """
    if not client.connected():
        with suppress(TimeoutError):
            await client.wait_for("connect", timeout=PRESSES_FIRST)
    for number, table in enumerate(tables, start=1):
        supervisor.start(table, "resume", partial(_resumed, table, messages, table in unread))
        if number % AT_ONCE == 0:
            await clock.sleep(REST)


async def _recalled(table: Table, messages: TableMessages) -> bool:
    try:
        await messages.recall(table)
    except sqlite3.Error as error:
        log.warning("%s: panels not read yet: %s", table, error)
        return False
    return True


async def _resumed(table: Table, messages: TableMessages, is_unread: bool) -> None:  # noqa: FBT001 by partial
    if is_unread:
        await messages.recall(table)
    await messages.resume(table)


def has_message(table: Table) -> bool:
    """Return whether a table has a message of its own. Arenas restore the panels of theirs."""
    return table.session.opened.arena is None
