"""The news that every group of a bot hears, in one order: that in which Valkey took them."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, TypeAlias

import orjson

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, group_number, number
from bot.groups.valkey import Valkey

log = logging.getLogger(__name__)

News: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[[News], Awaitable[None]]

LISTENS = 5.0
"""Seconds for which one question for news waits, and after which an emptied Valkey is noticed."""
REST = 1.0
"""Seconds between two tries to reach Valkey again."""
OLD = 600
"""Seconds after which news are dropped, which all have heard long since: they name people."""
TRIMS = 60.0
"""Seconds after which each group looks for old news."""
TRIM = """
local now = redis.call('TIME')
local oldest = string.format('%.0f', (now[1] - ARGV[1]) * 1000)
return redis.call('XTRIM', KEYS[1], 'MINID', oldest)
"""
"""Drop a stream's entries that are older than so many seconds, and return their number.

The stream stays, also if nothing is left: the ids of what comes are larger.
"""
GENERATION = """
local run = ':' .. (string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or '')
local kept = redis.call('GET', KEYS[1])
if kept and string.sub(kept, -#run) == run then return kept end
if kept then redis.call('DEL', KEYS[2] .. ':' .. kept, KEYS[3]) end
redis.call('SET', KEYS[1], ARGV[1] .. run)
return ARGV[1] .. run
"""
"""Return the generation, and begin one with the name ARGV[1] if Valkey is empty or was started
since: what it has read from its disk may lack the newest. KEYS: the generation, and who has told it
everything, without its name, and the choices, which may be of somebody who was forgotten since.
"""
KEPT = 10_000
"""About so many news are kept. A group that misses some reads everything again."""
TOGETHER = 100


class Feed:
    """One stream for all groups. Each hears all of it, its own news too, while Valkey is there.

    What was missed is not read later. Instead, each part that is in `on_gap` compares all that it
    knows with what Valkey has: at the start, when Valkey is back, and when it has lost data. The
    parts are told whether this Valkey has nothing of this group yet. `now`: Discord's time in Unix
    seconds.

    `generation` names one life of Valkey's data, in which this group has told all that it knows.
    It changes when Valkey was emptied or started again, and ends with the id of Valkey's start.
    """

    def __init__(self, valkey: Valkey, group: int, clock: Clock, now: Callable[[], float]) -> None:
        self._valkey = valkey
        self.number = group
        self._clock = clock
        self._now = now
        self._stream = valkey.key("people")
        self._handlers: dict[str, Handler] = {}
        self._entries = Entries("news of people")
        self._last: bytes | None = None
        self._compares = False
        self._trimmed = clock.now()
        self.generation = b""
        self.on_gap: list[Callable[[bool], Awaitable[None]]] = []

    def on(self, kind: str, handler: Handler) -> None:
        """Hear news of a kind. They are heard one by one: a handler that takes long holds up all.

        A handler that fails is logged, and the news counts as heard.
        """
        self._handlers[kind] = handler

    async def tell(self, kind: str, **values: object) -> None:
        """Tell every group something, as JSON values. Raises ValkeyAwayError."""
        news = orjson.dumps({"kind": kind, "from": self.number, **values})
        await self._valkey.ask(
            lambda db: db.xadd(self._stream, {b"news": news}, maxlen=KEPT, approximate=True)
        )

    def compare_soon(self) -> None:
        """Have all parts compare again: something was not told."""
        self._compares = True

    async def begin(self) -> None:
        """Do what was missed. Without Valkey that is done as soon as it is there."""
        try:
            await self._catch_up()
        except ValkeyAwayError:
            log.warning("people: other groups not asked for what was missed: Valkey is away")

    async def run(self) -> None:
        """Hear news until cancelled."""
        while True:
            try:
                if self._last is None or self._compares:
                    self._compares, self._last = False, None  # until that has been done
                    await self._catch_up()
                await self._hear()
                await self._trim()
            except ValkeyAwayError:
                self._last = None
                await self._clock.sleep(REST)

    async def filled(self) -> frozenset[int]:
        """Return the groups that have told this Valkey all they know. Raises ValkeyAwayError."""
        return await self._filled(self.generation)

    @property
    def generation_key(self) -> str:
        return self._valkey.key("people", "generation")

    @property
    def born(self) -> float:
        """The time at which this Valkey was started or emptied last, in Unix seconds.

        If that can't be read, it may be any moment.
        """
        began = self._entries.one(self.generation.partition(b":")[0] or b"0", number)
        return inf if began is None else began / 1000

    async def _catch_up(self) -> None:
        last = await self._newest()
        generation = await self._current()
        is_new = self.number not in await self._filled(generation)
        for missed in self.on_gap:
            await missed(is_new)
        key = self._filled_key(generation)
        await self._valkey.ask(lambda db: db.sadd(key, self.number))
        self._last, self.generation = last, generation

    async def _newest(self) -> bytes:
        found: Any = await self._valkey.ask(lambda db: db.xrevrange(self._stream, count=1))
        return bytes(found[0][0]) if found else b"0-0"

    async def _current(self) -> bytes:
        """Return the generation, and begin one if Valkey has lost something (`GENERATION`)."""
        drawn = f"{int(self._now() * 1000)}:{secrets.token_hex(8)}"
        filled, choices = self._valkey.key("people", "filled"), self._valkey.key("plain")
        keys = (self.generation_key, filled, choices)
        found: Any = await self._valkey.ask(lambda db: db.eval(GENERATION, 3, *keys, drawn))
        return bytes(found)

    async def _hear(self) -> None:
        stream, last = self._stream, self._last
        assert last is not None, "it is known from where to read"
        found: Any = await self._valkey.wait_for(
            lambda db: db.xread({stream: last}, TOGETHER, int(LISTENS * 1000)), LISTENS
        )
        if await self._current() != self.generation:
            log.warning("people: Valkey may have lost data: it is told again what this group knows")
            self._last = None
            return
        for _, entries in found or ():
            for entry, fields in entries:
                if (news := self._entries.one(fields, _read)) is not None:
                    await self._heard(news)
                self._last = entry

    async def _trim(self) -> None:
        """Drop old news, every TRIMS seconds."""
        if self._clock.now() >= self._trimmed + TRIMS:
            self._trimmed = self._clock.now()
            await self._valkey.ask(lambda db: db.eval(TRIM, 1, self._stream, OLD))

    async def _heard(self, news: News) -> None:
        handler = self._handlers.get(news["kind"])
        if handler is None:
            return
        try:
            await handler(news)
        except ValkeyAwayError:
            raise
        except Exception:
            log.exception("people: news not handled: %s", news["kind"])

    async def _filled(self, generation: bytes) -> frozenset[int]:
        key = self._filled_key(generation)
        found: Any = await self._valkey.ask(lambda db: db.smembers(key))
        return frozenset(self._entries.each(found, group_number))

    def _filled_key(self, generation: bytes) -> str:
        return self._valkey.key("people", "filled", generation.decode(errors="replace"))


def _read(fields: dict[bytes, bytes]) -> News:
    news: Any = orjson.loads(fields[b"news"])
    if not isinstance(news["kind"], str):
        raise TypeError("news have a kind")
    return {**news, "from": group_number(news["from"])}
