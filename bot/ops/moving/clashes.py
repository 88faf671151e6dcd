"""The clashes that keep databases from being merged: a server or an id that is in two."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path

from bot.ops.moving.division import DIVISIONS, NUMBERED, OfEveryFile, OfServer
from bot.ops.moving.drafts import attached, columns, key
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError

_SOME = 3
"""Servers or numbers that an error names."""


def refuse_clashes(databases: Sequence[Path]) -> None:
    """Raise DatabaseError if databases can't be merged without a change that people would see."""
    for one, other in combinations(databases, 2):
        with closing(read_only(one)) as db, attached(db, other, "other"):
            _refuse_servers(db, one, other)
            _refuse_numbers(db, one, other)
            _refuse_differences(db, one, other)


def _refuse_servers(db: sqlite3.Connection, one: Path, other: Path) -> None:
    """Refuse a server with rows in both. A deleted server leaves rows of server 0."""
    named = [
        name
        for name, division in DIVISIONS.items()
        if isinstance(division, OfServer) and division.better is None
        if "guild" in columns(db, name)
    ]
    servers = [
        " UNION ".join(f"SELECT guild FROM {at}.{name}" for name in named)  # noqa: S608 our own
        for at in ("main", "other")
    ]
    both = "SELECT guild FROM ({}) WHERE guild != 0 INTERSECT SELECT guild FROM ({}) LIMIT {}"
    if found := db.execute(both.format(*servers, _SOME)).fetchall():
        listed = ", ".join(str(guild) for (guild,) in found)
        raise DatabaseError(f"servers are both in {one} and in {other}: {listed}")


def _refuse_numbers(db: sqlite3.Connection, one: Path, other: Path) -> None:
    for name in NUMBERED:
        both = f"SELECT id FROM main.{name} INTERSECT SELECT id FROM other.{name} LIMIT {_SOME}"  # noqa: S608
        if found := db.execute(both).fetchall():
            listed = ", ".join(str(number) for (number,) in found)
            raise DatabaseError(
                f"{name} of {one} and of {other} have the same ids, so these are not of one bot: "
                f"{listed}"
            )


def _refuse_differences(db: sqlite3.Connection, one: Path, other: Path) -> None:
    """Refuse what is told of the whole bot, and isn't the same in both."""
    for name, division in DIVISIONS.items():
        if not isinstance(division, OfEveryFile) or division.better is not None:
            continue
        primary = key(db, name)
        rest = [column for column in columns(db, name) if column not in primary]
        if not rest:
            continue
        differs = " OR ".join(f"a.{column} IS NOT b.{column}" for column in rest)
        sql = f"SELECT * FROM main.{name} a JOIN other.{name} b USING ({', '.join(primary)})"  # noqa: S608
        if (found := db.execute(f"{sql} WHERE {differs} LIMIT 1").fetchone()) is not None:
            raise DatabaseError(
                f"{one} and {other} differ in {name} ({primary[0]} {found[0]}), which is the whole "
                f"bot's{_ADVICE.get(name, '')}"
            )


_ADVICE = {
    "daily_keys": ". Start both for a moment once that day's deal is over, then merge them",
}
