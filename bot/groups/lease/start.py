"""The decision on a start of a group: the same one for a start, and for a check that only asks."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from bot.groups.away import ValkeyAwayError
from bot.groups.failures import in_words, is_lasting, is_rejection
from bot.groups.layout import shard_of
from bot.groups.lease import refusals
from bot.groups.lease.leases import RETURN, START, TAKE_OVER, Leases, Used
from bot.groups.lease.own_group import GroupRecord, OwnGroup
from bot.groups.lease.refusals import GroupError, Refused, Why

Ask: TypeAlias = Callable[[OwnGroup, int, str, int, Used], Awaitable[Refused | Used]]
"""`Leases.take`, or `Leases.look`, which changes nothing."""
UNNUMBERED = OwnGroup(0)
"""The group of a database that has no number yet."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start that somebody wants. `holder`: the id of this place, empty if it has none yet."""

    database: Path
    file: GroupRecord
    holder: str
    leases: Leases
    takes_over: bool = False

    async def refuse_other_servers(self) -> None:
        """Raise GroupError if the file has servers that no event would reach here."""
        count = self.leases.layout.count
        assert count is not None
        others = [one for one in await self.file.servers() if not self.leases.layout.owns(one)]
        if others:
            shards = sorted({shard_of(one, count) for one in others})
            raise refusals.other_servers(self.database, len(others), shards, count)

    async def refuse_others_shards(self, known: OwnGroup | None) -> None:
        """Raise GroupError if some of these shards were another group's, and not this file's since.

        A file that was split or merged knows the numbers of the groups that it comes from.
        """
        if self.takes_over:
            return
        ours, own = self.leases.layout, await self.file.used()
        had, ran = frozenset[int](), 0.0
        if known is not None and known.holder:
            before = await self.leases.record(known.number)
            if before is None or before.layout.count != ours.count:
                return
            own = frozenset({known.number})
            had, ran = frozenset(before.layout.ids), await self.leases.seen(known.number)
        found = list[tuple[float, int, list[int]]]()
        for number in await self.leases.used() - own:
            last = await self.leases.record(number)
            if last is None or last.layout.count != ours.count or await self.leases.is_held(number):
                continue
            both, seen = {*ours.ids}.intersection(last.layout.ids), await self.leases.seen(number)
            if both - had:
                found.append((seen, number, sorted(both - had)))
            elif both and seen > ran:
                raise refusals.left_behind(self.database, number, sorted(both))
        if found:
            _, number, both_had = max(found)
            if known is not None and known.holder:
                raise refusals.others_shards(self.database, number, both_had)
            servers = len(await self.file.servers())
            raise refusals.new_database(self.database, number, both_had, servers)

    async def tried(self, known: OwnGroup, ask: Ask) -> tuple[OwnGroup, Refused | Used]:
        """Return the group as this start makes it, and the answer. Raises ValkeyAwayError."""
        last = await self.leases.record(known.number)
        own = self._next(known, max(known.start, last.start if last is not None else 0))
        is_ours = known.holder in {"", self.holder}
        if last is None and not (is_ours or known.is_released or self.takes_over):
            return own, refusals.unreleased(own.number)
        again = RETURN if known.holder == self.holder else START
        way = TAKE_OVER if self.takes_over else again
        used = await self.file.used() | {own.number}
        return own, await ask(own, await self.file.id(), way, known.start, used)

    def without_valkey(self, known: OwnGroup | None, away: ValkeyAwayError) -> OwnGroup:
        """Return the group of a start while Valkey is away.

        Raises GroupError unless it is ours, or if Valkey is there and VALKEY_URL is wrong.
        """
        why = away.__cause__
        if why is not None and is_rejection(why):
            raise refusals.unusable(in_words(why)) from away
        if known is not None and self.holder and known.holder == self.holder:
            return replace(known, is_released=False)  # it outranks no start that Valkey knows of
        if why is not None and is_lasting(why):
            raise refusals.unusable(in_words(why)) from away
        number = known.number if known is not None and known.holder else None
        raise refusals.valkey_needed(number) from away

    def _next(self, known: OwnGroup, start: int) -> OwnGroup:
        return replace(known, start=start + 1, holder=self.holder, is_released=False)

    async def foreseen(self) -> OwnGroup:
        """Return the group that a start would now be, with number 0 if it would get a new one.

        Changes nothing. Raises GroupError if the start would be refused: also where it would wait
        in vain for another holder.
        """
        await self.refuse_other_servers()
        known = await self.file.own()
        try:
            await self.refuse_others_shards(known)
            return await self._foreseen(known or UNNUMBERED)
        except ValkeyAwayError as away:
            return self.without_valkey(known, away)

    async def _foreseen(self, known: OwnGroup) -> OwnGroup:
        while True:
            own, outcome = await self.tried(known, self.leases.look)
            match outcome:
                case Refused(Why.TWICE):
                    known = UNNUMBERED
                case Refused(Why.NEWER):  # somebody started between the two questions
                    pass
                case Refused():
                    raise GroupError(outcome.said)
                case _:
                    return own
