"""The note of each running group about itself, for `check`: its version, and its clock."""

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

EVERY = 15.0
"""Seconds between two notes."""
NOTE = """
local now = redis.call('TIME')
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'clock', ARGV[2],
  'seen', string.format('%d.%06d', now[1], now[2]))
return 1
"""
"""Set a hash's `version` and `clock` to ARGV[1] and ARGV[2], and `seen` to the server's time."""


class Presence:
    """A group's note in Valkey, written every few seconds: the hash `seen:<group>`.

    `version`: of the bot. `clock`: Unix seconds by the group's machine, and `seen`: by Valkey's, at
    the same moment. Nothing but `check` reads it.
    """

    def __init__(self, valkey: "Valkey", number: int, version: str, clock: Clock) -> None:
        self._valkey = valkey
        self._key = valkey.key("seen", number)
        self._version = version
        self._clock = clock

    async def run(self) -> None:
        """Write the note until cancelled. While Valkey is away, there is none to write."""
        while True:
            with suppress(ValkeyAwayError):
                await self.note()
            await self._clock.sleep(EVERY)

    async def note(self) -> None:
        """Write it once. Raises ValkeyAwayError."""
        wall = f"{self._clock.wall():.3f}"
        _ = await self._valkey.ask(lambda db: db.eval(NOTE, 1, self._key, self._version, wall))
