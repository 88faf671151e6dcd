"""The start of a group: its number, its start count, and its lease."""

import logging
from dataclasses import dataclass
from pathlib import Path

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.lease.leases import LIFE, RENEWAL, Leases
from bot.groups.lease.own_group import GroupFile, OwnGroup, taken_over
from bot.groups.lease.refusals import ELSEWHERE, GroupError, Refused, Why
from bot.groups.lease.start import Start

log = logging.getLogger(__name__)

PATIENCE = LIFE + RENEWAL
"""Seconds for which a start waits until another holder's lease has run out."""
AGAIN = 1.0
"""Seconds between two looks at another holder's lease."""
PUT_BACK = 8.0
"""Seconds after a start of Valkey in which running groups have put back what it has lost: their
next renewal, and a failed one before it."""


@dataclass(frozen=True, slots=True)
class Join:
    """A start of the group that a database is. `holder`: the id of this process's file."""

    database: Path
    file: GroupFile
    holder: str
    leases: Leases
    clock: Clock
    takes_over: bool

    @property
    def _start(self) -> Start:
        return Start(self.database, self.file, self.holder, self.leases, self.takes_over)

    async def run(self) -> OwnGroup:
        """Take the lease, and note it in the file before it returns.

        Without Valkey, the last holder starts all the same, on what the file knows. Raises
        GroupError if this process may not be the group.
        """
        await self._start.refuse_other_servers()
        try:
            own, used = await self._taken(await self._known())
        except ValkeyAwayError as away:
            known = await self.file.own()
            own, used = self._start.without_valkey(known, away), frozenset[int]()
            log.warning("group %d starts without Valkey, as its last holder", own.number)
        await self.file.keep(own)
        await self.file.heard(used)
        await self.file.has(self.leases.layout)
        return own

    async def _known(self) -> OwnGroup:
        """Return the group that the file is so far, once Valkey has what running groups know."""
        known = await self.file.own()
        if known is not None and known.holder:
            last = await self.leases.record(known.number)
            if last is None or {last.holder, known.holder} != {self.holder}:
                await self._put_back(known.number)
            await self._start.refuse_others_shards(known)
            return known
        await self._put_back()
        await self._start.refuse_others_shards(known)
        return known or await self._numbered()

    async def _taken(self, known: OwnGroup) -> tuple[OwnGroup, frozenset[int]]:
        """Return the group as it is held now, and all numbers. Raises GroupError."""
        until = self.clock.now() + PATIENCE
        is_told = False
        while True:
            own, outcome = await self._start.tried(known, self.leases.take)
            if not isinstance(outcome, Refused):
                return own, outcome
            if outcome.why in ELSEWHERE and known.holder == self.holder:
                known = taken_over(known)
                await self.file.keep(known)
            match outcome.why:
                case Why.TWICE:
                    log.warning("%s", outcome.said)
                    await self._put_back()
                    known = await self._numbered()
                case Why.NEWER:  # somebody started between the two questions
                    pass
                case Why.HELD if self.clock.now() < until:
                    if not is_told:
                        said = "group %d is held elsewhere: waiting up to %.0f s for its lease"
                        log.warning(said, own.number, PATIENCE)
                        is_told = True
                    await self.clock.sleep(AGAIN)
                case _:
                    raise GroupError(outcome.said)

    async def _put_back(self, number: int | None = None) -> None:
        """Wait until running groups have put back what Valkey may have lost.

        That is so after its start, and if it doesn't know this group (default: any group).
        """
        about = self.leases.used() if number is None else self.leases.record(number)
        ran = await self.leases.uptime() if await about else 0.0
        if ran < PUT_BACK:
            said = "Valkey has just started, or lost its data: waiting %.0f s for groups that run"
            log.warning(said, PUT_BACK - ran)
            await self.clock.sleep(PUT_BACK - ran)

    async def _numbered(self) -> OwnGroup:
        """Return a group with a number of its own, which stands in the file from now on."""
        own = OwnGroup(await self.leases.new_number(await self.file.used()))
        await self.file.keep(own)
        return own
