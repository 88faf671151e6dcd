"""Writing settings into a file that people write in too: all their lines stay."""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from tempfile import mkstemp

from dotenv.parser import Binding, parse_stream

from bot.ownership import bot_user, give, make_folder
from bot.settings.pasted_text import plain
from bot.settings.settings_file import COMMENT, ConfigError, encoding_of
from bot.store.database.backup import OWNER_ONLY

_SAFE = re.compile(r"[\w./:@+-]+")
"""Values that need no quotes for dotenv, systemd and Docker."""
_LEAD = re.compile(r"(\s*)((?:export[^\S\r\n]+)?)")
_END = re.compile(r"(?:\r\n|\n|\r)?\Z")


def write(file: Path, values: Mapping[str, str]) -> tuple[str, ...]:
    """Set these values in a settings file. Return the names of those that it did not have.

    The file is replaced at once and is on the disk then. It keeps its owner, and its permissions if
    only its owner and group may read it; a new one is its owner's alone. Raises ConfigError.
    """
    real = Path(os.path.realpath(file))
    encoding = encoding_of(real)
    try:
        before = real.read_bytes() if real.exists() else b""
        text = before.decode(encoding)
        after, changed = merged(text, values)
        if changed or _is_open(real):
            _replace(real, _encoded(after, encoding) if changed else before)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from None
    return changed


def merged(text: str, values: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return the text with these values, and the names of those that it did not have.

    Lines of other settings and all comments stay. A comment behind a value that changes gets a line
    of its own, because systemd takes it for a part of the value.
    """
    found, changed, parts = set[str](), dict[str, None](), list[str]()
    for one in parse_stream(StringIO(text, newline="")):
        name = (one.key or "").upper()
        part = one.original.string
        if name in values and not one.error:
            found.add(name)
            if plain(one.value or "") != values[name]:
                changed[name] = None
                part = _rewritten(one, values[name])
        parts.append(part)
    kept = "".join(parts)
    missing = [name for name in values if name not in found]
    newline = "\r\n" if "\r\n" in kept else "\n"
    if missing and kept and not kept.endswith(("\n", "\r")):
        kept += newline
    added = "".join(f"{name}={_quoted(values[name])}{newline}" for name in missing)
    return kept + added, (*changed, *missing)


def _rewritten(one: Binding, value: str) -> str:
    """Return a setting's lines with another value."""
    whole = one.original.string
    lead, end, comment = _LEAD.match(whole), _END.search(whole), COMMENT.search(whole)
    assert lead is not None
    assert end is not None
    above = f"{comment[1].rstrip()}{end[0] or chr(10)}" if comment else ""
    return f"{lead[1]}{above}{lead[2]}{one.key}={_quoted(value)}{end[0]}"


def _quoted(value: str) -> str:
    if _SAFE.fullmatch(value):
        return value
    escaped = value.replace("\\", r"\\").replace("'", r"\'")
    return f"'{escaped}'"


def _encoded(text: str, encoding: str) -> bytes:
    """Return the bytes of a text as it was saved, or in UTF-8 without a mark, as systemd needs."""
    try:
        return text.encode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeEncodeError:
        return text.encode()


def _is_open(file: Path) -> bool:
    return os.name == "posix" and file.exists() and bool(file.stat().st_mode & stat.S_IRWXO)


def _replace(file: Path, content: bytes) -> None:
    """Put a file with this content in the place of another, if there is one."""
    user = bot_user(file)
    make_folder(file.parent, user)
    handle, name = mkstemp(prefix=f".{file.name}-", dir=file.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as writing:
            writing.write(content)
            writing.flush()
            os.fsync(writing.fileno())
        closed = file.exists() and not _is_open(file)
        part.chmod(stat.S_IMODE(file.stat().st_mode) if closed else OWNER_ONLY)
        give(part, user)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    for folder in _openable(file.parent):
        os.fsync(folder)
        os.close(folder)


def _openable(folder: Path) -> Iterator[int]:
    """Yield a folder's handle, where there are such: on Windows there are none."""
    if os.name == "posix":
        yield os.open(folder, os.O_RDONLY)
