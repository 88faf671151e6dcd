"""The count before a round: 3, 2, 1, and the round is live."""

from bot.clock import Clock
from bot.tables.decisions.decide import go_live
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase

FROM = 3


class Countdown:
    """The counts of all tables, one at a time for each."""

    def __init__(self, supervisor: Supervisor, clock: Clock) -> None:
        self._supervisor = supervisor
        self._clock = clock
        self._at_it: set[TableId] = set()

    def watch(self, table: Table) -> None:
        """Start the count if it is time for one. Called on every change of a table."""
        if table.session.phase is Phase.COUNT and table.id not in self._at_it:
            self._at_it.add(table.id)
            table.count = FROM
            self._supervisor.start(table, "count", lambda: self._count(table))

    async def _count(self, table: Table) -> None:
        try:
            for number in range(FROM, 0, -1):
                if table.session.phase is not Phase.COUNT:
                    return
                table.count = number
                table.on_change(table)
                await self._clock.sleep(1)
            await table.do(go_live)
        finally:
            self._at_it.discard(table.id)
