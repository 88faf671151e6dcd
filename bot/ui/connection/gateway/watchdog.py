"""The watchdog that stops the bot when Discord's gateway stays unreachable."""

import logging
from collections.abc import Callable
from typing import Protocol

from bot.clock import Clock

log = logging.getLogger(__name__)

AWAY_FOR = 60 * 60.0
"""Seconds without the gateway after which a restart is better than another attempt."""


class Connection(Protocol):
    @property
    def is_connected(self) -> bool: ...


class GatewayWatchdog:
    """The gateway watchdog.

    discord.py reconnects for ever, in the end four times per hour; before the first connection it
    does so recursively, until Python's recursion limit (PLATFORM 3). We stop before that.
    """

    def __init__(self, connection: Connection, clock: Clock, give_up: Callable[[], None]) -> None:
        self._connection = connection
        self._clock = clock
        self._give_up = give_up
        self._seen = clock.now()

    async def tick(self) -> None:
        """Check the connection, and call `give_up` after `AWAY_FOR`. Called every few seconds."""
        if self._connection.is_connected:
            self._seen = self._clock.now()
        elif self._clock.now() - self._seen >= AWAY_FOR:
            log.error("gateway unreachable for %d minutes, stopping", AWAY_FOR // 60)
            self._give_up()
