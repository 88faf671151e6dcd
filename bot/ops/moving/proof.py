"""Proof that new databases have every row of the old ones, each where it belongs."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from bot.ids import GuildId
from bot.ops.moving.division import DIVISIONS, Division, OfEveryFile, OfServer
from bot.ops.moving.drafts import columns
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError

Row: TypeAlias = Sequence[Any]
SIZE = 16
"""Bytes of a row's digest."""


@dataclass(slots=True)
class Digest:
    """The number of rows, and the sum of their hashes, in which their order has no part."""

    rows: int = 0
    sum: int = 0

    def add(self, row: Row) -> None:
        self.rows += 1
        self.sum += int.from_bytes(blake2b(repr(tuple(row)).encode(), digest_size=SIZE).digest())


def digest(rows: Iterable[Row]) -> Digest:
    """Return the digest of rows."""
    found = Digest()
    for row in rows:
        found.add(row)
    return found


def compared(db: sqlite3.Connection, name: str, division: Division) -> list[str]:
    """Return the columns of a table that have to be the same in a new database."""
    changed = division.changed if isinstance(division, OfServer) else {}
    return [column for column in columns(db, name) if column not in changed]


def rows_of(
    db: sqlite3.Connection, name: str, division: Division
) -> Iterator[tuple[int | None, Row]]:
    """Yield a database's rows of a table, each with its server; None for rows of every file."""
    listed = ", ".join(f"t.{column}" for column in compared(db, name, division))
    guild = division.guild if isinstance(division, OfServer) else "NULL"
    given = division.rows if isinstance(division, OfEveryFile) else ""
    of = f"({given})" if given else name
    sql = f"SELECT {guild}, {listed} FROM {of} AS t".format(at="main")  # noqa: S608 our own
    for owner, *row in db.execute(sql):
        yield owner, row


def stored(db: sqlite3.Connection, name: str, division: Division) -> Digest:
    """Return the digest of what a new database has in a table."""
    listed = ", ".join(compared(db, name, division))
    return digest(db.execute(f"SELECT {listed} FROM {name}"))  # noqa: S608 our own


def prove_split(
    database: Path,
    parts: Sequence[tuple[Path, Callable[[GuildId], bool]]],
    progress: Callable[[], object],
) -> None:
    """Raise DatabaseError unless each row is in exactly the parts where it belongs.

    `parts`: each with a function that tells whether a server is in it. `progress` is called after
    each table.
    """
    with closing(read_only(database)) as db:
        for name, division in DIVISIONS.items():
            if isinstance(division, OfServer | OfEveryFile):
                _prove_table(db, name, division, parts)
            progress()
    for path, _ in parts:
        refers_to_all(path)


def _prove_table(
    db: sqlite3.Connection,
    name: str,
    division: OfServer | OfEveryFile,
    parts: Sequence[tuple[Path, Callable[[GuildId], bool]]],
) -> None:
    wanted = [Digest() for _ in parts]
    for guild, row in rows_of(db, name, division):
        if isinstance(division, OfServer) and guild is None:
            raise DatabaseError(f"a row of {name} belongs to no server: nothing was split")
        for (_, has), one in zip(parts, wanted, strict=True):
            if guild is None or has(GuildId(guild)):
                one.add(row)
    for (path, _), one in zip(parts, wanted, strict=True):
        with closing(read_only(path)) as part:
            same(path, name, stored(part, name, division), one)


def same(path: Path, name: str, found: Digest, wanted: Digest) -> None:
    """Raise DatabaseError unless a new database has the rows that it should have."""
    if found != wanted:
        raise DatabaseError(
            f"{path}: {name} has {found.rows} rows, and not the {wanted.rows} that belong there"
        )


def refers_to_all(path: Path) -> None:
    """Raise DatabaseError if a row of a database names another that isn't there."""
    with closing(read_only(path)) as db:
        if (lost := db.execute("PRAGMA foreign_key_check").fetchone()) is not None:
            raise DatabaseError(
                f"{path}: a row of {lost[0]} names one of {lost[2]} that is missing"
            )
