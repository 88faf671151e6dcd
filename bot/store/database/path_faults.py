"""Faults of a database's path that no error names: missing permissions, and links to nowhere."""

import os
from pathlib import Path

from bot.ownership import name_of
from bot.store.database.error_advice import MOUNT

SYSTEM = ("/bin", "/boot", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys", "/usr")
"""Folders of the system, with all that is in them."""
SHARED = (
    "/",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/var",
    "/var/backups",
    "/var/cache",
    "/var/lib",
    "/var/log",
)
"""Folders of the system in which others have their own."""


def not_permitted(path: Path) -> str | None:
    """Return which part of a database this user may not use, and the remedy; None if they may.

    A part is the file, its folder, SQLite's files beside it or the lock file. A disk that is
    read-only forbids nobody anything.
    """
    folder = nearest(path)
    beside = (path.with_name(path.name + end) for end in ("", "-wal", "-shm", ".lock"))
    places = ((folder, os.W_OK | os.X_OK), *((file, os.R_OK | os.W_OK) for file in beside))
    for place, wanted in places:
        if os.path.lexists(place) and not _may(place, wanted) and not _is_read_only(place):
            return _whose(place)
    return None


def not_permitted_in(folder: Path) -> str | None:
    """Return whose folder it is, if this user may not write in it, and the remedy; else None."""
    may = _may(folder, os.R_OK | os.W_OK | os.X_OK)
    return None if may or _is_read_only(folder) else _whose(folder)


def nearest(path: Path) -> Path:
    """Return the folder of a file, or where that is missing or hidden, the one above it."""
    return next(one for one in path.absolute().parents if os.path.exists(one))  # noqa: PTH110 never raises


def _may(place: Path, wanted: int) -> bool:
    if not os.path.exists(place):  # noqa: PTH110 a link to nothing
        return True
    return os.access(place, wanted, effective_ids=os.access in os.supports_effective_ids)


def _is_read_only(place: Path) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def _whose(place: Path) -> str:
    if not hasattr(os, "geteuid"):
        return f"{place} cannot be written to by the user who runs the bot"
    owner, user = place.stat().st_uid, os.geteuid()
    named = name_of(user)
    if owner == user:
        return f"{place} is not accessible to its own user, {named}: chmod u+rwX {place}"
    is_acting = os.getuid() != user  # see `bot.ownership.acting_as`
    runs = "the bot runs" if is_acting else "this runs"
    other = f", or run this as {name_of(owner)}" if owner and not is_acting else ""
    remedy = f"sudo chown {named} {place}"
    if place.is_dir() and _is_of_system(place):
        remedy = f"use a folder that belongs to {named}"
    return f"{place} belongs to {name_of(owner)}, and {runs} as {named}: {remedy}{other}"


def _is_of_system(folder: Path) -> bool:
    """Return whether other programs need a folder as it is, so that nobody may give it away."""
    return str(folder) in SHARED or any(folder.is_relative_to(one) for one in SYSTEM)


def dangling(path: Path) -> str | None:
    """Return which link on the way to a file leads to a place that is not there, if one does."""
    for place in (path, *path.parents):
        target = Path(os.path.realpath(place))
        needed = target.parent if place == path else target
        # os.path never raises, where a folder is closed
        if os.path.islink(place) and not os.path.exists(needed):  # noqa: PTH110, PTH114
            return f"{place} links to {target}, which does not exist: {MOUNT}"
    return None
