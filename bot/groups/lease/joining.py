"""The start of a group: its number, its start count, and its lease."""

import logging
from dataclasses import dataclass, replace
from pathlib import Path

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.failures import in_words, is_lasting
from bot.groups.layout import shard_of
from bot.groups.lease import refusals
from bot.groups.lease.leases import LIFE, RENEWAL, START, TAKE_OVER, Leases
from bot.groups.lease.own_group import GroupFile, OwnGroup, taken_over
from bot.groups.lease.refusals import ELSEWHERE, GroupError, Refused, Why

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

    async def run(self) -> OwnGroup:
        """Take the lease, and note it in the file before it returns.

        Without Valkey, the last holder starts all the same, on what the file knows. Raises
        GroupError if this process may not be the group.
        """
        await self._refuse_other_servers()
        try:
            own, used = await self._taken(await self._known())
        except ValkeyAwayError as away:
            known = await self.file.own()
            if known is None or known.holder != self.holder:
                raise _needed(known, away) from away
            own, used = self._next(known, known.start), frozenset[int]()
            log.warning("group %d starts without Valkey, as its last holder", own.number)
        await self.file.keep(own)
        await self.file.heard(used)
        return own

    async def _refuse_other_servers(self) -> None:
        """Raise GroupError if the file has servers that no event would reach here."""
        count = self.leases.layout.count
        assert count is not None
        others = [one for one in await self.file.servers() if not self.leases.layout.owns(one)]
        if others:
            shards = sorted({shard_of(one, count) for one in others})
            raise refusals.other_servers(self.database, len(others), shards)

    async def _refuse_new_file(self) -> None:
        """Raise GroupError if another file has what this one should have.

        A file that was split or merged knows the numbers of the groups that it comes from.
        """
        ours, heard = self.leases.layout, await self.file.used()
        for number in sorted(await self.leases.used() - heard, reverse=True):
            last = await self.leases.record(number)
            if last is None or last.layout.count != ours.count or await self.leases.is_held(number):
                continue
            if both := [shard for shard in ours.ids if shard in last.layout.ids]:
                raise refusals.new_database(self.database, number, both)

    async def _known(self) -> OwnGroup:
        """Return the group that the file is so far, once Valkey has what running groups know."""
        known = await self.file.own()
        if known is not None and known.holder:
            if known.holder != self.holder:
                await self._put_back(known.number)
            return known
        await self._put_back()
        if not self.takes_over:
            await self._refuse_new_file()
        return known or await self._numbered()

    async def _taken(self, known: OwnGroup) -> tuple[OwnGroup, frozenset[int]]:
        """Return the group as it is held now, and all numbers. Raises GroupError."""
        until = self.clock.now() + PATIENCE
        is_told = False
        while True:
            own, outcome = await self._try(known)
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

    async def _try(self, known: OwnGroup) -> tuple[OwnGroup, Refused | frozenset[int]]:
        last = await self.leases.record(known.number)
        own = self._next(known, max(known.start, last.start if last is not None else 0))
        is_ours = known.holder in {"", self.holder}
        if last is None and not (is_ours or known.is_released or self.takes_over):
            return own, refusals.unreleased(own.number)
        way = TAKE_OVER if self.takes_over else START
        used = await self.file.used() | {own.number}
        return own, await self.leases.take(own, await self.file.id(), way, known.start, used)

    def _next(self, known: OwnGroup, start: int) -> OwnGroup:
        return replace(known, start=start + 1, holder=self.holder, is_released=False)

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


def _needed(known: OwnGroup | None, away: ValkeyAwayError) -> GroupError:
    if away.__cause__ is not None and is_lasting(away.__cause__):
        return refusals.unusable(in_words(away.__cause__))
    return refusals.valkey_needed(known.number if known is not None and known.holder else None)
