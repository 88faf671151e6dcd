"""The locks that keep a second process away from a database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP
from pathlib import Path

from filelock import FileLock, Timeout

from bot.ownership import bot_user, give, make_folder
from bot.store.database import errors
from bot.store.database.errors import DatabaseError, PassingError
from bot.store.database.path_faults import dangling

try:
    import fcntl
except ImportError:  # Windows has none
    POSIX = False
else:
    POSIX = True

WITHOUT_LOCKS = frozenset({ENOLCK, ENOSYS, EOPNOTSUPP, ENOTSUP})
"""System errors from disks that don't support file locks."""
BYTE = 2**30 + 2**16
"""The byte of the database that is locked. SQLite locks 512 bytes from 2**30 on, and no others."""


def lock_of(path: Path) -> Path:
    """Return the lock file: beside the real file, so that every link to it has the same one."""
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + ".lock")


class OwnLock:
    """A lock on a byte of the database itself, which nobody can remove in play.

    POSIX only: Windows removes no lock file that is held.

    The system gives it up as soon as this process closes any file of the database. SQLite, which
    knows of that, closes none while a connection is open: so `take` it again once one is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def take(self) -> None:
        """Lock the file if it is there. Raises DatabaseError if another process holds it."""
        if not POSIX:
            return
        try:
            if self._file < 0:
                self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, BYTE)
        except BlockingIOError:
            raise _in_use(self._path) from None
        except OSError:
            pass  # no file yet, or one that can't be written: opening it says so

    def release(self) -> None:
        """Give it up. No connection may be open any more."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    __del__ = release


@contextmanager
def only_process(path: Path) -> Iterator[OwnLock]:
    """Hold the database's lock file and the database, so that no second process runs.

    It would make double moves (PLATFORM 3). Raises DatabaseError at once if another process holds
    one of them, or if the lock file cannot be created. Root makes it for the user who runs the bot.
    """
    if (why := dangling(path)) is not None:
        raise PassingError(why)
    own, place = OwnLock(path), lock_of(path)
    lock = FileLock(place, timeout=0, fallback_to_soft=False)
    try:
        user = bot_user(path)
        make_folder(place.parent, user)
        lock.acquire()
        give(place, user)
    except Timeout:
        raise _in_use(path) from None
    except OSError as error:
        if error.errno in WITHOUT_LOCKS:
            raise DatabaseError(
                f"{path} cannot be locked ({error.strerror}): some network disks don't support it. "
                "Set DATABASE_PATH to a local disk"
            ) from None
        raise errors.of_system(path, error) from None
    try:
        own.take()
        yield own
    finally:
        own.release()
        lock.release()


def is_in_use(path: Path) -> bool:
    """Return whether a process holds the lock of a database. Nothing is created for that."""
    place = lock_of(path)
    try:
        if not place.exists():
            return False
        with FileLock(place, timeout=0, fallback_to_soft=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


def _in_use(path: Path) -> DatabaseError:
    return DatabaseError(
        f"another process is already using {path}: stop it first, "
        "or give this one its own DATABASE_PATH"
    )
