"""Presses that other groups have handed to this one, read from its stream."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries
from bot.groups.group import Group
from bot.groups.hops.press import Fields, HandedPress, Here, read
from bot.groups.hops.server_time import ServerTime
from bot.groups.valkey import REST

log = logging.getLogger(__name__)

TOO_OLD = 2.0
"""Seconds from a press's arrival after which it is dropped, as at a table's queue."""
BLOCK = 5.0
"""Seconds for which Valkey is asked to wait for the next press."""
AT_ONCE = 100
"""Presses read at once, at most."""
BEGINNING = b"0-0"


class Reader:
    """The reader of one group's stream.

    Whoever deletes an entry has its press: this group, or the one that sent it and tells the person
    so. Presses are taken in the order of the stream, and nothing is awaited between two of them.

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
            for content in await self._claimed(found):
                self._handle(content)

    async def _next(self) -> list[tuple[bytes, Fields]]:
        wait = int(BLOCK * 1000)
        found: Any = await self._valkey.wait_for(
            lambda db: db.xread({self._stream: BEGINNING}, count=AT_ONCE, block=wait), BLOCK
        )
        return found[0][1] if found else []

    async def _claimed(self, found: list[tuple[bytes, Fields]]) -> list[Fields]:
        """Delete entries, and return those that were still there. Raises ValkeyAwayError."""
        if not found:
            return []

        async def call(db: Any) -> list[Any]:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=False) as many:
                for entry, _ in found:
                    many.xdel(self._stream, entry)
                return list(await many.execute())

        are_ours = await self._valkey.ask(call)
        return [content for (_, content), is_ours in zip(found, are_ours, strict=True) if is_ours]

    def _handle(self, content: Fields) -> None:
        if (found := self._entries.one(content, read)) is None:
            return
        press, arrived = found
        try:
            self._see_to(replace(press, arrived=self._time.monotonic(arrived)))
        except Exception:
            log.exception("%s: a press was not taken", self._stream)

    def _see_to(self, press: HandedPress) -> None:
        if self._clock.now() - press.arrived > TOO_OLD:
            self._here.drop()
        elif press.table is None or self._here.is_open(press.table):
            self._here.take(press)
        else:
            self._forward(press)
