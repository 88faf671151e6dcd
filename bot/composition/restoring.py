"""Tables' messages and panels after a restart, which wait until people can press."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import discord

from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.ui.tables.messages import TableMessages

PRESSES_FIRST = 5.0
"""Seconds for which messages wait for the gateway at most."""


async def restore(
    client: discord.Client,
    tables: Sequence[Table],
    messages: TableMessages,
    supervisor: Supervisor,
) -> None:
    """Restore the messages and panels of tables once the gateway has greeted the bot.

    Before that nobody can press, and redrawing a thousand panels would only delay it.
    """
    for table in tables:
        if table.session.opened.arena is None:
            messages.upkeep(table).hold()  # before the first await, so that no press makes it post
    with suppress(TimeoutError):
        await client.wait_for("connect", timeout=PRESSES_FIRST)
    for table in tables:
        supervisor.start(table, "resume", partial(messages.resume, table))
