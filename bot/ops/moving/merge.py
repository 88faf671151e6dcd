"""Several databases of one bot merged into one: the inverse of a split."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import TypeAlias

from bot.ops.moving.clashes import refuse_clashes
from bot.ops.moving.division import AFTERWARDS, DIVISIONS, OfEveryFile, OfServer, WorkedOut
from bot.ops.moving.drafts import (
    attached,
    columns,
    drafts,
    key,
    looked_through,
    refuse_others,
    stopped,
    used_up,
    written,
)
from bot.ops.moving.proof import Digest, compared, refers_to_all, rows_of, same, stored
from bot.progress_reporting import Progress, Steps, parts, unwatched
from bot.store.database.backup import CHECK, COPY, inspected, read_only
from bot.store.database.errors import DatabaseError
from bot.store.groups.moved import mark_moved, refuse_to_move_again
from bot.store.groups.part import either, mark_part, part_of

NewIds: TypeAlias = Mapping[str, Mapping[int, int]]
"""By table: the new id of each old one of a database."""
MOST_PLAYERS = 2**28
"""Ids of players, which are the last 28 bits of the order of a leaderboard."""


@dataclass(slots=True)
class Merged:
    """The rows that a merge has taken so far. `wanted`: the digest of each table."""

    wanted: dict[str, Digest] = field(default_factory=dict)

    def add(self, database: Path, new: NewIds) -> None:
        """Note the rows of a database, as they have to be in the new one."""
        with closing(read_only(database)) as db:
            for name, division in DIVISIONS.items():
                if isinstance(division, OfServer) and division.better is None:
                    listed = compared(db, name, division)
                    ids = [new[division.keys[c]] if c in division.keys else None for c in listed]
                    wanted = self.wanted.setdefault(name, Digest())
                    for _, row in rows_of(db, name, division):
                        pairs = zip(row, ids, strict=True)
                        wanted.add(
                            [one if of is None or one is None else of[one] for one, of in pairs]
                        )

    def prove(self, path: Path, databases: Sequence[Path]) -> None:
        """Raise DatabaseError unless the new database has all rows, and no others."""
        with closing(read_only(path)) as db:
            for name, division in DIVISIONS.items():
                if name in self.wanted:
                    same(path, name, stored(db, name, division), self.wanted[name])
                elif isinstance(division, OfServer | OfEveryFile):
                    _prove_keys(db, path, name, division, databases)
        refers_to_all(path)


def _prove_keys(
    db: sqlite3.Connection,
    path: Path,
    name: str,
    division: OfServer | OfEveryFile,
    databases: Sequence[Path],
) -> None:
    """Raise DatabaseError unless the new database has each key of a table once, and no other."""
    primary = ", ".join(key(db, name))
    rows = division.rows if isinstance(division, OfEveryFile) else ""
    of = f"({rows.format(at='main')})" if rows else name
    keys: list[set[tuple[object, ...]]] = []
    for database in databases:
        with closing(read_only(database)) as source:
            keys.append(set(source.execute(f"SELECT {primary} FROM {of}")))  # noqa: S608 our own
    in_all = isinstance(division, OfEveryFile) and division.in_all
    wanted = set.intersection(*keys) if in_all else set.union(*keys)
    found = db.execute(f"SELECT {primary} FROM {name}").fetchall()  # noqa: S608 our own
    if len(found) != len(wanted) or set(found) != wanted:
        raise DatabaseError(f"{path}: {name} has {len(found)} rows, and not {len(wanted)}")


def merge(
    databases: Sequence[Path],
    target: Path,
    progress: Progress = unwatched,
    *,
    again: bool = False,
) -> tuple[int, int]:
    """Merge databases into a new one. Return how many servers and matches it has.

    Ids of tables, matches and arenas stay. The databases stay as they are, but for a note that
    they were merged: no group starts on them by mistake. If all of them note their shards, and some
    of the bot's are missing, the new one notes those it has.

    Raises DatabaseError while a bot runs on one of them, if one can't be used, if they clash, if
    one was moved before (unless `again`), or if the name is taken; then there is no new file.
    """
    refuse_others(databases)
    looking, copying, checking = parts(progress, CHECK, COPY + CHECK, CHECK)
    with ExitStack() as stack:
        for database in databases:
            stack.enter_context(stopped(database))
        if not again:
            refuse_to_move_again(databases)
        with drafts([target], databases[0]) as (draft,):
            for database, look in zip(
                databases, parts(looking, *[1] * len(databases)), strict=True
            ):
                looked_through(database, look)
            refuse_clashes(databases)
            _write(draft, databases, copying)
            mark_part(draft, reduce(either, map(part_of, databases)))
            _ = inspected(draft, checking)
            with closing(read_only(draft)) as db:
                ((servers,),) = db.execute("SELECT count(*) FROM guilds WHERE left_at IS NULL")
                ((matches,),) = db.execute("SELECT count(*) FROM matches")
        for database in databases:
            mark_moved(database, [target])
    return servers, matches


def _write(draft: Path, databases: Sequence[Path], progress: Progress) -> None:
    merged, steps = Merged(), Steps(len(databases) * len(DIVISIONS), progress)
    with written(draft, databases[0]) as db:
        for database in databases:
            with attached(db, database) as at:
                db.execute("BEGIN")
                new = _new_ids(db, at)
                for name in steps.of(DIVISIONS):
                    if sql := _statement(db, name, at, is_first=database is databases[0]):
                        db.execute(sql)
                used_up(db, at)
                db.execute("COMMIT")
            merged.add(database, new)
        for division in DIVISIONS.values():
            for sql in division.rows if isinstance(division, WorkedOut) else ():
                db.execute(sql)
        for sql in AFTERWARDS:
            db.execute(sql)
    merged.prove(draft, databases)


def _new_ids(db: sqlite3.Connection, at: str) -> NewIds:
    """Give new ids, after those that are in the new database, and in the order of the old ones."""
    found: dict[str, dict[int, int]] = {}
    for name in _GIVE_IDS:
        db.execute(f"DROP TABLE IF EXISTS temp.new_{name}")
        db.execute(f"CREATE TEMP TABLE new_{name} (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)")
        db.execute(
            f"INSERT INTO temp.new_{name} SELECT id, row_number() OVER (ORDER BY id)"  # noqa: S608 our own
            f" + (SELECT coalesce(max(id), 0) FROM main.{name}) FROM {at}.{name}"
        )
        found[name] = dict(db.execute(f"SELECT old, new FROM temp.new_{name}"))  # noqa: S608 our own
    if max(found["players"].values(), default=0) >= MOST_PLAYERS:
        raise DatabaseError(f"these databases have more than {MOST_PLAYERS} players together")
    return found


_GIVE_IDS = tuple(
    name
    for name, division in DIVISIONS.items()
    if isinstance(division, OfServer) and division.keys.get("id") == name
)


def _statement(db: sqlite3.Connection, name: str, at: str, *, is_first: bool) -> str | None:
    """Return what takes the rows of a table from a database; None for one that isn't copied."""
    listed = ", ".join(columns(db, name))
    into = f"INSERT INTO {name} ({listed})"
    match DIVISIONS[name]:
        case OfServer() as division:
            given = ", ".join(_given(column, division) for column in columns(db, name))
            copied = f"SELECT {given} FROM {at}.{name} AS t WHERE true"  # noqa: S608 our own
            return f"{into} {copied} {_twice(db, name, division.better)}"
        case OfEveryFile(in_all=True) if not is_first:
            primary = ", ".join(key(db, name))
            there = f"SELECT {primary} FROM {at}.{name}"  # noqa: S608 our own
            return f"DELETE FROM {name} WHERE ({primary}) NOT IN ({there})"  # noqa: S608 our own
        case OfEveryFile(better, rows):
            of = f"({rows.format(at=at)})" if rows else f"{at}.{name}"
            copied = f"SELECT {listed} FROM {of} WHERE true"  # noqa: S608 our own
            return f"{into} {copied} {_twice(db, name, better) or 'ON CONFLICT DO NOTHING'}"
        case _:
            return None


def _twice(db: sqlite3.Connection, name: str, better: str | None) -> str:
    """Return what to do with a row whose key is there already, in SQL."""
    primary = key(db, name)
    rest = [column for column in columns(db, name) if column not in primary]
    if better is None or not rest:
        return ""
    newer = ", ".join(f"{column} = excluded.{column}" for column in rest)
    return f"ON CONFLICT ({', '.join(primary)}) DO UPDATE SET {newer} WHERE {better}"


def _given(column: str, division: OfServer) -> str:
    """Return the value of a column in the new database, in SQL."""
    if column in division.changed:
        return division.changed[column]
    if (table := division.keys.get(column)) is not None:
        return f"(SELECT new FROM temp.new_{table} WHERE old = t.{column})"  # noqa: S608 our own
    return f"t.{column}"
