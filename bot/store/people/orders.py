"""Orders to forget a person in SQLite."""

from collections.abc import Collection, Sequence
from functools import partial

import aiosqlite

from bot.daily.dates import day_at
from bot.groups.known import KnownGroup
from bot.groups.layout import in_short, shards
from bot.groups.people.orders import Given, Order
from bot.ids import UserId
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer
from bot.store.people import privacy

GIVEN = "SELECT id, user, at, born FROM orders ORDER BY at"
GROUPS = "SELECT number, shards, servers, done FROM order_groups WHERE order_id = ?"
DONE = "SELECT 1 FROM orders_done WHERE id = ?"
NEWER = """
    SELECT 1 FROM players p JOIN seats s ON s.player = p.id JOIN matches m ON m.id = s.match_id
    WHERE p.user = ? AND m.began > ?
    UNION ALL SELECT 1 FROM daily_rounds WHERE user = ? AND day > ? LIMIT 1
"""
NOTES_KEPT = 400 * 24 * 60 * 60 * 1000
"""Milliseconds for which a group knows what it has carried out."""
_BEFORE = (
    "DELETE FROM order_groups WHERE order_id IN (SELECT id FROM orders WHERE user = ?)",
    "DELETE FROM orders WHERE user = ?",
)
_GIVE = "INSERT INTO orders (id, user, at, born) VALUES (?, ?, ?, ?)"
_ADOPT = """
    INSERT INTO orders (id, user, at, born) SELECT ?, ?, ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM orders WHERE user = ? AND at >= ?)
"""
_GROUP = "INSERT INTO order_groups (order_id, number, shards, servers) VALUES (?, ?, ?, ?)"
_CARRIED_OUT = """
    INSERT INTO order_groups (order_id, number, shards, done) SELECT id, ?, '', 1 FROM orders
    WHERE id = ? ON CONFLICT DO UPDATE SET done = 1
"""
_END = ("DELETE FROM order_groups WHERE order_id = ?", "DELETE FROM orders WHERE id = ?")
_NOTE = "INSERT INTO orders_done (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
_OLD_NOTES = "DELETE FROM orders_done WHERE at < ?"
_FORGET_PLACES = """
    DELETE FROM daily_places WHERE user = ? AND day <= ? AND NOT EXISTS (
        SELECT 1 FROM daily_rounds r WHERE r.user = daily_places.user AND r.day = daily_places.day
        AND r.game = daily_places.game
    )
"""


class SqliteOrders:
    """The SQLite implementation of `bot.groups.people.orders.OrderStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def given(self) -> list[Given]:
        return [
            await self._given(Order(number, UserId(user), at, born))
            for number, user, at, born in await rows(self._reader, GIVEN)
        ]

    async def give(self, order: Order, groups: Sequence[KnownGroup]) -> None:
        steps = [(sql, (order.user,)) for sql in _BEFORE]
        own = (_GIVE, (order.id, order.user, order.at, order.by))
        listed = [
            (_GROUP, (order.id, one.number, in_short(one.shards), one.servers)) for one in groups
        ]
        await self._writer.write([*steps, own, *listed], durable=True)

    async def adopt(self, order: Order) -> None:
        values = (order.id, order.user, order.at, order.by, order.user, order.at)
        await self._writer.write([(_ADOPT, values)], durable=True)

    async def carried_out(self, order: str, groups: Collection[int]) -> None:
        if groups:
            steps = [(_CARRIED_OUT, (group, order)) for group in groups]
            await self._writer.write(steps, durable=True)

    async def end(self, order: str) -> None:
        await self._writer.write([(sql, (order,)) for sql in _END], durable=True)

    async def is_done(self, order: str) -> bool:
        return await first(self._reader, DONE, (order,)) is not None

    async def has_newer(self, user: UserId, at: int) -> bool:
        values = (user, at, user, day_at(at / 1000))
        return await first(self._reader, NEWER, values) is not None

    async def forget(self, order: Order) -> None:
        work = partial(privacy.forget, user=order.user)
        notes = [(_NOTE, (order.id, order.at)), (_OLD_NOTES, (order.at - NOTES_KEPT,))]
        await self._writer.write([work, *notes], durable=True)

    async def forget_places(self, order: Order) -> None:
        values = (order.user, day_at(order.at / 1000))
        await self._writer.write([(_FORGET_PLACES, values)], durable=True)

    async def _given(self, order: Order) -> Given:
        found = await rows(self._reader, GROUPS, (order.id,))
        groups = [
            KnownGroup(number, shards(written) if written else (), is_alive=False, servers=servers)
            for number, written, servers, _ in found
        ]
        done = frozenset(number for number, *_, is_done in found if is_done)
        return Given(order, tuple(groups), done)
