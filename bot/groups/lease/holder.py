"""The id of who holds a database: a small file beside it, which no copy of the database has."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from bot.ownership import bot_user, give

ID = 16
"""Characters of an id."""
OWNER_ONLY = 0o600


def holder_file(database: Path) -> Path:
    """Return the file: beside the real database, as its lock file is."""
    real = Path(os.path.realpath(database))
    return real.with_name(real.name + ".holder")


def kept_holder(database: Path) -> str:
    """Return the id; empty if there is none yet. Raises OSError if the file can't be read."""
    with suppress(FileNotFoundError):
        kept = holder_file(database).read_text("ascii", errors="replace").strip()
        if len(kept) == ID:
            return kept
    return ""


def holder_of(database: Path) -> str:
    """Return the id, made when it is first needed. Raises OSError if the file can't be made.

    Only called under the database's lock. A file that was cut short by a crash is made again.
    """
    if kept := kept_holder(database):
        return kept
    place = holder_file(database)
    made = secrets.token_hex(ID // 2)
    new = place.with_name(place.name + ".new")
    new.unlink(missing_ok=True)
    new.touch(OWNER_ONLY)
    with new.open("w", encoding="ascii") as file:
        file.write(made + "\n")
        file.flush()
        os.fsync(file.fileno())  # whoever loses it in a power cut is somebody else
    give(new, bot_user(database))
    new.replace(place)
    return made
