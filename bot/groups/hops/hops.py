"""One group's part in handing presses over: what it runs, and what it tells the others."""

from collections.abc import Iterable, Mapping

from bot.clock import Bell, Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.group import Group
from bot.groups.hops.origins import Origins
from bot.groups.hops.press import Here
from bot.groups.hops.reader import Reader
from bot.groups.hops.sender import Sender
from bot.groups.hops.server_time import ServerTime
from bot.groups.known import Groups
from bot.tasks import Spawn, Work

EVERY = 5.0
"""Seconds between two looks at Valkey's clock."""
ORIGINS = 15.0
"""Seconds between two looks at which groups have which tables. Whoever misses one looks at once."""


class Hops:
    """The tasks of one group. `own`: the groups in which its database's tables were born.

    `put` hands a press on a table over, in order, and `hand_over` any interaction to a group that
    is named. `work` is to be run for as long as the bot runs, by name.
    """

    def __init__(
        self,
        group: Group,
        own: Iterable[int],
        groups: Groups,
        here: Here,
        clock: Clock,
        spawn: Spawn,
    ) -> None:
        assert group.valkey is not None, "a bot of one process hands nothing over"
        valkey = group.valkey
        self._clock = clock
        self._bell = Bell()
        self._time = time = ServerTime(valkey, clock)
        self._origins = origins = Origins(group, own, groups)
        sender = Sender(group, origins, time, here, clock, spawn)
        self.put, self.hand_over = sender.put, sender.hand_over
        reader = Reader(group, time, here, clock, sender.put)
        self.work: Mapping[str, Work] = {
            "links to the other groups": self._keep_up,
            "presses for other groups": sender.send,
            "presses from other groups": reader.run,
        }
        self._due = clock.now()
        valkey.on_return.append(self._back)

    def _back(self) -> None:
        self._due = self._clock.now()
        self._bell.ring()

    async def _keep_up(self) -> None:
        """Tell which tables are here, now and then, and as soon as Valkey is back."""
        while True:
            try:
                if self._clock.now() >= self._due:
                    await self._origins.tell()
                    await self._origins.read()
                    self._due = self._clock.now() + ORIGINS
                await self._time.read()
            except ValkeyAwayError:
                self._due = self._clock.now()
            await self._clock.nap(EVERY, self._bell)
