"""Presses in direct messages, for a bot of several groups."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.composition.core import Core
from bot.store.tables.origins import SqliteOrigins
from bot.ui.connection.client import Client
from bot.ui.presses.handed_over import HandedOver

if TYPE_CHECKING:
    from bot.groups.hops.hops import Work


async def hops_of(core: Core, client: Client) -> "Mapping[str, Work]":
    """Return what has to run so that presses reach the group of their table; nothing if alone."""
    if core.group.is_alone:
        return {}
    from bot.groups.hops.hops import Hops  # noqa: PLC0415 only a bot of groups has a Valkey client

    stored = SqliteOrigins(core.database.reading)
    here = HandedOver(client, core.tables.index, core.load, core.clock, core.tasks, stored.has)
    hops = Hops(core.group, await stored.origins(), here, core.clock)
    if core.group.layout.owns_direct_messages:
        here.divert(hops.put)
    return hops.work
