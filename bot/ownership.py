"""Owners of the bot's files. Whatever a root shell makes belongs to the user who runs the bot."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = 0


@dataclass(frozen=True, slots=True)
class Owner:
    """A user and a group of the system, by number."""

    uid: int
    gid: int


def bot_user(database: Path) -> Owner | None:
    """Return who runs the bot: the owner of its database, or of its folder if that is root's.

    Missing folders will belong to the owner of the nearest one above. None where files have no
    owners. A database that root's shell made in the bot's folder is the bot's all the same.
    """
    if not hasattr(os, "geteuid"):
        return None
    real = Path(os.path.realpath(database))
    owners = [_owner(place) for place in (real, _nearest(real)) if os.path.lexists(place)]
    return next((one for one in owners if one.uid != ROOT), owners[-1])


def give(path: Path, owner: Owner | None) -> None:
    """Give a file or folder to its owner, as only root can. A link is given, not its target.

    Without the right it stays with who made it. Raises OSError for a path that is not there.
    """
    if owner is not None and owner != _owner(path):
        with suppress(PermissionError):
            os.chown(path, owner.uid, owner.gid, follow_symlinks=False)


def make_folder(folder: Path, owner: Owner | None) -> None:
    """Make a folder and those above it that are missing, for this owner. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        give(one, owner)


@contextmanager
def acting_as(owner: Owner | None) -> Iterator[None]:
    """Let root use files as this user does, with that user's rights and no others.

    It holds for the whole process, so nothing else may run meanwhile.
    """
    if owner is None or owner.uid == ROOT or os.geteuid() != ROOT:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups(_groups(owner))
    os.setegid(owner.gid)
    os.seteuid(owner.uid)
    try:
        yield
    finally:
        os.seteuid(ROOT)
        os.setegid(group)
        os.setgroups(groups)


def name_of(uid: int) -> str:
    """Return a user's name, or the number of one without a name."""
    try:
        import pwd  # noqa: PLC0415 only on POSIX

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return str(uid)


def _groups(owner: Owner) -> list[int]:
    name = name_of(owner.uid)
    return [owner.gid] if name.isdecimal() else os.getgrouplist(name, owner.gid)


def _owner(path: Path) -> Owner:
    there = path.lstat()
    return Owner(there.st_uid, there.st_gid)


def _nearest(path: Path) -> Path:
    """Return the folder of a file, or where that is missing, the nearest one above it."""
    return next(one for one in path.parents if os.path.lexists(one))
