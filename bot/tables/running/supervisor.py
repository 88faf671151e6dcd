"""Every task of a table has an owner that logs its failures and tries it again."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.clock import Clock
from bot.tables.running.table import Table
from bot.tasks import PAUSE, Spawn

log = logging.getLogger(__name__)

TRIES = 3


class Supervisor:
    """Only errors at the start end the bot: a table whose task keeps failing is given up alone.

    `passes`: whether a failure is none of the table's, such as a full disk, and will be over.
    """

    def __init__(
        self,
        spawn: Spawn,
        give_up: Callable[[Table], Coroutine[Any, Any, None]],
        clock: Clock,
        passes: Callable[[Exception], bool] = lambda _: False,
    ) -> None:
        self._spawn = spawn
        self._give_up = give_up
        self._clock = clock
        self._passes = passes

    def start(self, table: Table, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
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
                    log.warning("%s: %s has to wait: %s", table, what, error)
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
            log.exception("%s: could not be given up", table)
