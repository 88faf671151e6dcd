"""A person's switches, such as plain text: set in one group, they hold in all."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, number
from bot.groups.people.feed import Feed, News
from bot.groups.people.forgotten import Forgotten
from bot.groups.valkey import Valkey
from bot.ids import UserId

log = logging.getLogger(__name__)

SET = """
local kept = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local before, at = tonumber(string.match(kept, '^(%d+):[01]$') or 0), tonumber(ARGV[2])
if before > 2^53 then before = 0 end
if ARGV[4] == '1' and at <= before then at = before + 1 end
if at <= before then return kept end
local now = string.format('%.0f:%s', at, ARGV[3])
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], now) end
return now
"""
"""Keep the newest choice of a person, and return what is kept now, as `at:choice`. A choice that
can't be read is older than any.

ARGV: the person, the time in Unix ms, the choice (empty: have it forgotten), and 1 if it is made
now, so that it is newer than what is kept, whatever the clocks say.
"""
TOGETHER = 200
"""Choices in one call, when Valkey is told all of them."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A person's choice. `at`: its place among their choices, the Unix ms at which it was made.

    `is_told`: Valkey has it, and the other groups have been told.
    """

    user: UserId
    is_on: bool
    at: int
    is_told: bool = False


class SwitchStore(Protocol):
    """The choices in this group's file. Changes are committed on return."""

    async def switches(self) -> Sequence[Switch]: ...
    async def keep(self, switches: Sequence[Switch]) -> None: ...
    async def drop(self, user: UserId) -> None: ...


class Switches:
    """One kind of switch. The newest choice wins.

    With Valkey, newer is what Valkey took later. A choice made without it counts by the time at
    which it was made (`now`, Discord's), and holds in this group at once.
    """

    def __init__(
        self,
        name: str,
        valkey: Valkey,
        feed: Feed,
        store: SwitchStore,
        forgotten: Forgotten,
        now: Callable[[], float],
    ) -> None:
        self._name = name
        self._valkey = valkey
        self._feed = feed
        self._store = store
        self._now = now
        self._known: dict[UserId, Switch] = {}
        self._in_turn = asyncio.Lock()  # memory, the file and Valkey change in one order
        self._entries = Entries(name)
        self._forgotten = forgotten
        self.changed: Callable[[UserId], None] = lambda _: None
        feed.on(name, self._heard)
        feed.on(f"{name} filled", self._filled)
        feed.on_gap.append(self._compare)

    async def recall(self) -> None:
        """Read this group's file."""
        self._known = {one.user: one for one in await self._store.switches()}

    def is_on(self, user: UserId) -> bool:
        known = self._known.get(user)
        return known is not None and known.is_on

    async def set(self, user: UserId, *, is_on: bool) -> None:
        """Keep a choice here, then tell the others, or leave it to the time when they are back."""
        async with self._in_turn:
            known = self._known.get(user)
            at = max(int(self._now() * 1000), known.at + 1 if known is not None else 0)
            mine = Switch(user, is_on, at)
            await self._keep(mine)
            try:
                await self._tell(mine)
            except ValkeyAwayError:
                self._feed.compare_soon()
                log.info("people: a choice of %s waits for Valkey", self._name)

    async def forget(self, user: UserId, at: int) -> None:
        """Forget what was chosen up to a moment (Unix ms), and what others still tell of it.

        Raises ValkeyAwayError if it is only forgotten here.
        """
        async with self._in_turn:
            known = self._known.get(user)
            if known is not None and known.at > at:
                await self._store.keep([known])  # the file has dropped it with what is older
            else:
                self._known.pop(user, None)
                await self._store.drop(user)
            await self._set(Switch(user, is_on=False, at=at), choice="", is_now=False)

    async def _tell(self, mine: Switch) -> None:
        kept = await self._set(mine, choice=str(int(mine.is_on)), is_now=True)
        await self._feed.tell(self._name, user=kept.user, on=kept.is_on, at=kept.at)
        await self._keep(kept)  # only now: whoever didn't hear of it is told again

    async def _heard(self, news: News) -> None:
        user, at = UserId(number(news["user"])), number(news["at"])
        await self._take([Switch(user, bool(news["on"]), at, is_told=True)])

    async def _take(self, told: Iterable[Switch]) -> None:
        """Take over choices that are newer than those known."""
        async with self._in_turn:
            newer = [one for one in told if self._is_newer(one)]
            if not newer:
                return
            await self._store.keep(newer)
            for one in newer:
                before = self.is_on(one.user)
                self._known[one.user] = one
                if one.is_on is not before:
                    self.changed(one.user)

    def _is_newer(self, one: Switch) -> bool:
        """Return whether a choice that Valkey has is to hold here. Valkey decides ties."""
        if one.at <= self._forgotten.until(one.user):
            return False
        known = self._known.get(one.user)
        if known is None or one.at != known.at:
            return known is None or one.at > known.at
        return one.is_on is not known.is_on

    async def _keep(self, switch: Switch) -> None:
        await self._store.keep([switch])
        self._known[switch.user] = switch

    async def _compare(self, is_new: bool) -> None:  # noqa: FBT001 as all parts are told
        """Tell Valkey what it lacks, and take what is newer there."""
        async with self._in_turn:
            lacking = [one for one in self._known.values() if is_new or not one.is_told]
            for start in range(0, len(lacking), TOGETHER):
                await self._set_all(lacking[start : start + TOGETHER])
            if lacking:
                await self._feed.tell(f"{self._name} filled")
            if told := [replace(one, is_told=True) for one in lacking if not one.is_told]:
                await self._store.keep(told)
                self._known.update({one.user: one for one in told})
        await self._read_all()

    async def _filled(self, news: News) -> None:
        if news["from"] != self._feed.number:
            await self._read_all()

    async def _read_all(self) -> None:
        found: Any = await self._valkey.ask(lambda db: db.hgetall(self._key))
        await self._take(self._entries.each(found.items(), _stored))

    async def _set_all(self, switches: Sequence[Switch]) -> None:
        """Set many in one call, where they are newer than what is kept."""

        async def call(db: Any) -> None:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=False) as many:
                for one in switches:
                    many.eval(SET, 1, self._key, one.user, one.at, str(int(one.is_on)), "0")
                await many.execute()

        await self._valkey.ask(call)

    async def _set(self, one: Switch, *, choice: str, is_now: bool) -> Switch:
        values = (one.user, one.at, choice, str(int(is_now)))
        found = await self._valkey.ask(lambda db: db.eval(SET, 1, self._key, *values))
        return _read(one.user, found)

    @property
    def _key(self) -> str:
        return self._valkey.key(self._name)


def _read(user: UserId, kept: bytes) -> Switch:
    at, _, choice = kept.partition(b":")
    return Switch(user, choice == b"1", number(at), is_told=True)


def _stored(found: tuple[bytes, bytes]) -> Switch:
    user, kept = found
    return _read(UserId(number(user)), kept)
