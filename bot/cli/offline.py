"""Commands that only touch files. They read no token, and some no settings."""

import argparse
import asyncio
import sys
from pathlib import Path

from bot.cli.exits import CLEAN, refused
from bot.groups.layout import in_short
from bot.ops.export import export
from bot.ops.moving.merge import merge
from bot.ops.moving.split import split
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


def moved(given: argparse.Namespace) -> int:
    """Split or merge databases and write their names. No setting is read. Return the exit code."""
    try:
        with shown(given.command) as progress:
            lines = _split(given, progress) if given.command == "split" else _merge(given, progress)
    except DatabaseError as error:
        return refused(str(error))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return CLEAN


def _split(given: argparse.Namespace, progress: Progress) -> list[str]:
    count = given.into if given.shard_count is None else given.shard_count
    lines = [
        f"{one.path}: SHARD_COUNT={count} SHARD_IDS={in_short(one.layout.ids)}, "
        f"servers: {one.servers}, matches: {one.matches}, verified"
        for one in split(given.file, given.into, count, progress, again=given.again)
    ]
    if given.shard_count is None:
        lines.append(
            f"SHARD_COUNT={count}, since --shard-count was not given: the bot can never have more "
            "groups than that"
        )
    return lines


def _merge(given: argparse.Namespace, progress: Progress) -> list[str]:
    if len(given.files) == 1:
        raise DatabaseError("a merge takes two databases or more")
    servers, matches = merge(given.files, given.into, progress, again=given.again)
    return [f"{given.into}: servers: {servers}, matches: {matches}, verified"]


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
