"""Advice for an operator about an error of SQLite or of the system, by its cause."""

import errno
import os
import sqlite3

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
FILES = "the limit on open files is too low: raise `ulimit -n`, or LimitNOFILE under systemd"
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
