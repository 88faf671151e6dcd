"""The id of who holds a database: in a small file beside it, whose copies are somebody else's."""

import os
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bot.ownership import bot_user, give

ID = 16
"""Characters of an id."""
OWNER_ONLY = 0o600
MACHINE = Path("/etc/machine-id")


def holder_file(database: Path) -> Path:
    """Return the file: beside the real database, as its lock file is."""
    real = Path(os.path.realpath(database))
    return real.with_name(real.name + ".holder")


def known_holder(database: Path) -> str | None:
    """Return the id; None if there is none yet, or if the file was cut short or is a copy.

    Raises OSError if the file can't be read.
    """
    match _kept(holder_file(database)):
        case [known, noted, here] if len(known) == ID and noted == here:
            return known
        case [known, _] if len(known) == ID:  # an older version's: what it is a copy of is unknown
            return known
        case _:
            return None


def holder_of(database: Path) -> str:
    """Return the id, made when it is first needed. Raises OSError if the file can't be made.

    Only called under the database's lock. The file notes its own place, if an older version has
    not.
    """
    known, place = known_holder(database), holder_file(database)
    if known is not None and _kept(place)[1:-1]:  # the place is noted
        return known
    made = known or secrets.token_hex(ID // 2)
    new = place.with_name(place.name + ".new")
    new.unlink(missing_ok=True)
    new.touch(OWNER_ONLY)
    with new.open("w", encoding="ascii") as file:
        file.write(f"{made} {_place(os.fstat(file.fileno()))}\n")
        file.flush()
        os.fsync(file.fileno())  # whoever loses it in a power cut is somebody else
    give(new, bot_user(database))
    new.replace(place)
    return made


def _kept(place: Path) -> list[str]:
    """Return the words of a file, and where it is; nothing if there is none."""
    try:
        with place.open(encoding="ascii", errors="replace") as file:
            return [*file.read().split(), _place(os.fstat(file.fileno()))]
    except FileNotFoundError:
        return []


def _place(file: os.stat_result) -> str:
    """Return what a file keeps as long as it isn't copied: across restarts, and if it is moved.

    Its number on its disk, and the machine's id: two disks may give the same number. Times, names
    and the disk's own number change without a copy. A container without an id has its disk's
    number only.
    """
    machine = ""
    with suppress(OSError):
        machine = MACHINE.read_text("ascii", errors="replace").strip()
    return sha256(f"{machine} {file.st_ino}".encode()).hexdigest()[:ID]
