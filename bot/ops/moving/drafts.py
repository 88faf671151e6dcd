"""New databases that get their names together, once each of them is proven."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from bot.groups.lease.own_group import ANOTHER
from bot.ops.moving.division import DIVISIONS, EXTRA
from bot.ownership import bot_user, give, make_folder
from bot.progress_reporting import Progress, unwatched
from bot.store.database.backup import OWNER_ONLY, PART, inspected, read_only, to_disk
from bot.store.database.errors import DatabaseError, failed
from bot.store.database.lock import is_in_use, only_process
from bot.store.database.schema import newest_schema

_USED_UP = "UPDATE sqlite_sequence SET seq = max(seq, :seq) WHERE name = :name"
_FIRST_USED = """
    INSERT INTO sqlite_sequence SELECT :name, :seq
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name)
"""


def refuse_others(databases: Sequence[Path]) -> None:
    """Raise DatabaseError if a file is named twice, or isn't a database of this bot.

    That is a quick look, before anything is made beside the files.
    """
    for at, path in enumerate(databases):
        try:
            with closing(read_only(path)) as db:
                found = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").fetchone()
        except sqlite3.DatabaseError as error:
            raise failed(f"{path} cannot be read as a database", error, path) from None
        if found is None:
            raise DatabaseError(f"{path} is not a database of this bot")
        if any(path.samefile(other) for other in databases[:at]):
            raise DatabaseError(f"{path} is named twice")


@contextmanager
def stopped(database: Path) -> Iterator[None]:
    """Keep a bot from starting on a database. Raises DatabaseError if one runs."""
    if is_in_use(database):
        raise DatabaseError(f"another process is using {database}: stop the bot there first")
    with only_process(database):
        yield


def looked_through(database: Path, progress: Progress = unwatched) -> None:
    """Check that a database is whole, has nothing unknown, and knows of no newer one.

    Raises DatabaseError otherwise: what isn't known can't be divided.
    """
    if inspected(database, progress) != newest_schema():
        raise DatabaseError(
            f"{database} is from an older version: start the bot once to upgrade it"
        )
    with closing(read_only(database)) as db:
        found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        older = db.execute("SELECT number FROM own_group WHERE holder = ?", (ANOTHER,)).fetchone()
    if older is not None:
        raise DatabaseError(
            f"{database} may lack what was played last: group {older[0]} was started elsewhere "
            "since. Take the database from there; or, if that is lost, start this one once with "
            "--take-over"
        )
    names = {name for (name,) in found if not name.startswith(EXTRA)}
    if unknown := sorted(names - set(DIVISIONS)):
        raise DatabaseError(
            f"{database} has tables that are not the bot's, and would be lost: {', '.join(unknown)}"
        )


@contextmanager
def drafts(targets: Sequence[Path], like: Path) -> Iterator[list[Path]]:
    """Yield the paths at which new databases are written; at the end they get their names.

    They belong to the owner of `like`, with its permissions. If anything fails, none is left.
    Raises DatabaseError if one of the names is taken: nothing is ever overwritten.
    """
    for target in targets:
        if os.path.lexists(target):
            raise DatabaseError(f"{target} already exists: move it away first")
    made = [target.with_name(target.name + PART) for target in targets]
    named: list[Path] = []
    try:
        for part in made:
            make_folder(part.parent, bot_user(like))
            part.unlink(missing_ok=True)
            part.touch(OWNER_ONLY)
        yield made
        for part in made:
            part.chmod(like.stat().st_mode & 0o777 | OWNER_ONLY)
            give(part, bot_user(like))
            to_disk(part)
        for part, target in zip(made, targets, strict=True):
            _name(part, target)
            named.append(target)
    except BaseException as error:
        for target in named:
            target.unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error | OSError):
            raise failed(f"{targets[0].parent} has no new databases", error, like) from None
        raise
    finally:
        for part in made:
            for end in ("", "-journal"):
                part.with_name(part.name + end).unlink(missing_ok=True)


def _name(part: Path, target: Path) -> None:
    """Give a draft its name. A second name replaces nothing, as renaming would."""
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a disk on which a file has one name only
        if target.exists():
            raise
        part.rename(target)


@contextmanager
def written(draft: Path, like: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a draft with the tables of another database, and no rows.

    Its indexes and triggers are made when the block ends: nothing that is copied is counted again.
    """
    with closing(
        sqlite3.connect(f"file:{quote(str(draft))}", uri=True, isolation_level=None)
    ) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        with attached(db, like) as at:
            schema = db.execute(
                f"SELECT type, name, sql FROM {at}.sqlite_schema WHERE sql IS NOT NULL"  # noqa: S608 our own
            ).fetchall()
            settings = {
                name: db.execute(f"PRAGMA {at}.{name}").fetchone()[0]
                for name in ("page_size", "auto_vacuum", "application_id", "user_version")
            }
        for name, value in settings.items():
            db.execute(f"PRAGMA {name} = {value}")
        tables = {name: sql for kind, name, sql in schema if kind == "table"}
        for name in DIVISIONS:
            db.execute(tables[name])
        yield db
        for wanted in ("index", "trigger"):
            for kind, _, sql in schema:
                if kind == wanted:
                    db.execute(sql)


@contextmanager
def attached(db: sqlite3.Connection, path: Path, at: str = "source") -> Iterator[str]:
    """Attach a database, which is only read, under a name. Yield the name."""
    db.execute(f"ATTACH ? AS {at}", (f"file:{quote(str(path))}?mode=ro",))
    try:
        yield at
    finally:
        db.execute(f"DETACH {at}")


def columns(db: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table that are stored as they are written, in order."""
    return [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]


def key(db: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table's primary key, in order."""
    found = [
        (at, name) for *_, name, _, _, _, at in db.execute(f"PRAGMA table_info({table})") if at
    ]
    return [name for _, name in sorted(found)]


def used_up(db: sqlite3.Connection, at: str) -> None:
    """Never give an id again that a source has given and deleted."""
    for name, seq in db.execute(f"SELECT name, seq FROM {at}.sqlite_sequence").fetchall():  # noqa: S608
        db.execute(_USED_UP, {"name": name, "seq": seq})
        db.execute(_FIRST_USED, {"name": name, "seq": seq})
