"""The start of a bot with many shards: Discord lets them identify one by one (PLATFORM 2)."""

import logging
from math import inf

from bot.clock import Clock
from bot.ops.health.systemd import notify
from bot.ops.login_backoff import START

log = logging.getLogger(__name__)

EVERY = 30.0
"""Seconds between two lines."""


class Connecting:
    """Progress of the shards of a process, for the log and for systemd.

    `apart`: seconds between two shards at least. Systemd gets START more seconds with each shard:
    more than a hundred would take longer than a whole start may.
    """

    def __init__(self, apart: float, clock: Clock) -> None:
        self._apart = apart
        self._clock = clock
        self._told = -inf

    def shard(self, connected: int, every: int) -> None:
        """Note that a shard was connected: so many, out of so many."""
        if connected >= every:
            return
        notify(f"EXTEND_TIMEOUT_USEC={START * 1_000_000}")
        now = self._clock.now()
        if now >= self._told + EVERY:
            self._told = now
            left = self._apart * (every - connected)
            log.info("%d of %d shards connected: %.0f s or more left", connected, every, left)
