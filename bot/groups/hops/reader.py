"""Presses that other groups have handed to this one, read from its stream."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries
from bot.groups.group import Group
from bot.groups.hops.press import Fields, HandedPress, Here, read
from bot.groups.hops.server_time import ServerTime
from bot.groups.valkey import REST, Valkey

log = logging.getLogger(__name__)
T = TypeVar("T")

TOO_OLD = 2.0
"""Seconds from a press's arrival after which it is dropped, as at a table's queue."""
BLOCK = 5.0
"""Seconds for which Valkey is asked to wait for the next press."""
AT_ONCE = 100
"""Presses read at once, at most."""
NOTED = 10
"""Seconds for which it is noted that a press is taken: who sent it asks before."""
BEGINNING = b"0-0"
Found: TypeAlias = list[tuple[bytes, Fields]]


def taken_key(valkey: Valkey, group: int, entry: bytes) -> str:
    """Return the key that is there once a group has taken the press of an entry of its stream."""
    return valkey.key("taken", group, entry.decode())


class Reader:
    """The reader of one group's stream.

    Whoever deletes an entry has its press: this group, or the one that sent it and tells the person
    so. What is taken here is noted. The sender tells the person of any other press, too: this group
    may be stopped, or never hear that it has deleted the entry. Presses are taken in the order of
    the stream, and nothing is awaited between two of them.

    While it isn't sure that the group is this process (`is_sure`), presses are left to whoever has
    been started as the group since.
    """

    def __init__(
        self,
        group: Group,
        time: ServerTime,
        here: Here,
        clock: Clock,
        forward: Callable[[HandedPress], None],
    ) -> None:
        assert group.valkey is not None, "there are other groups"
        self._valkey = group.valkey
        self._group = group.number
        self._stream = group.valkey.key("in", group.number)
        self._is_sure = group.is_sure
        self._entries = Entries("presses from other groups")
        self._time = time
        self._here = here
        self._clock = clock
        self._forward = forward

    async def run(self) -> None:
        """Take presses until cancelled. While Valkey is away, try again every REST seconds."""
        while True:
            try:
                await self._time.read()
                await self._follow()
            except ValkeyAwayError:
                await self._clock.sleep(REST)

    async def _follow(self) -> None:
        """Take presses until Valkey is away.

        Every entry in the stream is new. A stream that was emptied may have smaller ids.
        """
        while True:
            found = await self._next()
            if found and not self._is_sure():
                log.warning("%s: presses are left there: the lease has run out", self._stream)
                await self._clock.sleep(REST)
                continue
            claimed = await self._claimed(found)
            await self._note([entry for entry, content in claimed if self._take(content)])

    async def _next(self) -> Found:
        wait = int(BLOCK * 1000)
        found: Any = await self._valkey.wait_for(
            lambda db: db.xread({self._stream: BEGINNING}, count=AT_ONCE, block=wait), BLOCK
        )
        return found[0][1] if found else []

    async def _claimed(self, found: Found) -> Found:
        """Delete entries, and return those that were still there. Raises ValkeyAwayError."""
        deleted = await self._each(found, lambda many, one: many.xdel(self._stream, one[0]))
        return [one for one, is_ours in zip(found, deleted, strict=True) if is_ours]

    async def _note(self, taken: list[bytes]) -> None:
        """Tell who sent presses that they are taken. Raises ValkeyAwayError."""
        group, valkey = self._group, self._valkey
        await self._each(
            taken, lambda many, one: many.set(taken_key(valkey, group, one), b"", ex=NOTED)
        )

    async def _each(self, ones: Sequence[T], command: Callable[[Any, T], object]) -> list[Any]:
        """Run a command for each, in one call, and return the answers. Raises ValkeyAwayError."""
        if not ones:
            return []

        async def call(db: Any) -> list[Any]:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=False) as many:
                for one in ones:
                    command(many, one)
                return list(await many.execute())

        return await self._valkey.ask(call)

    def _take(self, content: Fields) -> bool:
        """Take a press. Return whether that was done: it may be too old, or none at all."""
        if (found := self._entries.one(content, read)) is None:
            return False
        press, arrived = found
        try:
            return self._see_to(replace(press, arrived=self._time.monotonic(arrived)))
        except Exception:
            log.exception("%s: a press was not taken", self._stream)
            return False

    def _see_to(self, press: HandedPress) -> bool:
        if self._clock.now() - press.arrived > TOO_OLD:
            self._here.drop()
            return False
        if press.table is None or self._here.is_open(press.table):
            self._here.take(press)
        else:
            self._forward(press)
        return True
