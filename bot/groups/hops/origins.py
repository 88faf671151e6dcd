"""The groups that have tables which were born in a group."""

from collections.abc import Iterable
from typing import Any

from bot.groups.numbers import born
from bot.groups.valkey import Valkey


class Origins:
    """The groups in which the tables of each group's database were born.

    A group tells them to Valkey. Nearly always a table is where it was born; after a database was
    split or merged, several groups may have tables of one birthplace, or another group all of them.
    """

    def __init__(self, group: int, own: Iterable[int], valkey: Valkey) -> None:
        self._group = group
        self._own = frozenset((group, *own))
        self._valkey = valkey
        self._key = valkey.key("born")
        self._known: dict[int, frozenset[int]] = {}

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

    async def tell(self) -> None:
        """Tell Valkey which tables this group has. Raises ValkeyAwayError."""
        own = ",".join(map(str, sorted(self._own)))
        await self._valkey.ask(lambda db: db.hset(self._key, str(self._group), own))

    async def read(self) -> None:
        """Learn which tables the groups have. Raises ValkeyAwayError."""
        told: Any = await self._valkey.ask(lambda db: db.hgetall(self._key))
        self._known = {
            int(group): frozenset(map(int, places.split(b","))) for group, places in told.items()
        }
