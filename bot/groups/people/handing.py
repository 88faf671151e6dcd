"""Interactions that one group hands to another by name, in order."""

import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import orjson

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.valkey import REST, Valkey

log = logging.getLogger(__name__)

Payload: TypeAlias = dict[str, Any]

TOO_OLD = 2.0
"""Seconds from an interaction's arrival after which nobody takes it any more."""
LISTENS = 5.0
LINE_KEPT = 60
"""Seconds after which interactions that nobody has taken go."""


class Handing:
    """A line for each group, in Valkey. `now`: Discord's time in Unix seconds, in every group.

    `take` gets each interaction for this group, with the seconds since it arrived at the other.
    """

    def __init__(self, valkey: Valkey, number: int, clock: Clock, now: Callable[[], float]) -> None:
        self._valkey = valkey
        self._number = number
        self._clock = clock
        self._now = now
        self.take: Callable[[Payload, float], None] = _drop

    async def hand_over(self, payload: Payload, group: int) -> None:
        """Put an interaction in a group's line. Raises ValkeyAwayError."""
        line, said = self._line(group), orjson.dumps([self._now(), payload])
        await self._valkey.push(line, said, LINE_KEPT)

    async def run(self) -> None:
        """Take what is in this group's line, until cancelled."""
        line = self._line(self._number)
        while True:
            try:
                found: Any = await self._valkey.wait_for(
                    lambda db: db.blpop([line], timeout=LISTENS), LISTENS
                )
            except ValkeyAwayError:
                await self._clock.sleep(REST)
                continue
            if found is not None:
                at, payload = orjson.loads(found[1])
                self._take(payload, self._now() - at)

    def _take(self, payload: Payload, age: float) -> None:
        if age > TOO_OLD:
            log.info("handed over: an interaction came too late")
            return
        self.take(payload, max(age, 0.0))

    def _line(self, group: int) -> str:
        return self._valkey.key("handed", group)


def _drop(payload: Payload, age: float) -> None:
    log.warning("handed over: interaction %s dropped after %.1f s", payload.get("id"), age)
