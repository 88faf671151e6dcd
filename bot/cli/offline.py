"""Commands that only touch files. They read the paths of the database and its backups, no token."""

import argparse
import asyncio
import sys
from pathlib import Path

from bot.cli.exits import CLEAN, refused
from bot.ops.export import export
from bot.ops.progress_bar import shown
from bot.ops.restore import restore
from bot.progress_reporting import Progress
from bot.settings.config import DatabaseConfig, read
from bot.settings.settings_file import ConfigError
from bot.store.database.backup import back_up, schema_of
from bot.store.database.errors import DatabaseError
from bot.store.database.missing_or_damaged import refuse_if_missing
from bot.store.records.recomputing import recompute_file


def carried_out(given: argparse.Namespace) -> int:
    """Carry a command out and write its result. Return the exit code."""
    try:
        config = read(DatabaseConfig)
        database = config.database_path
        if given.command != "restore":
            refuse_if_missing(database, config.backups)
        with shown(given.command) as progress:
            done = _done(given, database, progress)
    except (ConfigError, DatabaseError) as error:
        return refused(str(error))
    sys.stdout.write(done + "\n")
    return CLEAN


def _done(given: argparse.Namespace, database: Path, progress: Progress) -> str:
    """Do it, and return what to say of it. Raises DatabaseError when it can't be done."""
    match given.command:
        case "ratings":
            matches = asyncio.run(recompute_file(database, progress))
            return f"recalculated every rating; rated matches: {matches}"
        case "backup":
            size = back_up(database, given.file, progress)
            return f"{given.file}: {size} bytes, schema {schema_of(given.file)}, verified"
        case "restore":
            aside = restore(given.file, database, progress)
            kept = f"; the old file is kept as {aside}" if aside else ""
            return f"restored {given.file} to {database}{kept}"
        case _:
            counts = export(database, given.folder, progress)
            return f"{given.folder}: " + ", ".join(f"{n} {name}" for name, n in counts.items())
