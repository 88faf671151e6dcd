"""Discord's limit of the whole bot, met by one group, slows down all (PLATFORM 2)."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, group_number
from bot.ids import ChannelId
from bot.tasks import Spawn

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

log = logging.getLogger(__name__)

Entry: TypeAlias = tuple[int, int]
"""An entry of a stream: milliseconds of the server's clock, and a number."""

YOUNG = 60
"""Seconds for which a slowdown is told: after a quiet minute each group is faster again."""
KEPT = 100
"""Slowdowns that Valkey keeps, roughly."""
BLOCK = 5
"""Seconds after which Valkey is asked anew for the next slowdown."""
AWAY = 1.0
"""Seconds until Valkey is asked again after it did not answer."""


class Slowdowns:
    """The slowdowns of all groups: a stream in Valkey, with an entry for each.

    `number`: of this group, which isn't told of its own; `slow_down` slows down this group, in one
    channel or everywhere.
    """

    def __init__(
        self,
        valkey: "Valkey",
        number: int,
        clock: Clock,
        spawn: Spawn,
        slow_down: Callable[[ChannelId | None], None],
    ) -> None:
        self._valkey = valkey
        self._own = number
        self._entries = Entries("slowdowns")
        self._clock = clock
        self._spawn = spawn
        self._slow_down = slow_down
        self._key = valkey.key("slow")
        self._is_telling = False

    def rate_limited(self, channel: ChannelId | None) -> None:
        """Slow down, and have the other groups do so unless the limit is one channel's (None).

        Limits that are met while they are told of one are part of it.
        """
        self._slow_down(channel)
        if channel is None and not self._is_telling:
            self._is_telling = True
            self._spawn(self._tell(), name="slowdown for other groups")

    async def _tell(self) -> None:
        try:
            await self._valkey.ask(
                lambda db: db.xadd(self._key, {"group": self._own}, maxlen=KEPT, approximate=True)
            )
        except ValkeyAwayError:
            log.info("limit of the whole bot: the other groups are not told, Valkey is away")
        finally:
            self._is_telling = False

    async def run(self) -> None:
        """Slow down whenever another group has met the limit, and for those of the last minute.

        Never returns. What is told while Valkey can't be reached is heard afterwards.
        """
        heard: Entry = (0, 0)
        while True:
            try:
                now, _ = await self._valkey.ask(lambda db: db.time())
                heard = min(max(heard, ((now - YOUNG) * 1000, 0)), ((now + 1) * 1000, 0))
                while True:
                    heard = await self._hear(heard)
            except ValkeyAwayError:
                await self._clock.sleep(AWAY)

    async def _hear(self, heard: Entry) -> Entry:
        """Wait for slowdowns after this one, for BLOCK seconds at most. Return the last heard."""
        after = f"{heard[0]}-{heard[1]}"
        work = self._valkey.wait_for(
            lambda db: db.xread({self._key: after}, block=BLOCK * 1000), BLOCK
        )
        streams: Any = await self._clock.park(work, "slowdowns")
        for _, entries in streams:
            for name, said in entries:
                time, number = name.split(b"-")
                heard = (int(time), int(number))
                group = self._entries.one(said, _group)
                if group not in {None, self._own}:
                    log.info("group %d has met the limit of the whole bot", group)
                    self._slow_down(None)
        return heard


def _group(said: dict[bytes, bytes]) -> int:
    return group_number(said[b"group"])
