"""The note in a database that it has some of a bot's servers only."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from math import lcm
from pathlib import Path

from bot.groups.layout import WHOLE, Layout, in_short, shards
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError
from bot.store.database.file import Database
from bot.store.database.query import Statement, first

PART = "part"
"""Of the row in `notes`: shards of a number of shards, such as `0-3 of 8`. Each file has its own.

It stays right if the number changes: the file has the servers of these shards, and no others.
"""
COMPARED = 2**20
"""Shards that two numbers may have together to be compared: enough for 1,024 and any other."""
_READ = "SELECT value FROM notes WHERE key = ?"
_MARK = "INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)"
_CLEAR = "DELETE FROM notes WHERE key = ?"


def part_of(path: Path) -> Layout:
    """Return the shards whose servers a file has; `WHOLE` if it has no note, or can't be read."""
    try:
        with closing(read_only(path)) as db:
            found = db.execute(_READ, (PART,)).fetchone()
    except (DatabaseError, sqlite3.Error):
        return WHOLE
    return _read(found[0]) if found is not None else WHOLE


async def kept_part(database: Database) -> Layout:
    """Return the same of an open database."""
    found = await first(database.reading, _READ, (PART,))
    return _read(found[0]) if found is not None else WHOLE


def marked(layout: Layout) -> Statement:
    """Return what notes in a database which shards it has. `WHOLE` needs no note."""
    if len(layout.ids) == layout.count or layout.count is None:
        return _CLEAR, (PART,)
    return _MARK, (PART, f"{in_short(layout.ids)} of {layout.count}")


def mark_part(path: Path, layout: Layout) -> None:
    """Note it in a file that nobody has open. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(*marked(layout))


def both(one: Layout, other: Layout) -> Layout:
    """Return the shards that are in both. If their numbers can't be compared, there are none."""
    if one.count is None or other.count is None:
        return other if one.count is None else one
    count = lcm(one.count, other.count)
    if count > COMPARED:
        return Layout(other.count, ())
    return _of(count, set(_among(one, count)).intersection(_among(other, count)))


def either(one: Layout, other: Layout) -> Layout:
    """Return the shards that are in one of two. If they can't be compared, those of the first."""
    if one.count is None or other.count is None:
        return WHOLE
    count = lcm(one.count, other.count)
    if count > COMPARED:
        return one
    return _of(count, {*_among(one, count), *_among(other, count)})


def _among(layout: Layout, count: int) -> Iterable[int]:
    """Yield a layout's shards, as those of a multiple of their number."""
    assert layout.count is not None
    return (shard for one in layout.ids for shard in range(one, count, layout.count))


def _of(count: int, ids: set[int]) -> Layout:
    return WHOLE if len(ids) == count else Layout(count, tuple(sorted(ids)))


def _read(value: str) -> Layout:
    written, _, count = value.partition(" of ")
    return Layout(int(count), shards(written) if written else ())
