"""The note of each running group about itself, for `check`: its version, clock and shards."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

EVERY = 15.0
"""Seconds between two notes."""
CONNECTING = 1.0
"""Seconds between two notes while shards connect."""
NOTE = """
local now = redis.call('TIME')
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'clock', ARGV[2], 'connected', ARGV[3],
  'seen', string.format('%d.%06d', now[1], now[2]))
return 1
"""
"""Set a hash's `version`, `clock` and `connected` to ARGV, and `seen` to the server's time."""


class Presence:
    """A group's note in Valkey, written every few seconds: the hash `seen:<group>`.

    `version`: of the bot. `clock`: Unix seconds by the group's machine, and `seen`: by Valkey's, at
    the same moment. `connected`: how many of its shards Discord has. Nothing but `check` reads it.
    """

    def __init__(
        self,
        valkey: "Valkey",
        group: Group,
        version: str,
        connected: Callable[[], int],
        clock: Clock,
    ) -> None:
        self._valkey = valkey
        self._key = valkey.key("seen", group.number)
        self._version = version
        self._shards = len(group.layout.ids)
        self._connected = connected
        self._clock = clock

    async def run(self) -> None:
        """Write the note until cancelled. While Valkey is away, there is none to write."""
        while True:
            with suppress(ValkeyAwayError):
                await self.note()
            is_connecting = self._connected() < self._shards
            await self._clock.sleep(CONNECTING if is_connecting else EVERY)

    async def note(self) -> None:
        """Write it once. Raises ValkeyAwayError."""
        told = (self._version, f"{self._clock.wall():.3f}", str(self._connected()))
        _ = await self._valkey.ask(lambda db: db.eval(NOTE, 1, self._key, *told))
