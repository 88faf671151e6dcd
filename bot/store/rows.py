"""Helpers that run a query and return its rows as tuples."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import aiosqlite

Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[Any] | Mapping[str, Any]


async def rows(db: aiosqlite.Connection, sql: str, values: Values = ()) -> list[Row]:
    async with db.execute(sql, values) as cursor:
        return [tuple(row) for row in await cursor.fetchall()]


async def first(db: aiosqlite.Connection, sql: str, values: Values = ()) -> Row | None:
    found = await rows(db, sql, values)
    return found[0] if found else None
