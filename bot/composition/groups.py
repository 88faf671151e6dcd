"""The parts of a process that reach other groups of its bot. Alone, it loads none of them."""

# ruff: noqa: PLC0415 only a bot of several processes loads what crosses groups
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeAlias

from bot.composition.core import Core
from bot.ids import ChannelId
from bot.settings.home import NAME
from bot.store.tables.origins import SqliteOrigins
from bot.store.tables.paces import SqlitePaces
from bot.ui.connection.client import Client
from bot.ui.limits.edit_budget import Budget
from bot.ui.presses.handed_over import HandedOver

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Across:
    """The work by which a process and other groups hear each other, by name.

    `rate_limited`: call it after a rate limit, with its channel; None if it is the whole bot's.
    """

    rate_limited: Callable[[ChannelId | None], None]
    work: Mapping[str, Work] = field(default_factory=dict)


def budget_of(core: Core) -> Budget:
    """Return the budget of this process, which shares its own calls with other groups."""
    paces = SqlitePaces(core.database.writing, core.writer)
    if (valkey := core.group.valkey) is None:
        return Budget(core.clock, paces)
    from bot.groups.turns import ValkeyTurns
    from bot.ui.limits.shared.grouped import GroupTurns

    share, turns = core.group.layout.share, ValkeyTurns(valkey)
    return Budget(core.clock, paces, GroupTurns(core.clock, share, turns, core.tasks))


async def across(core: Core, client: Client, budget: Budget) -> Across:
    """Build what crosses groups: limits that any of them meets, and presses on direct messages."""
    if (valkey := core.group.valkey) is None:
        return Across(budget.rate_limited)
    from bot.groups.hops.hops import Hops
    from bot.groups.known import RecordedGroups
    from bot.groups.presence import Presence
    from bot.groups.slowdowns import Slowdowns

    slow = Slowdowns(valkey, core.group.number, core.clock, core.tasks, budget.rate_limited)
    stored = SqliteOrigins(core.database.reading)
    here = HandedOver(client, core.tables.index, core.load, core.clock, core.tasks, stored.has)
    groups = RecordedGroups(valkey, core.group.layout)
    hops = Hops(core.group, await stored.origins(), groups, here, core.clock, core.tasks)
    if core.group.layout.owns_direct_messages:
        here.divert(hops.put)
    seen = Presence(valkey, core.group.number, version(NAME), core.clock)
    own: dict[str, Work] = {"once": core.once.run, "presence": seen.run, "slowdowns": slow.run}
    return Across(slow.rate_limited, {**own, **hops.work})
