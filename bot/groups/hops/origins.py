"""The groups that have tables which were born in a group."""

from collections.abc import Collection, Iterable
from typing import Any

from bot.groups.entries import Entries, group_number
from bot.groups.group import Group
from bot.groups.known import Groups, numbers, uncovered
from bot.groups.numbers import born


class Origins:
    """The groups in which the tables of each group's database were born.

    A group tells them to Valkey. Nearly always a table is where it was born; after a database was
    split or merged, several groups may have tables of one birthplace, or another group all of them.
    A group whose shards others have is gone: its tables are theirs.
    """

    def __init__(self, group: Group, own: Iterable[int], groups: Groups) -> None:
        assert group.valkey is not None, "there are other groups"
        self._group = group.number
        self._own = frozenset((group.number, *own))
        self._valkey = group.valkey
        self._layout = group.layout
        self._groups = groups
        self._key = group.valkey.key("born")
        self._entries = Entries("born")
        self._known: dict[int, frozenset[int]] = {}
        self._silent: frozenset[int] = frozenset()
        self._is_complete = False

    def is_ours(self, table: int) -> bool:
        """Return whether this group's database may have this table."""
        return born(table) in self._own

    def others(self, table: int) -> list[int]:
        """Return the other groups that may have a table, where it was born first."""
        birthplace = born(table)
        found = (one for one, places in self._known.items() if birthplace in places)
        return sorted(
            (one for one in found if one != self._group), key=lambda one: (one != birthplace, one)
        )

    def is_known(self, table: int, asked: Collection[int]) -> bool:
        """Return whether no group but those asked, and this one, can have a table."""
        may_have = {*self.others(table), *self._silent} - {*asked}
        return self._is_complete and not may_have

    async def tell(self) -> None:
        """Tell Valkey which tables this group has. Raises ValkeyAwayError."""
        own = ",".join(map(str, sorted(self._own)))
        await self._valkey.ask(lambda db: db.hset(self._key, str(self._group), own))

    async def read(self) -> None:
        """Learn which groups there are, and which tables they have. Raises ValkeyAwayError."""
        told: Any = await self._valkey.ask(lambda db: db.hgetall(self._key))
        groups = await self._groups.known()
        there = numbers(groups)
        self._is_complete = not uncovered(groups, self._layout)
        self._known = {
            group: places
            for group, places in self._entries.each(told.items(), _read)
            if group in there or not self._is_complete
        }
        self._silent = there - self._known.keys() - {self._group}


def _read(told: tuple[bytes, bytes]) -> tuple[int, frozenset[int]]:
    group, places = told
    return group_number(group), frozenset(map(group_number, places.split(b",")))
