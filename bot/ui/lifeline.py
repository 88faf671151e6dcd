"""Whether Discord's gateway can be reached at all."""

import logging
from collections.abc import Callable
from typing import Protocol

from bot.tables.clock import Clock

log = logging.getLogger(__name__)

AWAY_FOR = 60 * 60.0
"""Seconds without the gateway after which a fresh start is better than another try."""


class Connection(Protocol):
    @property
    def is_connected(self) -> bool: ...


class Lifeline:
    """discord.py tries for ever, in the end four times an hour, and its first connection with a
    call inside a call until Python refuses (PLATFORM 3). We give up before that.
    """

    def __init__(self, connection: Connection, clock: Clock, give_up: Callable[[], None]) -> None:
        self._connection = connection
        self._clock = clock
        self._give_up = give_up
        self._seen = clock.now()

    async def tick(self) -> None:
        """Called every few seconds."""
        if self._connection.is_connected:
            self._seen = self._clock.now()
        elif self._clock.now() - self._seen >= AWAY_FOR:
            log.error("no gateway for %d minutes: the bot stops", AWAY_FOR // 60)
            self._give_up()
