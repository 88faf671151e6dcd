"""Turns to identify: one session at a time in each of Discord's buckets, over all groups.

A bucket is `shard_id % max_concurrency`, and takes one identify per five seconds (PLATFORM 2). One
that comes too early is refused with an invalid session, and may count as one of the day's starts.
"""

import logging
from typing import TYPE_CHECKING

import discord

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

log = logging.getLogger(__name__)

TURN = 5.2
"""Seconds of a turn: Discord's five, and some for the way."""
PATIENCE = 50.0
"""Seconds in which a turn has to come: discord.py gives up a connection after 60. A turn that is
further away is not taken, so that none is wasted.
"""
AGAIN = 5.0
"""Seconds until a bucket is asked again whose next turn is too far away."""
WITHOUT = 5.0
"""Seconds to wait without Valkey, as discord.py does between its own shards."""
DAY = 24 * 60 * 60
KEPT = 2 * DAY
"""Seconds for which the starts of a day can be read."""
TAKE = """
local wait = math.max(0, redis.call('PTTL', KEYS[1]))
if wait <= tonumber(ARGV[2]) then
    redis.call('SET', KEYS[1], '', 'PX', wait + ARGV[1])
    redis.call('INCR', KEYS[2])
    redis.call('EXPIRE', KEYS[2], ARGV[3])
end
return wait
"""
"""Return the milliseconds until the next free turn of a bucket, of ARGV[1] milliseconds; take it
unless they are more than ARGV[2], and count it for ARGV[3] seconds at least. The first key lives
until the end of the last turn that is taken.
"""


class IdentifyTurns:
    """The turns of one bot. `limits`: Discord's, as they were at the start."""

    def __init__(self, valkey: "Valkey", clock: Clock, limits: discord.SessionStartLimits) -> None:
        self._valkey = valkey
        self._clock = clock
        self._limits = limits

    async def wait(self, shard: int) -> None:
        """Wait for a shard's turn, in the order of asking. It counts as a start.

        Without Valkey it waits `WITHOUT` seconds: Discord refuses a session that comes too early,
        and discord.py tries again (PLATFORM 2). A turn whose wait is cancelled passes unused.
        """
        try:
            await self._clock.sleep(await self._taken(shard))
        except ValkeyAwayError:
            await self._clock.sleep(WITHOUT)

    async def counted(self) -> int:
        """Return how many sessions all groups have started since midnight UTC.

        0 without Valkey.
        """
        try:
            key = await self._today()
            return int(await self._valkey.ask(lambda db: db.get(key)) or 0)
        except ValkeyAwayError:
            return 0

    async def _taken(self, shard: int) -> float:
        """Return the seconds until the turn that was taken."""
        bucket = self._valkey.key("identify", shard % self._limits.max_concurrency)
        today = await self._today()
        until = self._clock.now() + PATIENCE
        while True:
            most = max(TURN, until - self._clock.now())
            if (wait := await self._asked(bucket, today, most)) <= most:
                return wait
            log.info("shard %d: %.0f s until a turn to identify", shard, wait)
            await self._clock.sleep(AGAIN)

    async def _asked(self, bucket: str, today: str, most: float) -> float:
        """Nothing is asked between this and the identify: it would make the next turn shorter."""
        words = (str(int(TURN * 1000)), str(int(most * 1000)), str(KEPT))
        wait = await self._valkey.ask(lambda db: db.eval(TAKE, 2, bucket, today, *words))
        return int(wait) / 1000

    async def _today(self) -> str:
        """Return the key of today's starts, by Valkey's clock."""
        seconds, _ = await self._valkey.ask(lambda db: db.time())
        return self._valkey.key("starts", seconds // DAY)


def turns_of(
    group: Group, clock: Clock, limits: discord.SessionStartLimits
) -> IdentifyTurns | None:
    """Return the turns of a group; None for a bot of one process, which has its shards itself."""
    return IdentifyTurns(group.valkey, clock, limits) if group.valkey is not None else None
