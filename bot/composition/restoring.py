"""Tables' messages and panels after a restart, which wait until people can press."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import discord

from bot.clock import Clock
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.ui.tables.messages import TableMessages

PRESSES_FIRST = 5.0
"""Seconds for which messages wait for the gateway at most."""
AT_ONCE, REST = 20, 0.1
"""Tables that are restored together, and seconds before the next of them: presses come between."""


async def restore(
    client: discord.Client,
    tables: Sequence[Table],
    messages: TableMessages,
    supervisor: Supervisor,
    clock: Clock,
) -> None:
    """Restore the messages and panels of tables once the gateway has greeted the bot.

    Before that nobody can press, and redrawing thousands of panels would only delay it. All at
    once, they would keep the first presses waiting for seconds.
    """
    for table in tables:
        if table.session.opened.arena is None:
            messages.upkeep(table).hold()  # before the first await, so that no press makes it post
    with suppress(TimeoutError):
        await client.wait_for("connect", timeout=PRESSES_FIRST)
    for number, table in enumerate(tables, start=1):
        supervisor.start(table, "resume", partial(messages.resume, table))
        if number % AT_ONCE == 0:
            await clock.sleep(REST)
