"""The start of a group: its number, its start count, and its lease."""

import logging
from dataclasses import dataclass, replace

from redis.exceptions import AuthenticationError

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.lease import refusals
from bot.groups.lease.leases import LIFE, RENEWAL, START, TAKE_OVER, Leases
from bot.groups.lease.own_group import GroupFile, OwnGroup
from bot.groups.lease.refusals import GroupError, Refused, Why

log = logging.getLogger(__name__)

PATIENCE = LIFE + RENEWAL
"""Seconds for which a start waits until another holder's lease has run out."""
AGAIN = 1.0
"""Seconds between two looks at another holder's lease."""
PUT_BACK = 8.0
"""Seconds in which running groups have put back what Valkey has lost: their next renewal, and a
failed one before it."""
OTHERS = {Why.HELD, Why.NEWER}
"""Reasons that name another holder: if Valkey is away or loses its data, nobody knows whether it
still runs.
"""


@dataclass(frozen=True, slots=True)
class Join:
    """A start of the group that a database is. `holder`: the id of this process's file."""

    file: GroupFile
    holder: str
    leases: Leases
    clock: Clock
    takes_over: bool

    async def run(self) -> OwnGroup:
        """Take the lease, and note it in the file before it returns.

        Without Valkey, the last holder starts all the same, on what the file knows, unless it has
        just heard of another holder. Raises GroupError if this process may not be the group.
        """
        known = await self.file.own()
        heard = set[Why]()
        try:
            own, used = await self._taken(known, heard)
        except ValkeyAwayError as away:
            if known is None or known.holder != self.holder or heard & OTHERS:
                raise _needed(known, away) from away
            own, used = self._next(known, known.start), frozenset[int]()
            log.warning("group %d starts without Valkey, as its last holder", own.number)
        await self.file.keep(own)
        await self.file.heard(used)
        return own

    async def _taken(
        self, known: OwnGroup | None, heard: set[Why]
    ) -> tuple[OwnGroup, frozenset[int]]:
        """Return the group as it is held now, and all numbers. Raises GroupError.

        `heard`: the reasons for which it was not taken yet.
        """
        known = known or await self._new()
        until = self.clock.now() + PATIENCE
        while True:
            own, outcome = await self._try(known, heard)
            if not isinstance(outcome, Refused):
                return own, outcome
            is_told = Why.HELD in heard
            heard.add(outcome.why)
            match outcome.why:
                case Why.TWICE:
                    log.warning("%s", outcome.said)
                    known = await self._new()
                    continue
                case Why.NEWER:  # somebody started between the two questions
                    continue
                case Why.HELD if self.clock.now() < until:
                    if not is_told:
                        said = "group %d is held elsewhere: waiting up to %.0f s for its lease"
                        log.warning(said, own.number, PATIENCE)
                    await self.clock.sleep(AGAIN)
                case _:
                    raise GroupError(outcome.said)

    async def _try(
        self, known: OwnGroup, heard: set[Why]
    ) -> tuple[OwnGroup, Refused | frozenset[int]]:
        last = await self.leases.record(known.number)
        own = self._next(known, max(known.start, last.start if last is not None else 0))
        is_ours = known.holder in {"", self.holder} and not heard & OTHERS
        if last is None and not (is_ours or known.is_released or self.takes_over):
            return own, refusals.unreleased(own.number)
        way = TAKE_OVER if self.takes_over else START
        used = await self.file.used() | {own.number}
        return own, await self.leases.take(own, await self.file.id(), way, known.start, used)

    def _next(self, known: OwnGroup, start: int) -> OwnGroup:
        return replace(known, start=start + 1, holder=self.holder, is_released=False)

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


def _needed(known: OwnGroup | None, away: ValkeyAwayError) -> GroupError:
    if isinstance(away.__cause__, AuthenticationError):
        return refusals.rejected(away.__cause__)
    return refusals.valkey_needed(known.number if known is not None else None)
