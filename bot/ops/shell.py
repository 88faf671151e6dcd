"""What `python -m bot` does beside running: commands that end by themselves."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bot.config import Config
from bot.ops.backup import restore
from bot.ops.export import export
from bot.store.copies import back_up, inspected
from bot.store.ratings import recomputed


def carried_out(arguments: Sequence[str], config: Config) -> str | None:
    """What to say when it is done, or None when there is no such command.

    Raises DatabaseError when it cannot be done.
    """
    database = config.database_path
    match arguments:
        case ["ratings"]:
            matches = asyncio.run(recomputed(database))
            return f"{matches} rated matches: every rating has been worked out anew"
        case ["backup", file]:
            size = back_up(database, Path(file))
            return f"{file}: {size} bytes, schema {inspected(Path(file))}, verified"
        case ["restore", file]:
            aside = restore(Path(file), database)
            kept = f"; what was there is kept as {aside}" if aside else ""
            return f"{database} is now what {file} holds{kept}"
        case ["export", folder]:
            counts = export(database, Path(folder))
            return f"{folder}: " + ", ".join(f"{n} {name}" for name, n in counts.items())
        case _:
            return None
