"""Signs of life: told to systemd where it asks for them, and left as the lock file's time."""

import asyncio
import os
import socket
from pathlib import Path

from bot.store.database import lock_of
from bot.tables.clock import Clock

READY, STOPPING = "READY=1", "STOPPING=1"
_ALIVE = "WATCHDOG=1"
BEAT = 20.0
"""Seconds between two signs, or less where systemd wants them sooner."""


def notify(state: str) -> None:
    """One datagram, as sd_notify(3) says. Without systemd nobody is told."""
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
            pass  # nobody listens any more


class Heart:
    """Beats for as long as the event loop turns: one that hangs is killed by systemd."""

    def __init__(self, database: Path, clock: Clock) -> None:
        self._lock = lock_of(database)
        self._clock = clock

    async def run(self) -> None:
        """Until it is cancelled."""
        given = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
        while True:
            notify(_ALIVE)
            await asyncio.to_thread(self._lock.touch)
            await self._clock.sleep(min(BEAT, given / 2) if given else BEAT)
