"""`/privacy` in a bot of several groups: each is asked, and none counts that hasn't answered."""

import gzip
import logging
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries
from bot.groups.known import Groups, KnownGroup, all_others, uncovered
from bot.groups.layout import Layout, in_short
from bot.groups.people.asking import Answers, Asking, Missing
from bot.groups.people.feed import News
from bot.groups.people.giving import Giving
from bot.groups.people.orders import Progress
from bot.ids import UserId
from bot.ui.people.everywhere import Export, Part, Why
from bot.ui.people.own_data import OwnData

log = logging.getLogger(__name__)

COLLECTED = 10.0
"""Seconds in which every group has to send its part of an export."""
PROMPT = 2.0
"""Seconds for a short answer, and for which a deletion is waited for."""
LOOKS = 0.1
_WHY = {
    Missing.SILENT: Why.AWAY,
    Missing.TOO_LARGE: Why.LARGE,
    Progress.UNHEARD: Why.AWAY,
    Progress.WAITS: Why.PLAYING,
    Progress.NEWER: Why.NEWER,
}


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to the other groups. `now`: Discord's time in Unix seconds."""

    number: int
    layout: Layout
    groups: Groups
    asking: Asking
    giving: Giving
    clock: Clock
    now: Callable[[], float]


class AllGroups:
    """Every group of the bot, this one and the others."""

    takes_time = True

    def __init__(self, own: OwnData, ways: Ways) -> None:
        self._own = own
        self._ways = ways
        self._entries = Entries("answers about people")
        ways.asking.answers["export"] = self._packed
        ways.asking.answers["playing"] = self._links

    async def export(self, user: UserId) -> Export:
        own = await self._own.export(user)
        others = await self._others()
        answers = await self._ask("export", user, others, COLLECTED)
        parts, missing = {self._part: own}, dict[Part, Why]()
        for group in others:
            answer = answers.get(group.number, Missing.SILENT)
            if isinstance(answer, Missing):
                missing[_part(group)] = _WHY[answer]
            elif (part := self._entries.one(answer, _unpacked)) is not None:
                parts[_part(group)] = part
            else:
                missing[_part(group)] = _WHY[Missing.SILENT]
        return Export(own, parts, missing)

    async def playing(self, user: UserId) -> tuple[str, ...]:
        answers = await self._ask("playing", user, await self._others(), PROMPT)
        told = [one for one in answers.values() if isinstance(one, bytes)]
        found = self._entries.each(told, _links_of)
        return (*self._own.playing(user), *(link for links in found for link in links))

    async def forget(self, user: UserId) -> Mapping[Part, Why]:
        at = int(self._ways.now() * 1000)
        mine = KnownGroup(self._ways.number, self._ways.layout.ids, is_alive=True)
        others = [group for group in await self._others() if group.number]
        await self._ways.giving.give(user, at, [mine, *others])
        until = self._ways.clock.now() + PROMPT
        while (left := await self.left(user)) and self._ways.clock.now() < until:
            await self._ways.clock.sleep(LOOKS)
        return left

    async def left(self, user: UserId) -> Mapping[Part, Why]:
        try:
            left = await self._ways.giving.left(user)
        except ValkeyAwayError:
            kept = await self._ways.giving.kept(user)
            if not kept:
                return {}
            return {_part(all_others(self._ways.layout)): Why.AWAY}
        return {_part(group): _WHY[state] for group, state in left.items()}

    async def _others(self) -> Sequence[KnownGroup]:
        """Return the other groups, and what stands for shards that nobody is known to have."""
        try:
            known = await self._ways.groups.known()
        except ValkeyAwayError:
            return [all_others(self._ways.layout)]
        others = [group for group in known if group.number != self._ways.number]
        mine = KnownGroup(self._ways.number, self._ways.layout.ids, is_alive=True)
        return [*others, *uncovered([mine, *others], self._ways.layout)]

    async def _ask(
        self, what: str, user: UserId, groups: Sequence[KnownGroup], patience: float
    ) -> Answers:
        """Ask the groups that run. The others are not waited for."""
        running = [group.number for group in groups if group.is_alive]
        return await self._ways.asking.ask(what, user, running, patience) if running else {}

    async def _packed(self, news: News) -> bytes:
        return gzip.compress(orjson.dumps(await self._own.export(UserId(news["user"]))))

    async def _links(self, news: News) -> bytes:
        return orjson.dumps(self._own.playing(UserId(news["user"])))

    @property
    def _part(self) -> Part:
        return Part(in_short(self._ways.layout.ids))


def _unpacked(answer: bytes) -> dict[str, Any]:
    """Return a part of an export. Raises ValueError or TypeError if it is none."""
    try:
        return dict(orjson.loads(gzip.decompress(answer)))
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError("not packed") from error


def _links_of(answer: bytes) -> list[str]:
    return [str(link) for link in orjson.loads(answer)]


def _part(group: KnownGroup) -> Part:
    return Part(in_short(group.shards), group.servers)
