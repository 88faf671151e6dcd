"""A disk that can lose its power: SQLite's own file system, with what is not yet on the disk kept
apart. SQLite writes through it to real files; after a power cut they hold what was synced, and of
what was written since then some pages, torn ones among them, or none.
"""

import _sqlite3
import ctypes
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECTOR = 512
"""Bytes that a disk writes at once or not at all."""
NAME = b"power"
_OK = 0


class UnfitError(Exception):
    """This Python's SQLite keeps its file system to itself. The message says so."""


class _Methods(ctypes.Structure):
    """sqlite3_io_methods, version 3."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("close", ctypes.c_void_p),
        ("read", ctypes.c_void_p),
        ("write", ctypes.c_void_p),
        ("truncate", ctypes.c_void_p),
        ("sync", ctypes.c_void_p),
        ("rest", ctypes.c_void_p * 13),
    )


class _File(ctypes.Structure):
    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


class _Vfs(ctypes.Structure):
    """sqlite3_vfs, version 3."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("path_size", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
        ("delete", ctypes.c_void_p),
        ("rest", ctypes.c_void_p * 13),
    )


_FILE = ctypes.POINTER(_File)
_OPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, _FILE, ctypes.c_int, ctypes.c_void_p
)
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_WRITE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_longlong
)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_longlong)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


@dataclass
class _Kept:
    """One file: what is on the disk for certain, and what was written since, in order."""

    image: bytearray
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def settle(self) -> None:
        for offset, data in self.pending:
            _apply(self.image, offset, data)
        self.pending.clear()

    def after_cut(self, chance: random.Random) -> bytes:
        """The file as it may be found: everything, nothing, a beginning, or any sectors of it."""
        image, mode = bytearray(self.image), chance.randrange(4)
        count = chance.randrange(len(self.pending) + 1)
        count = {EVERYTHING: len(self.pending), NOTHING: 0}.get(mode, count)
        for offset, data in self.pending[:count]:
            if data is None or mode != TORN:
                _apply(image, offset, data)
                continue
            for start in range(0, len(data), SECTOR):
                if chance.random() < HALF:
                    _apply(image, offset + start, data[start : start + SECTOR])
        return bytes(image)


EVERYTHING, NOTHING, TORN = 0, 1, 2
HALF = 0.5


def _apply(image: bytearray, offset: int, data: bytes | None) -> None:
    """Write, or cut off at the offset when there is no data."""
    if data is None:
        del image[offset:]
        return
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(data)] = data


class PowerSupply:
    """SQLite's file system for everything below a folder, with the power under control."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())
        self._files: dict[str, _Kept] = {}
        self._paths: dict[int, str] = {}
        self._methods: dict[int, tuple[_Methods, list[Any]]] = {}
        try:
            self._sqlite = ctypes.CDLL(_sqlite3.__file__)
            find = self._sqlite.sqlite3_vfs_find
        except AttributeError:
            raise UnfitError("this Python's SQLite cannot be given a file system") from None
        find.restype = ctypes.POINTER(_Vfs)
        self._real: _Vfs = find(None).contents
        self._vfs = _Vfs.from_buffer_copy(self._real)
        self._vfs.name, self._vfs.next = NAME, None
        self._callbacks = (_OPEN(self._open), _DELETE(self._delete))
        self._vfs.open = ctypes.cast(self._callbacks[0], ctypes.c_void_p)
        self._vfs.delete = ctypes.cast(self._callbacks[1], ctypes.c_void_p)
        self._real_open = ctypes.cast(self._real.open, _OPEN)
        self._real_delete = ctypes.cast(self._real.delete, _DELETE)

    @contextmanager
    def on(self) -> Iterator["PowerSupply"]:
        """Within this, SQLite opens files through it."""
        self._sqlite.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        try:
            yield self
        finally:
            self._sqlite.sqlite3_vfs_register(ctypes.byref(self._real), 1)
            self._sqlite.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def cut(self, old: Path, new: Path, chance: random.Random) -> None:
        """Write to `new` what the folder `old` holds once the power is back."""
        for path, kept in self._files.items():
            file = Path(path)
            if file.parent == old.resolve() and not file.name.endswith("-shm") and file.exists():
                (new / file.name).write_bytes(kept.after_cut(chance))

    # -- what SQLite calls ------------------------------------------------------------------

    def _open(self, _: int, name: int | None, file: Any, flags: int, out: int) -> int:
        # SQLite goes on to use the name's own memory: it is passed on as it came.
        code = self._real_open(ctypes.addressof(self._real), name, file, flags, out)
        path = ctypes.string_at(name).decode() if name else ""
        if code == _OK and path.startswith(self._folder):
            self._paths[ctypes.addressof(file.contents)] = path
            if path not in self._files:
                there = Path(path)
                self._files[path] = _Kept(bytearray(there.read_bytes() if there.exists() else b""))
            file.contents.methods = ctypes.pointer(self._watched(file.contents.methods.contents))
        return int(code)

    def _delete(self, _: int, name: int, sync: int) -> int:
        self._files.pop(ctypes.string_at(name).decode(), None)
        return int(self._real_delete(ctypes.addressof(self._real), name, sync))

    def _watched(self, real: _Methods) -> _Methods:
        """The same methods, told when something is written, cut off or synced."""
        key = ctypes.addressof(real)
        if key not in self._methods:
            methods = _Methods.from_buffer_copy(real)
            write = _WRITE(self._writing(ctypes.cast(real.write, _WRITE)))
            truncate = _TRUNCATE(self._truncating(ctypes.cast(real.truncate, _TRUNCATE)))
            sync = _SYNC(self._syncing(ctypes.cast(real.sync, _SYNC)))
            methods.write = ctypes.cast(write, ctypes.c_void_p)
            methods.truncate = ctypes.cast(truncate, ctypes.c_void_p)
            methods.sync = ctypes.cast(sync, ctypes.c_void_p)
            self._methods[key] = (methods, [write, truncate, sync])
        return self._methods[key][0]

    def _writing(self, real: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, size: int, offset: int) -> int:
            if (code := real(file, data, size, offset)) == _OK:
                self._kept(file).pending.append((offset, ctypes.string_at(data, size)))
            return code

        return write

    def _truncating(self, real: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            if (code := real(file, size)) == _OK:
                self._kept(file).pending.append((size, None))
            return code

        return truncate

    def _syncing(self, real: Callable[..., int]) -> Callable[..., int]:
        def sync(file: int, flags: int) -> int:
            if (code := real(file, flags)) == _OK:
                self._kept(file).settle()
            return code

        return sync

    def _kept(self, file: int) -> _Kept:
        return self._files.setdefault(self._paths[file], _Kept(bytearray()))
