"""Parts that groups share over Valkey, and that a bot of one process has for itself."""

# ruff: noqa: PLC0415 a bot of one process loads nothing of groups
from collections.abc import Callable, Sequence

from bot.composition.chores import Chore
from bot.composition.core import Core
from bot.ids import ChannelId
from bot.store.tables.paces import SqlitePaces
from bot.ui.limits.edit_budget import Budget


def budget_of(core: Core) -> Budget:
    """Return the budget of this process, which shares its own calls with other groups."""
    paces = SqlitePaces(core.database.writing, core.writer)
    if (valkey := core.group.valkey) is None:
        return Budget(core.clock, paces)
    from bot.groups.turns import ValkeyTurns
    from bot.ui.limits.shared.grouped import GroupTurns

    share, turns = core.group.layout.share, ValkeyTurns(valkey)
    return Budget(core.clock, paces, GroupTurns(core.clock, share, turns, core.tasks))


def slowdowns_of(
    core: Core, budget: Budget
) -> tuple[Sequence[Chore], Callable[[ChannelId | None], None]]:
    """Return what listens for limits that other groups meet, and what is told of those met here."""
    if (valkey := core.group.valkey) is None:
        return (), budget.rate_limited
    from bot.groups.slowdowns import Slowdowns

    shared = Slowdowns(valkey, core.group.number, core.clock, core.tasks, budget.rate_limited)
    return (shared,), shared.rate_limited
