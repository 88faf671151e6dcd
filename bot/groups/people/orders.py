"""Orders to forget a person, and what Valkey has of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

import orjson

from bot.groups.entries import Entries, group_number, number
from bot.groups.known import KnownGroup
from bot.groups.valkey import Valkey
from bot.ids import UserId

STATES_KEPT = 24 * 60 * 60
"""Seconds for which the state of an order is kept after it was noted last. An order that isn't done
is told again every minute.
"""


class Progress(Enum):
    """The state of an order in a group."""

    DONE = "done"
    WAITS = "waits"
    """The person plays at a table there. The order is carried out when that is over."""
    NEWER = "newer"
    """They have played there since, before the order came. It takes another order."""
    UNHEARD = "unheard"
    """The group has not heard of it yet."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order to forget all of a person that is older than `at` (Unix ms).

    `by`: the group in which it was given, and in whose file it stands.
    """

    id: str
    user: UserId
    at: int
    by: int


@dataclass(frozen=True, slots=True)
class Given:
    """An order of this group's own file.

    `groups`: those known when it was given. `done`: those that have carried it out.
    """

    order: Order
    groups: tuple[KnownGroup, ...]
    done: frozenset[int]


class OrderStore(Protocol):
    """Orders in this group's file. Changes are on the disk on return."""

    async def given(self) -> Sequence[Given]:
        """Return the orders that were given here and aren't done everywhere, oldest first."""

    async def give(self, order: Order, groups: Sequence[KnownGroup]) -> None:
        """Keep an order. It takes the place of the same person's earlier ones."""

    async def adopt(self, order: Order) -> None:
        """Keep an order that an older copy of this file lacks, unless there is a newer one."""

    async def carried_out(self, order: str, groups: Collection[int]) -> None: ...
    async def end(self, order: str) -> None:
        """Drop an order that is done everywhere: it names a person."""

    async def is_done(self, order: str) -> bool:
        """Return whether this group has carried it out."""

    async def has_newer(self, user: UserId, at: int) -> bool:
        """Return whether somebody has begun a match or a daily here after a moment (Unix ms)."""

    async def forget(self, order: Order) -> None:
        """Forget a person in this file, and note in the same transaction that it is done."""

    async def forget_places(self, order: Order) -> None:
        """Forget the person's results of dailies that other groups have told, up to the order."""


class People(Protocol):
    """The people of this process."""

    def playing(self, user: UserId) -> tuple[str, ...]:
        """Return links to the open tables at which somebody has a seat."""

    async def forget(self, order: Order) -> None:
        """Forget somebody in memory, and in the file by `OrderStore.forget`."""

    async def forget_choices(self, order: Order) -> None:
        """Forget what they have chosen for all groups, in Valkey too. Raises ValkeyAwayError."""


class PublishedOrders:
    """The orders in Valkey, and their state in each group. Every call raises ValkeyAwayError."""

    def __init__(self, valkey: Valkey) -> None:
        self._valkey = valkey
        self._key = valkey.key("orders")
        self._entries = Entries("orders to forget people")

    async def publish(self, order: Order) -> None:
        said = orjson.dumps([order.user, order.at, order.by])
        await self._valkey.ask(lambda db: db.hset(self._key, order.id, said))

    async def withdraw(self, order: Order) -> None:
        await self._valkey.ask(lambda db: db.hdel(self._key, order.id))
        await self._valkey.ask(lambda db: db.delete(self._states(order)))

    async def all(self) -> list[Order]:
        """Return every order that isn't done everywhere, oldest first."""
        found: Any = await self._valkey.ask(lambda db: db.hgetall(self._key))
        return sorted(self._entries.each(found.items(), _read), key=lambda one: one.at)

    async def note(self, order: Order, group: int, state: Progress) -> None:
        key = self._states(order)
        await self._valkey.ask(lambda db: db.hset(key, str(group), state.value))
        await self._valkey.ask(lambda db: db.expire(key, STATES_KEPT))

    async def states(self, order: Order) -> dict[int, Progress]:
        """Return the state in each group that has heard of an order."""
        found: Any = await self._valkey.ask(lambda db: db.hgetall(self._states(order)))
        return dict(self._entries.each(found.items(), _state))

    def _states(self, order: Order) -> str:
        return self._valkey.key("order", order.id)


def _read(found: tuple[bytes, bytes]) -> Order:
    name, said = found
    user, at, by = orjson.loads(said)
    return Order(name.decode(), UserId(number(user)), number(at), group_number(by))


def _state(found: tuple[bytes, bytes]) -> tuple[int, Progress]:
    group, state = found
    return group_number(group), Progress(state.decode())
