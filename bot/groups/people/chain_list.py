"""The list of chains of dailies in Valkey: the first group that has one gives it to all."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, number
from bot.groups.known import Groups
from bot.groups.people.feed import Feed
from bot.groups.valkey import Commands, Valkey


class ChainList:
    """The chains from which the whole bot deals, in their order. They are texts here.

    A group that runs tells its own before it counts as one that has told this Valkey all it knows.
    """

    def __init__(self, valkey: Valkey, feed: Feed, groups: Groups) -> None:
        self._valkey, self._feed, self._groups = valkey, feed, groups
        self._key = valkey.key("daily", "chains")
        self._entries = Entries("chains of dailies")

    async def share(self, own: Sequence[str], *, is_drawn: bool = False) -> list[str]:
        """Offer these chains, in their order, and return those that the whole bot has.

        The first one offered counts if there is none. A further one counts if it is the first
        after those that all have. `is_drawn`: the last is new. It isn't offered while a group that
        runs may still put back what a Valkey that was emptied has lost. Raises ValkeyAwayError.
        """
        there = await self._all()
        if is_drawn and not await self._all_have_told():
            return there
        if own and (not there or own[0] in there):
            first, had = (there.index(own[0]) if there else 0), len(there)
            for place, one in enumerate(own, first):
                if place < len(there):
                    is_next = there[place] == one
                else:
                    is_next = await self._valkey.ask(partial(_offer, self._key, str(place), one))
                if not is_next:
                    break
            if first + len(own) > had:  # one was offered
                there = await self._all()
        return there

    async def _all_have_told(self) -> bool:
        """Return whether every other group that runs has told all it knows."""
        told = await self._feed.filled() | {self._feed.number}
        return all(one.number in told for one in await self._groups.known() if one.is_alive)

    async def _all(self) -> list[str]:
        found: Any = await self._valkey.ask(lambda db: db.hgetall(self._key))
        read = self._entries.each(found.items(), _read)
        if len(read) < len(found):
            raise ValkeyAwayError  # which chains follow from it is unknown
        return [one for _, one in sorted(read)]


async def _offer(key: str, place: str, chain: str, db: Commands) -> bool:
    """Return whether nobody was quicker."""
    offered: Any = db.hsetnx(key, place, chain)
    return bool(await offered)


def _read(found: tuple[bytes, bytes]) -> tuple[int, str]:
    place, chain = found
    return number(place), chain.decode()
