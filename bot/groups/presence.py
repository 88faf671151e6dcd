"""The note of each running group about itself: its version, clock, shards and servers."""

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
if ARGV[4] ~= '' and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'servers', ARGV[4])
end
return 1
"""
"""Set a hash's `version`, `clock` and `connected` to ARGV, and `seen` to the server's time. The
second key is the group's record: set its `servers`, unless they are empty or there is no record.
"""


class Presence:
    """A group's note in Valkey, written every few seconds: the hash `seen:<group>`.

    `version`: of the bot. `clock`: Unix seconds by the group's machine, and `seen`: by Valkey's, at
    the same moment. `connected`: how many of its shards Discord has. Nothing but `check` reads it.
    Once all are connected, `servers` is noted in the group's record: once it is down, people are
    told how many servers they miss.
    """

    def __init__(
        self,
        valkey: "Valkey",
        group: Group,
        version: str,
        connected: Callable[[], int],
        servers: Callable[[], int],
        clock: Clock,
    ) -> None:
        self._valkey = valkey
        self._keys = (valkey.key("seen", group.number), valkey.key("group", group.number))
        self._version = version
        self._shards = len(group.layout.ids)
        self._connected = connected
        self._servers = servers
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
        connected = self._connected()
        servers = str(self._servers()) if connected == self._shards else ""
        told = (self._version, f"{self._clock.wall():.3f}", str(connected), servers)
        _ = await self._valkey.ask(lambda db: db.eval(NOTE, 2, *self._keys, *told))
