"""Advice for an operator about an error of SQLite or of the system, by its cause."""

import errno
import os
import sqlite3
from pathlib import Path

PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
    }
)
PRIMARY = 0xFF
"""Mask that reduces an extended SQLite result code to its primary one."""
FREE = "free some disk space, then try again"
LOCKED = "another program is using it: close that one, or wait for it"
MOUNT = "is its disk mounted?"
REMOUNT = "make the disk writable, then try again"
FAULTY = "free some disk space; if there is enough, look for disk errors in the system's log"
CHOWN = "chown it to the user that runs the bot"
FILES = "too few files may be open: raise `ulimit -n`, or LimitNOFILE under systemd"
_AWAY = (
    *("ESTALE", "ENOTCONN", "ETIMEDOUT", "ENODEV", "ENXIO", "ENOMEDIUM"),
    *("EHOSTDOWN", "EHOSTUNREACH"),
)
SYSTEM = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), FREE),
    **{getattr(errno, name): MOUNT for name in _AWAY if hasattr(errno, name)},
    errno.EROFS: REMOUNT,
    errno.EIO: FAULTY,
    **dict.fromkeys((errno.EACCES, errno.EPERM), CHOWN),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), FILES),
}
"""Advice by a system error's number."""
SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_FULL: FREE,
    sqlite3.SQLITE_READONLY: REMOUNT,
    sqlite3.SQLITE_IOERR: FAULTY,
    sqlite3.SQLITE_CANTOPEN: MOUNT,
}
"""Advice by a primary result code of SQLite."""
LASTING = frozenset({CHOWN, FILES})
"""Advice about what no later start finds changed by itself."""


def advice(error: Exception) -> str | None:
    """Return the operator's next step, or None if the error does not tell it."""
    if isinstance(error, OSError):
        return SYSTEM.get(error.errno or 0)
    if not isinstance(error, sqlite3.Error):
        return None
    if result_code(error) == sqlite3.SQLITE_CANTOPEN and not _can_open():
        return FILES
    return SQLITE.get(result_code(error))


def result_code(error: sqlite3.Error) -> int:
    """Return the primary result code; SQLITE_ERROR for errors raised by the sqlite3 module."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY


def _can_open() -> bool:
    """Return whether this process may have one more file open: SQLite does not say."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno not in {errno.EMFILE, errno.ENFILE}
    return True


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
    if owner == user:
        return f"{place} is closed to its own user, {_name(user)}: chmod u+rwX {place}"
    other = f", or run this as {_name(owner)}" if owner else ""
    return (
        f"{place} belongs to {_name(owner)}, and this runs as {_name(user)}: "
        f"sudo chown {_name(user)} {place}{other}"
    )


def _name(user: int) -> str:
    """Return a user's name, or the number of one without a name."""
    try:
        import pwd  # noqa: PLC0415 only on POSIX

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return str(user)


def dangling(path: Path) -> str | None:
    """Return which link on the way to a file leads to a place that is not there, if one does."""
    for place in (path, *path.parents):
        target = Path(os.path.realpath(place))
        needed = target.parent if place == path else target
        # os.path never raises, where a folder is closed
        if os.path.islink(place) and not os.path.exists(needed):  # noqa: PTH110, PTH114
            return f"{place} leads to {target}, which is not there: {MOUNT}"
    return None
