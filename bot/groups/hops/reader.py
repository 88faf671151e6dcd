"""Presses that other groups have handed to this one, read from its stream."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.hops.press import Fields, HandedPress, Here, read
from bot.groups.hops.server_time import ServerTime
from bot.groups.valkey import REST, Valkey

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

    Each press is taken in the order of the stream, and nothing is awaited between two of them. What
    is taken is deleted. If that fails, it is read again: a repeated press counts once.
    """

    def __init__(
        self,
        stream: str,
        time: ServerTime,
        valkey: Valkey,
        here: Here,
        clock: Clock,
        forward: Callable[[HandedPress], None],
    ) -> None:
        self._stream = stream
        self._time = time
        self._valkey = valkey
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
            for _, content in found:
                self._handle(content)
            if found:
                await self._delete([entry for entry, _ in found])

    async def _next(self) -> list[tuple[bytes, Fields]]:
        wait = int(BLOCK * 1000)
        found: Any = await self._valkey.wait_for(
            lambda db: db.xread({self._stream: BEGINNING}, count=AT_ONCE, block=wait), BLOCK
        )
        return found[0][1] if found else []

    async def _delete(self, entries: list[bytes]) -> None:
        await self._valkey.ask(lambda db: db.xdel(self._stream, *entries))

    def _handle(self, content: Fields) -> None:
        try:
            press, arrived = read(content)
        except (KeyError, ValueError):
            log.exception("%s: an entry is no press", self._stream)
            return
        press = replace(press, arrived=self._time.monotonic(arrived))
        if self._clock.now() - press.arrived > TOO_OLD:
            self._here.drop()
        elif self._here.is_open(press):
            self._here.take(press)
        else:
            self._forward(press)
