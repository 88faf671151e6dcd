"""One database split into several by server, each for the shards of one group."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.groups.layout import MOST, Layout, in_short
from bot.ids import GuildId
from bot.ops.moving.division import AFTERWARDS, DIVISIONS, OfEveryFile, OfFile, OfServer, WorkedOut
from bot.ops.moving.drafts import (
    attached,
    columns,
    drafts,
    looked_through,
    refuse_others,
    stopped,
    used_up,
    written,
)
from bot.ops.moving.proof import prove_split
from bot.progress_reporting import Progress, Steps, parts, unwatched
from bot.store.database.backup import CHECK, COPY, inspected, read_only
from bot.store.database.errors import DatabaseError
from bot.store.groups.moved import mark_moved, refuse_to_move_again
from bot.store.groups.part import both, mark_part, part_of


@dataclass(frozen=True, slots=True)
class Part:
    """A new database, the shards it is for, and how many servers and matches it has."""

    path: Path
    layout: Layout
    servers: int = 0
    matches: int = 0

    def has(self, guild: GuildId) -> bool:
        return self.layout.owns(guild)


def layouts(into: int, count: int) -> list[Layout]:
    """Return groups of the same number of shards. Raises DatabaseError if there are none."""
    if into < 1:
        raise DatabaseError(f"--into: a bot has one group or more, not {into}")
    if not 1 <= count <= MOST:
        raise DatabaseError(f"--shard-count: a bot has 1 to {MOST} shards, not {count}")
    if count % into:
        fitting = ", ".join(str(n) for n in range(1, count + 1) if count % n == 0)
        raise DatabaseError(f"--into: {count} shards make {fitting} equal groups, not {into}")
    size = count // into
    return [Layout(count, tuple(range(at, at + size))) for at in range(0, count, size)]


def split(
    database: Path, into: int, count: int, progress: Progress = unwatched, *, again: bool = False
) -> list[Part]:
    """Split a database into new files beside it, for `into` groups of a bot of `count` shards.

    A part has the servers of its shards with all that is theirs, and what every file has. It has no
    group number yet, and knows all that were used. It notes its shards: nobody starts it as a bot
    of one process by mistake. The database stays as it is, but for a note that it was split: no bot
    starts on it by mistake. `again`: earlier files that it was moved to no longer count.

    Raises DatabaseError while a bot runs on it, if it can't be used, if it was moved before, or if
    a name is taken; then there is no new file.
    """
    wanted = [_part(database, layout) for layout in layouts(into, count)]
    refuse_others([database])
    with stopped(database):
        if not again:
            refuse_to_move_again([database])
        looking, copying, proving, checking = parts(progress, CHECK, COPY, CHECK, CHECK)
        with drafts([one.path for one in wanted], database) as made:
            looked_through(database, looking)
            found = [Part(path, one.layout) for path, one in zip(made, wanted, strict=True)]
            steps = Steps(len(found) * len(DIVISIONS), copying)
            for one in found:
                _write(one, database, steps)
            proven = iter(Steps(len(DIVISIONS), proving).of(range(len(DIVISIONS))))
            prove_split(
                database, [(one.path, one.has) for one in found], lambda: next(proven, None)
            )
            for one, look in zip(found, parts(checking, *[1] * len(found)), strict=True):
                mark_part(one.path, both(part_of(database), one.layout))
                _ = inspected(one.path, look)
            counted = [_counts(one.path) for one in found]
        mark_moved(database, [one.path for one in wanted])
    return [
        Part(one.path, one.layout, servers, matches)
        for one, (servers, matches) in zip(wanted, counted, strict=True)
    ]


def _part(database: Path, layout: Layout) -> Part:
    return Part(database.with_stem(f"{database.stem}.shards-{in_short(layout.ids)}"), layout)


def _write(part: Part, database: Path, steps: Steps) -> None:
    with written(part.path, database) as db, attached(db, database) as at:
        db.execute("BEGIN")
        for name in steps.of(DIVISIONS):
            for sql in _statements(db, name, at, part.layout):
                db.execute(sql)
        for sql in AFTERWARDS:
            db.execute(sql)
        used_up(db, at)
        db.execute("COMMIT")


def _statements(db: sqlite3.Connection, name: str, at: str, layout: Layout) -> Iterator[str]:
    """Yield what copies the rows of a table that belong to a part."""
    listed = ", ".join(columns(db, name))
    match DIVISIONS[name]:
        case OfServer(guild=guild):
            here = f"({guild.format(at=at)} >> 22) % {layout.count} IN {_in(layout.ids)}"
            copied = f"SELECT {listed} FROM {at}.{name} AS t WHERE {here}"  # noqa: S608 our own
            yield f"INSERT INTO {name} ({listed}) {copied}"
        case OfEveryFile(rows=rows):
            source = f"({rows.format(at=at)})" if rows else f"{at}.{name}"
            yield f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {source}"  # noqa: S608
        case WorkedOut(rows=rows):
            yield from rows
        case OfFile():
            pass


def _in(ids: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, ids))})"


def _counts(path: Path) -> tuple[int, int]:
    """Return how many servers and matches a new database has."""
    with closing(read_only(path)) as db:
        ((servers,),) = db.execute("SELECT count(*) FROM guilds WHERE left_at IS NULL")
        ((matches,),) = db.execute("SELECT count(*) FROM matches")
    return servers, matches
