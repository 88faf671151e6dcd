"""The supervisor of tables' tasks: logs their failures and tries them again."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.clock import Clock
from bot.tables.running.table import Table
from bot.tasks import PAUSE, Spawn

log = logging.getLogger(__name__)

TRIES = 3


class Supervisor:
    """Supervision of tables' tasks. If one keeps failing its table is given up; the bot goes on.

    `passes` returns whether a failure isn't the table's, such as a full disk, and will be over.
    Such a failure isn't counted.
    """

    def __init__(
        self,
        spawn: Spawn,
        give_up: Callable[[Table], Coroutine[Any, Any, None]],
        clock: Clock,
        passes: Callable[[Exception], bool],
    ) -> None:
        self._spawn = spawn
        self._give_up = give_up
        self._clock = clock
        self._passes = passes

    def start(self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start a task. A failure is tried again; after `TRIES` of them the table is given up."""
        self._spawn(self._run(table, what, work), name=f"table {table.id} {what}")

    async def _run(
        self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        failures = 0
        while failures < TRIES:
            try:
                await work()
            except Exception as error:
                if self._passes(error):
                    log.warning("%s: %s failed (%s), retrying in %.0f s", table, what, error, PAUSE)
                    await self._clock.sleep(PAUSE)
                    continue
                failures += 1
                log.exception("%s: %s failed (%d of %d)", table, what, failures, TRIES)
                if failures < TRIES:
                    await self._clock.sleep(PAUSE)
            else:
                return
        try:
            await self._give_up(table)
        except Exception:
            log.exception("%s: could not be closed", table)
