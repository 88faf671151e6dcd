"""The lease of what one group does for the whole bot: commands, emojis, news of releases.

Nothing here is needed for play. A group that loses the lease plays on.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

log = logging.getLogger(__name__)

LIFE = 15.0
"""Seconds for which the lease is held after a renewal. Then another group may take it."""
RENEWAL = 5.0
"""Seconds between two renewals, and between two attempts of a group that hasn't got it."""
KEPT = 2 * 24 * 60 * 60
"""Seconds for which the other groups can read what they were told."""
TAKE = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
"""Set the key to ARGV[1] for ARGV[2] milliseconds unless it has another value. Return 1 if so."""
GIVE_BACK = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""
"""Delete the key if it has the value ARGV[1]. Return 1 if so."""


class Once(Protocol):
    """The right to act for the whole bot, which one group has at a time.

    `is_ours` is read right before each such act. `each_time` does work whenever the right becomes
    this group's. `tell` leaves a text for the other groups, and `told` reads it; both do nothing
    without Valkey.
    """

    @property
    def is_ours(self) -> bool: ...
    @property
    def is_shared(self) -> bool: ...
    async def run(self) -> None: ...
    async def each_time(self, work: Callable[[], Awaitable[None]]) -> None: ...
    async def tell(self, topic: str, said: str) -> None: ...
    async def told(self, topic: str) -> str | None: ...


class Always:
    """The right of a bot that is one process: always its own."""

    is_ours = True
    is_shared = False

    async def run(self) -> None:
        """Return at once: there is nothing to renew."""

    async def each_time(self, work: Callable[[], Awaitable[None]]) -> None:
        await work()

    async def tell(self, topic: str, said: str) -> None:
        """There is no other group."""

    async def told(self, topic: str) -> str | None:  # noqa: ARG002 nobody has told it anything
        return None


class OnceLease:
    """The right as a lease in Valkey, of LIFE seconds, renewed every RENEWAL seconds.

    Its value is the group's number: a group that is started again has its own back at once. A
    holder that can't renew it stops acting after LIFE seconds by its own clock, counted from before
    the renewal was sent, so never later than another group can begin. A group that reaches no
    Valkey never begins.
    """

    is_shared = True

    def __init__(self, valkey: "Valkey", number: int, clock: Clock) -> None:
        self._valkey = valkey
        self._key = valkey.key("once")
        self._number = str(number)
        self._clock = clock
        self._until: float | None = None
        self._gained, self._lost = asyncio.Event(), asyncio.Event()
        self._lost.set()

    @property
    def is_ours(self) -> bool:
        return self._until is not None and self._clock.since_boot() < self._until

    async def run(self) -> None:
        """Take the lease when it is free, and renew it, until cancelled.

        Then it is given back, so that another group begins within RENEWAL seconds.
        """
        try:
            while True:
                await self._renew()
                await self._clock.sleep(RENEWAL)
        finally:
            if self._until is not None:
                self._end()
                await self._give_back()

    async def _give_back(self) -> None:
        with suppress(ValkeyAwayError):
            await self._valkey.ask(lambda db: db.eval(GIVE_BACK, 1, self._key, self._number))

    async def each_time(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do work whenever the lease becomes this group's, until cancelled."""
        while True:
            await self._clock.park(self._gained.wait(), "once")
            await work()
            await self._clock.park(self._lost.wait(), "once")

    async def tell(self, topic: str, said: str) -> None:
        key = self._valkey.key("once", topic)
        with suppress(ValkeyAwayError):
            await self._valkey.ask(lambda db: db.set(key, said, ex=KEPT))

    async def told(self, topic: str) -> str | None:
        """Return the last text of this topic; None if there is none, or Valkey is away."""
        key = self._valkey.key("once", topic)
        try:
            said = await self._valkey.ask(lambda db: db.get(key))
        except ValkeyAwayError:
            return None
        return said.decode(errors="replace") if isinstance(said, bytes) else None

    async def _renew(self) -> None:
        asked = self._clock.since_boot()
        try:
            is_taken = await self._valkey.ask(
                lambda db: db.eval(TAKE, 1, self._key, self._number, str(int(LIFE * 1000)))
            )
        except ValkeyAwayError:
            if self._until is not None and not self.is_ours:
                self._end()
            return
        if is_taken:
            self._begin(asked + LIFE)
        elif self._until is not None:
            self._end()

    def _begin(self, until: float) -> None:
        if self._until is None:
            log.info("group %s registers commands and uploads emojis for the bot", self._number)
        self._until = until
        self._lost.clear()
        self._gained.set()

    def _end(self) -> None:
        log.info("group %s no longer registers commands or uploads emojis", self._number)
        self._until = None
        self._gained.clear()
        self._lost.set()


def once_of(group: Group, clock: Clock) -> Once:
    """Return the right of this process: its own for good if it is alone."""
    if group.valkey is None:
        return Always()
    return OnceLease(group.valkey, group.number, clock)
