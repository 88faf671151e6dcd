"""Commands that only touch files. Of the settings they need the place of the database alone."""

import argparse
import asyncio
import sys
from pathlib import Path

from bot.cli.exits import CLEAN, refused
from bot.config import ConfigError, DatabaseConfig, read
from bot.ops.backup import restore
from bot.ops.export import export
from bot.store.copies import back_up, inspected
from bot.store.damage import DatabaseError
from bot.store.ratings import recomputed


def carried_out(given: argparse.Namespace) -> int:
    """Carry a command out and write what has come of it. Return the exit code."""
    try:
        done = _done(given, read(DatabaseConfig).database_path)
    except (ConfigError, DatabaseError) as error:
        return refused(str(error))
    sys.stdout.write(done + "\n")
    return CLEAN


def _done(given: argparse.Namespace, database: Path) -> str:
    """What to say when it is done. Raises DatabaseError when it cannot be done."""
    match given.command:
        case "ratings":
            matches = asyncio.run(recomputed(database))
            return f"{matches} rated matches: every rating has been worked out anew"
        case "backup":
            size = back_up(database, given.file)
            return f"{given.file}: {size} bytes, schema {inspected(given.file)}, verified"
        case "restore":
            aside = restore(given.file, database)
            kept = f"; what was there is kept as {aside}" if aside else ""
            return f"{database} is now what {given.file} holds{kept}"
        case _:
            counts = export(database, given.folder)
            return f"{given.folder}: " + ", ".join(f"{n} {name}" for name, n in counts.items())
