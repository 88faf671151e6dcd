"""Claims in Valkey: a person's day is one group's, and no other's ever."""

import logging
from collections.abc import Collection
from typing import Any

from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, group_number
from bot.groups.known import Groups, numbers, uncovered
from bot.groups.layout import Layout
from bot.groups.people.feed import Feed
from bot.groups.valkey import Valkey

log = logging.getLogger(__name__)

CLAIM = """
if redis.call('GET', KEYS[2]) ~= ARGV[2] then return false end
if not string.find(redis.call('INFO', 'server'), ARGV[4], 1, true) then return false end
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[3])
return redis.call('GET', KEYS[1])
"""
"""Claim for a group what no other has claimed, and return whose it is.

KEYS: the claim, and the generation of Valkey's data. ARGV: the group, the generation in which it
was found that no claim can be lost, the seconds for which the claim holds, and the id of Valkey's
start. Nothing is claimed in another generation, or after another start.
"""
INHERIT = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return redis.call('GET', KEYS[1])
"""
"""Give a claim of one group to another for so many seconds, if it is still the first one's. Return
whose it is.
"""
LIFE = 3 * 24 * 60 * 60
"""Seconds for which a claim holds: longer than a date can be played, which is two days."""
TOGETHER = 200


class Claims:
    """The claims of this group and of the others, by a date's name and a person's mark.

    A claim doesn't change as long as its group is there. It can be made only where no claim can
    have been lost: if Valkey was emptied or started since the date began, every group has to put
    its own back first.
    """

    def __init__(self, valkey: Valkey, feed: Feed, groups: Groups, layout: Layout) -> None:
        self._valkey = valkey
        self._feed = feed
        self._groups = groups
        self._layout = layout
        self._entries = Entries("claims on dailies")

    async def holder(self, date: str, mark: str) -> int | None:
        """Return the group that has a person's date. Raises ValkeyAwayError."""
        key = self._key(date, mark)
        found = await self._valkey.ask(lambda db: db.get(key))
        return None if found is None else self._group(found)

    async def take(self, date: str, mark: str, begins: float) -> int:
        """Claim a person's date for this group, unless it is claimed. Return whose it is.

        `begins`: when the date began, in Unix seconds.

        Raises ValkeyAwayError, also as long as another group may have a claim that Valkey has lost.
        """
        generation = self._feed.generation
        if not await self._is_sure(begins):
            raise ValkeyAwayError
        keys = (self._key(date, mark), self._feed.generation_key)
        values = (self._feed.number, generation, LIFE, generation.rpartition(b":")[2])
        found: Any = await self._valkey.ask(lambda db: db.eval(CLAIM, 2, *keys, *values))
        if found is None:
            raise ValkeyAwayError
        return self._group(found)

    async def inherit(self, date: str, mark: str, holder: int) -> int:
        """Return whose a claim is that this group has the round of: its own if the holder is gone.

        The holder's database was split or merged then. Raises ValkeyAwayError.
        """
        known = await self._groups.known()
        if holder in numbers(known) or uncovered(known, self._layout):
            return holder
        key, values = self._key(date, mark), (holder, self._feed.number, LIFE)
        found: Any = await self._valkey.ask(lambda db: db.eval(INHERIT, 1, key, *values))
        if found is None:
            raise ValkeyAwayError
        log.info("daily: a round of group %d, which is gone, is this group's", holder)
        return self._group(found)

    async def is_running(self, group: int) -> bool:
        """Return whether a group runs. Raises ValkeyAwayError."""
        return any(one.number == group and one.is_alive for one in await self._groups.known())

    async def put_back(self, kept: Collection[tuple[str, str]]) -> None:
        """Put claims of this group back, by date and mark. Raises ValkeyAwayError."""
        own, all_kept = self._feed.number, list(kept)
        for start in range(0, len(all_kept), TOGETHER):
            some = all_kept[start : start + TOGETHER]

            async def call(db: Any, some: list[Any] = some) -> list[Any]:  # noqa: ANN401 redis-py's own
                async with db.pipeline(transaction=False) as many:
                    for claim in some:
                        many.set(self._key(*claim), own, nx=True, get=True, ex=LIFE)
                    return list(await many.execute())

            holders = [one for one in await self._valkey.ask(call) if one is not None]
            for holder in self._entries.each(holders, group_number):
                if holder != own:
                    log.warning("daily: a round that group %d has was begun here too", holder)

    async def _is_sure(self, begins: float) -> bool:
        """Return whether every claim that was made is there."""
        if self._feed.born < begins:
            return True
        known = await self._groups.known()
        return not uncovered(known, self._layout) and numbers(known) <= await self._feed.filled()

    def _group(self, claim: Any) -> int:  # noqa: ANN401 redis-py's own
        """Return whose a claim is. Raises ValkeyAwayError if nobody can tell."""
        if (found := self._entries.one(claim, group_number)) is None:
            raise ValkeyAwayError
        return found

    def _key(self, date: str, mark: str) -> str:
        return self._valkey.key("daily", date, mark)
