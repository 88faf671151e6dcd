"""The leases in Valkey: who holds which group, with which shards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.groups.entries import Entries, group_number
from bot.groups.layout import Layout
from bot.groups.lease import refusals
from bot.groups.lease.own_group import OwnGroup
from bot.groups.lease.refusals import Refused
from bot.groups.valkey import Valkey

LIFE = 15.0
"""Seconds for which a lease holds unless it is renewed."""
RENEWAL = 5.0
"""Seconds between two renewals."""
START, RETURN, TAKE_OVER, RENEW = "start", "return", "take-over", "renew"
"""Ways to take a lease: as any start may, as one by the file's last holder, as one on which the
operator insists, as its holder.
"""

TAKE = """
local prefix, own, file, holder, start = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local known, way, count, shards = tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]
for _, other in ipairs(redis.call('SMEMBERS', prefix .. 'groups')) do
  if other ~= own and redis.call('EXISTS', prefix .. 'lease:' .. other) == 1 then
    local theirs = redis.call('HMGET', prefix .. 'group:' .. other, 'count', 'shards')
    if theirs[1] ~= count then return {'count', other, theirs[1]} end
    for shard in string.gmatch(shards, '%d+') do
      if string.find(theirs[2], ',' .. shard .. ',', 1, true) then
        return {'shards', other, theirs[2]}
      end
    end
  end
end
local last = redis.call('HMGET', prefix .. 'group:' .. own, 'file', 'holder', 'start', 'released')
local is_held = redis.call('EXISTS', prefix .. 'lease:' .. own) == 1
if last[1] and last[1] ~= file then return {'twice'} end
if last[2] and last[2] ~= holder then
  if tonumber(last[3]) >= start then return {'newer', last[3]} end
  if way ~= 'renew' and is_held then return {'held'} end
  if way == 'start' and last[4] == '0' then return {'unreleased'} end
  if (way == 'start' or way == 'return') and tonumber(last[3]) > known then
    return {'unreleased'}
  end
elseif last[3] and tonumber(last[3]) > start then
  return {'newer', last[3]}
end
if ARGV[10] == '0' then return {'taken'} end
redis.call('SET', prefix .. 'layout', count)
redis.call('SADD', prefix .. 'groups', unpack(ARGV, 11))
redis.call('HSET', prefix .. 'group:' .. own, 'file', file, 'holder', holder, 'start', start,
  'released', 0, 'count', count, 'shards', shards)
redis.call('SET', prefix .. 'lease:' .. own, holder .. ' ' .. start, 'PX', ARGV[10])
return {'taken', unpack(redis.call('SMEMBERS', prefix .. 'groups'))}
"""
RELEASE = """
local last = redis.call('HMGET', KEYS[2], 'holder', 'start')
if last[1] ~= ARGV[1] or last[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'released', 1)
return redis.call('DEL', KEYS[1])
"""
NUMBER = """
for _, used in ipairs(ARGV) do redis.call('SADD', KEYS[1], used) end
local highest = 0
for _, used in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  highest = math.max(highest, tonumber(used) or 0)
end
redis.call('SADD', KEYS[1], highest + 1)
return highest + 1
"""
Used: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class Record:
    """The last holder of a group, as Valkey has it, and its layout.

    `file`: the id of its database.
    """

    file: int
    start: int
    holder: str
    layout: Layout


class Leases:
    """The leases of one bot, for a process with this layout.

    Every call raises ValkeyAwayError, and may have been carried out then.
    """

    def __init__(self, valkey: Valkey, layout: Layout) -> None:
        self._valkey = valkey
        self._entries = Entries("groups")
        self.layout = layout

    async def uptime(self) -> float:
        """Return the seconds since Valkey was started, rounded down."""
        said: dict[str, Any] = await self._valkey.ask(lambda db: db.info("server"))
        return float(said["uptime_in_seconds"])

    async def used(self) -> Used:
        """Return every group number that Valkey knows to be used, now or before."""
        key = self._valkey.key("groups")
        return self._numbers(await self._valkey.ask(lambda db: db.smembers(key)))

    async def new_number(self, used: Iterable[int]) -> int:
        """Return a number above all used ones, which counts as used from then on (`NUMBER`).

        `used`: those that the caller knows of.
        """
        words = [self._valkey.key("groups"), *map(str, sorted(used))]
        return int(await self._valkey.ask(lambda db: db.eval(NUMBER, 1, *words)))

    async def record(self, number: int) -> Record | None:
        """Return what is known of a group; None if nothing is."""
        key = self._valkey.key("group", number)
        found: dict[Any, Any] = await self._valkey.ask(lambda db: db.hgetall(key))
        if not found:
            return None
        ids = tuple(int(shard) for shard in found[b"shards"].split(b",") if shard)
        layout = Layout(int(found[b"count"]), ids)
        return Record(int(found[b"file"]), int(found[b"start"]), found[b"holder"].decode(), layout)

    async def seen(self, number: int) -> float:
        """Return when a group last said that it runs, in Unix seconds by Valkey; 0 if unknown."""
        key = self._valkey.key("seen", number)
        found: dict[Any, Any] = await self._valkey.ask(lambda db: db.hgetall(key))
        return float(found.get(b"seen", 0))

    async def is_held(self, number: int) -> bool:
        """Return whether somebody holds a group now."""
        key = self._valkey.key("lease", number)
        return bool(await self._valkey.ask(lambda db: db.exists(key)))

    async def take(
        self, own: OwnGroup, file: int, way: str, known: int, used: Iterable[int]
    ) -> Refused | Used:
        """Take or renew a lease, and put back what Valkey has lost (`TAKE`).

        Refused if another group with a lease has another number of shards or one of ours, if
        the group has been started since, or if the database of the group is another one. A start is
        also refused while another holder has the lease; and afterwards, unless it takes over, if
        that holder has not released it or if the file is older than the last one that was used:
        `known` is the last start that it knows of. The file's last holder needs no release: if
        another one is noted with an older start, Valkey has come back with what it had before.
        Returns the numbers of all groups if it is taken.
        """
        return await self._asked(LIFE, own, file, way, known, used)

    async def look(
        self, own: OwnGroup, file: int, way: str, known: int, used: Iterable[int]
    ) -> Refused | Used:
        """Return what `take` would, without numbers, and change nothing: the lease has no life."""
        return await self._asked(0, own, file, way, known, used)

    async def _asked(
        self, life: float, own: OwnGroup, file: int, way: str, known: int, used: Iterable[int]
    ) -> Refused | Used:
        shards = "".join(f",{shard}" for shard in self.layout.ids) + ","
        words = (
            *(self._valkey.key(""), own.number, file, own.holder, own.start, known, way),
            *(self.layout.count, shards, int(life * 1000), own.number, *sorted(used)),
        )
        # Other questions of a process that stood still have just failed: they took so long.
        said = await self._valkey.ask(lambda db: db.eval(TAKE, 0, *map(str, words)), insists=True)
        return self._outcome([one.decode() for one in said], own)

    async def release(self, own: OwnGroup) -> None:
        """Note that the last holder has stopped in order, and end its lease (`RELEASE`).

        Nothing happens if somebody has started the group since.
        """
        keys = (self._valkey.key("lease", own.number), self._valkey.key("group", own.number))
        words = (own.holder, str(own.start))
        _ = await self._valkey.ask(lambda db: db.eval(RELEASE, 2, *keys, *words))

    def _outcome(self, said: list[str], own: OwnGroup) -> Refused | Used:
        match said:
            case ["count", group, theirs]:
                return refusals.other_count(int(group), int(theirs), self.layout.count or 0)
            case ["shards", group, theirs]:
                taken = {int(shard) for shard in theirs.split(",") if shard}
                both = [shard for shard in self.layout.ids if shard in taken]
                return refusals.same_shards(int(group), both)
            case ["twice"]:
                return refusals.given_twice(own.number)
            case ["newer", start]:
                return refusals.newer(own.number, int(start), own.start)
            case ["held"]:
                return refusals.held(own.number)
            case ["unreleased"]:
                return refusals.unreleased(own.number)
            case _:
                return self._numbers(said[1:])

    def _numbers(self, found: Iterable[str | bytes]) -> Used:
        return frozenset(self._entries.each(found, group_number))
