"""The start of a group: its number, its start count, and its lease."""

import logging
from dataclasses import dataclass

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
"""Seconds in which running groups have put back what Valkey has lost: their next renewal, and a
failed one before it."""


@dataclass(frozen=True, slots=True)
class Join:
    """A start of the group that a database is. `holder`: the id of this process's file."""

    file: GroupFile
    holder: str
    leases: Leases
    clock: Clock
    takes_over: bool

    @property
    def _start(self) -> Start:
        return Start(self.file, self.holder, self.leases, self.takes_over)

    async def run(self) -> OwnGroup:
        """Take the lease, and note it in the file before it returns.

        Without Valkey, the last holder starts all the same, on what the file knows. Raises
        GroupError if this process may not be the group.
        """
        try:
            own, used = await self._taken(await self.file.own())
        except ValkeyAwayError as away:
            known = await self.file.own()
            own, used = self._start.without_valkey(known, away), frozenset[int]()
            log.warning("group %d starts without Valkey, as its last holder", own.number)
        await self.file.keep(own)
        await self.file.heard(used)
        return own

    async def _taken(self, known: OwnGroup | None) -> tuple[OwnGroup, frozenset[int]]:
        """Return the group as it is held now, and all numbers. Raises GroupError."""
        known = known or await self._new()
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
                    known = await self._new()
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

    async def _new(self) -> OwnGroup:
        """Return a group with a number of its own, which stands in the file from now on.

        If Valkey knows no number, it may have lost them: running groups get time to put them back.
        """
        used = await self.file.used()
        if not await self.leases.used():
            log.warning("Valkey knows no group: waiting %.0f s for those that run", PUT_BACK)
            await self.clock.sleep(PUT_BACK)
        own = OwnGroup(await self.leases.new_number(used))
        await self.file.keep(own)
        return own
