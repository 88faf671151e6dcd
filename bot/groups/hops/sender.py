"""Presses on tables that aren't open here, sent to the groups that may have them."""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.hops.origins import Origins
from bot.groups.hops.press import Entry, HandedPress, Here, fields
from bot.groups.hops.server_time import ServerTime
from bot.groups.valkey import Commands, Valkey

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


@dataclass(frozen=True, slots=True)
class _Sent:
    """A press in a group's stream, and its entry there."""

    group: int
    stream: str
    entry: bytes
    press: HandedPress


class Sender:
    """The presses to be handed over, in their order, and those that nobody has taken yet.

    `put` is an ordinary function: when it returns, the press is in line. One press is sent at a
    time, so a group gets them in the order in which they arrived here.
    """

    def __init__(
        self,
        group: int,
        origins: Origins,
        time: ServerTime,
        valkey: Valkey,
        here: Here,
        clock: Clock,
    ) -> None:
        self._group = group
        self._origins = origins
        self._time = time
        self._valkey = valkey
        self._here = here
        self._clock = clock
        self._line: asyncio.Queue[HandedPress] = asyncio.Queue()
        self._sent: asyncio.Queue[_Sent] = asyncio.Queue()
        self._missing: set[int] = set()

    def put(self, press: HandedPress) -> None:
        self._line.put_nowait(press)

    async def send(self) -> None:
        """Send what is in line, until cancelled."""
        while True:
            press = await self._clock.park(self._line.get(), "presses to hand over")
            if self._clock.now() > press.arrived + UNTAKEN:  # Valkey is slow: no group is in time
                self._here.answer_restarting(press)
                continue
            try:
                await self._send(press)
            except ValkeyAwayError:
                self._here.answer_restarting(press)
            except Exception:
                log.exception("table %d: a press was not handed over", press.table)
                self._here.answer_restarting(press)

    async def _send(self, press: HandedPress) -> None:
        """Send a press to the next group that may have its table, or see to it here.

        Raises ValkeyAwayError.
        """
        origins = self._origins
        if origins.is_ours(press.table) and await self._here.has_row(press):
            self._here.take(press)
            return
        passed = set(press.visited)
        if passed:
            await origins.read()
        for _ in ("what is known", "what Valkey says"):
            for group in origins.others(press.table):
                if group in passed:
                    continue
                passed.add(group)
                if await self._add(group, press):
                    return
            await origins.read()
        may_have = not passed.issubset(press.visited)
        if may_have or not (press.visited or origins.is_ours(press.table)):
            self._here.answer_restarting(press)
        else:
            self._here.take(press)  # no group's database has the table: it says so

    async def _add(self, group: int, press: HandedPress) -> bool:
        """Add a press to a group's stream. Return False if that group doesn't run."""
        if not self._time.is_known:
            await self._time.read()
        lease, stream = self._valkey.key("lease", group), self._valkey.key("in", group)
        entry = fields(press.after(self._group), self._time.unix(press.arrived))
        added = await self._valkey.ask(partial(_added, lease, stream, entry))
        if added is None:
            self._missed(group)
            return False
        self._sent.put_nowait(_Sent(group, stream, added, press))
        return True

    async def watch(self) -> None:
        """Answer what no group has taken in time, until cancelled.

        An entry is deleted either here or by the group that takes it. A press that was answered
        twice for all that would be refused by Discord the second time.
        """
        while True:
            sent = await self._clock.park(self._sent.get(), "presses handed over")
            await self._clock.sleep(max(0.0, sent.press.arrived + UNTAKEN - self._clock.now()))
            if not await self._was_taken(sent):
                self._missed(sent.group)
                self._here.answer_restarting(sent.press)
            elif sent.group in self._missing:
                self._missing.remove(sent.group)
                log.warning("group %d takes presses again", sent.group)

    async def _was_taken(self, sent: _Sent) -> bool:
        try:
            return not await self._valkey.ask(lambda db: db.xdel(sent.stream, sent.entry))
        except ValkeyAwayError:
            return False

    def _missed(self, group: int) -> None:
        if group not in self._missing:
            self._missing.add(group)
            log.warning("group %d takes no presses: players are asked to press again", group)


async def _added(lease: str, stream: str, entry: Entry, db: Commands) -> bytes | None:
    """Add an entry if the group holds its lease. Return the entry's id; None if it doesn't."""
    fields = [part for field in entry.items() for part in field]
    added: Any = db.eval(ADD, 2, lease, stream, MOST, KEPT, *fields)
    return cast("bytes | None", await added)
