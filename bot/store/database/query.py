"""Statements and their rows, and many statements in one call to SQLite's thread."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import Any, TypeAlias

import aiosqlite

Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[Any] | Mapping[str, Any]
TOGETHER = "-- these statements"
"""What `executemany` is given for SQL when its rows are statements themselves."""


class WritingConnection(sqlite3.Connection):
    """A connection that carries out many statements in one call.

    aiosqlite hands each call to its thread and waits for it: that costs more than most statements.
    """

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Carry out one statement for many rows; for TOGETHER, many statements in turn.

        Raises the error of the first that fails, and carries out none after it.
        """
        if sql != TOGETHER:
            return super().executemany(sql, parameters)
        with closing(self.cursor()) as cursor:
            for same, group in groupby(parameters, key=lambda statement: statement[0]):
                values = [one for _, one in group]
                if len(values) == 1:
                    cursor.execute(same, values[0])
                else:
                    cursor.executemany(same, values)
        return cursor


async def together(db: aiosqlite.Connection, statements: Sequence[tuple[str, Values]]) -> None:
    """Carry out statements in turn, in one call to the thread of a `WritingConnection`."""
    await db.executemany(TOGETHER, statements)


async def rows(db: aiosqlite.Connection, sql: str, values: Values = ()) -> list[Row]:
    async with db.execute(sql, values) as cursor:
        return [tuple(row) for row in await cursor.fetchall()]


async def first(db: aiosqlite.Connection, sql: str, values: Values = ()) -> Row | None:
    found = await rows(db, sql, values)
    return found[0] if found else None
