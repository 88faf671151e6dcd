"""Signs of life: told to systemd where it asks for them, and left as the lock file's time."""

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path

from bot.clock import Clock
from bot.store.database.lock import lock_of

log = logging.getLogger(__name__)

READY, STOPPING = "READY=1", "STOPPING=1"
_ALIVE = "WATCHDOG=1"
BEAT = 20.0
"""Seconds between two signs, or less where systemd wants them sooner."""


def notify(state: str) -> None:
    """Send systemd one datagram, as sd_notify(3) says. Without systemd nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.connect(address)
            out.send(state.encode())
        except OSError:
            pass  # nothing listens any longer


class SignsOfLife:
    """Signs of life for systemd, which kills a bot that hangs.

    They are sent while the event loop turns and no transaction hangs. `is_stuck`: whether one does.
    """

    def __init__(self, database: Path, clock: Clock, is_stuck: Callable[[], bool]) -> None:
        self._lock = lock_of(database)
        self._clock = clock
        self._is_stuck = is_stuck
        self._failed = False

    async def run(self) -> None:
        """Send signs of life until cancelled."""
        given = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
        while True:
            if not self._is_stuck():
                await self._beat()
            await self._clock.sleep(min(BEAT, given / 2) if given else BEAT)

    async def _beat(self) -> None:
        notify(_ALIVE)
        try:
            await asyncio.to_thread(self._lock.touch)
        except OSError as error:
            if not self._failed:
                log.warning("heartbeat not written to %s: %s", self._lock, error)
            self._failed = True
        else:
            self._failed = False
