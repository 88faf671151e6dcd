"""Presses on tables that aren't open here, sent to the groups that may have them.

And interactions that are sent to a group by name.
"""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from bot.clock import Clock
from bot.groups.away import NotAskedError, ValkeyAwayError
from bot.groups.group import Group
from bot.groups.hops.origins import Origins
from bot.groups.hops.press import Entry, HandedPress, Here, fields
from bot.groups.hops.reader import taken_key
from bot.groups.hops.server_time import ServerTime
from bot.groups.valkey import Commands
from bot.tasks import Spawn

log = logging.getLogger(__name__)

MOST = 1000
"""Entries that a stream keeps, about. Those that are taken are deleted."""
KEPT = 60
"""Seconds for which a stream is kept after its last press: presses hold tokens and names."""
ADD = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local added = redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', unpack(ARGV, 3))
redis.call('EXPIRE', KEYS[2], ARGV[2])
return added
"""
"""Adds fields (from the third argument on) to a stream (the second key) of about so many entries
(the first argument), which ends so many seconds later (the second), and returns the entry's id;
nothing if there is no lease (the first key).
"""
UNTAKEN = 1.5
"""Seconds from a press's arrival in which a group has to take it. Discord waits for 3 (PLATFORM 1).
"""
UNKNOWN = 2.5
"""Seconds from a press's arrival after which it is answered although a group may have taken it."""
AGAIN = 0.1
"""Seconds until Valkey is asked again whether a press was taken."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A press in a group's stream. `entry`: its own there; None if it may not have got there."""

    group: int
    stream: str
    entry: bytes | None
    press: HandedPress


class Sender:
    """The presses to be handed over, in their order, and those that nobody has taken yet.

    `put` is an ordinary function: when it returns, the press is in line. One press is sent at a
    time, so a group gets them in the order in which they arrived here.
    """

    def __init__(
        self,
        group: Group,
        origins: Origins,
        time: ServerTime,
        here: Here,
        clock: Clock,
        spawn: Spawn,
    ) -> None:
        assert group.valkey is not None, "there are other groups"
        self._group = group.number
        self._valkey = group.valkey
        self._origins = origins
        self._time = time
        self._here = here
        self._clock = clock
        self._spawn = spawn
        self._line: asyncio.Queue[HandedPress] = asyncio.Queue()
        self._missing: set[int] = set()

    def put(self, press: HandedPress) -> None:
        """Have a press sent to the group that has its table."""
        self._line.put_nowait(press)

    async def hand_over(self, press: HandedPress, group: int) -> bool:
        """Send a press to a group, which has no other to pass it on to.

        Return False if that group doesn't run. If it doesn't take the press, the person is told.
        Raises ValkeyAwayError if it is sure that the press isn't there.
        """
        return await self._add(group, press)

    async def send(self) -> None:
        """Send what is in line, until cancelled."""
        while True:
            press = await self._clock.park(self._line.get(), "presses to hand over")
            if self._clock.now() > press.arrived + UNTAKEN:  # Valkey is slow: no group is in time
                self._here.answer_away(press)
                continue
            try:
                await self._send(press)
            except ValkeyAwayError:
                self._here.answer_away(press)
            except Exception:
                log.exception("table %s: a press was not handed over", press.table)
                self._here.answer_away(press)

    async def _send(self, press: HandedPress) -> None:
        """Send a press to the next group that may have its table, or see to it here.

        Raises ValkeyAwayError.
        """
        origins, table = self._origins, press.table
        assert table is not None, "only presses on tables are in line"
        if origins.is_ours(table) and await self._here.has_row(table):
            self._here.take(press)
            return
        passed = set(press.visited)
        if passed:
            await origins.read()
        for _ in ("what is known", "what Valkey says"):
            for group in origins.others(table):
                if group in passed:
                    continue
                passed.add(group)
                if await self._add(group, press):
                    return
            await origins.read()
        if origins.is_known(table, press.visited):
            self._here.take(press)  # no group's database has the table: it says so
        else:
            self._here.answer_away(press)

    async def _add(self, group: int, press: HandedPress) -> bool:
        """Add a press to a group's stream. Return False if that group doesn't run.

        Raises ValkeyAwayError if it is sure that the press isn't there.
        """
        if not self._time.is_known:
            await self._time.read()
        lease, stream = self._valkey.key("lease", group), self._valkey.key("in", group)
        entry = fields(press.after(self._group), self._time.unix(press.arrived))
        try:
            added = await self._valkey.ask(partial(_added, lease, stream, entry))
        except NotAskedError:
            raise
        except ValkeyAwayError:
            self._watch(_Sent(group, stream, None, press))
            return True
        if added is None:
            self._missed(group)
            return False
        self._watch(_Sent(group, stream, added, press))
        return True

    def _watch(self, sent: _Sent) -> None:
        self._spawn(self._followed(sent), name="press handed over")

    async def _followed(self, sent: _Sent) -> None:
        """Answer a press that no group takes in time.

        Whoever deletes its entry has it, and a group notes that it has taken one. If neither is
        known, the press is answered late: a group that has taken it has answered by then, and
        Discord takes the first answer.
        """
        arrived = sent.press.arrived
        await self._clock.sleep(max(0.0, arrived + UNTAKEN - self._clock.now()))
        while (is_left := await self._taken_back(sent)) is None:
            if self._clock.now() > arrived + UNKNOWN:
                break
            await self._clock.sleep(AGAIN)
        if is_left is False:
            self._found(sent.group)
            return
        if is_left:
            self._missed(sent.group)
        self._here.answer_away(sent.press)

    async def _taken_back(self, sent: _Sent) -> bool | None:
        """Return whether a press was still in its stream, and isn't any more.

        False: its group has taken it. None: that is unknown.
        """
        if (entry := sent.entry) is None:
            return None
        taken = taken_key(self._valkey, sent.group, entry)
        try:
            if await self._valkey.ask(lambda db: db.xdel(sent.stream, entry)):
                return True
            return False if await self._valkey.ask(lambda db: db.exists(taken)) else None
        except ValkeyAwayError:
            return None

    def _found(self, group: int) -> None:
        if group in self._missing:
            self._missing.remove(group)
            log.warning("group %d takes presses again", group)

    def _missed(self, group: int) -> None:
        if group not in self._missing:
            self._missing.add(group)
            log.warning("group %d takes no presses: players are asked to press again", group)


async def _added(lease: str, stream: str, entry: Entry, db: Commands) -> bytes | None:
    """Add an entry if the group holds its lease. Return the entry's id; None if it doesn't."""
    fields = [part for field in entry.items() for part in field]
    added: Any = db.eval(ADD, 2, lease, stream, MOST, KEPT, *fields)
    return cast("bytes | None", await added)
