"""The text of a settings file, as editors of all systems save it."""

import codecs
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

COMMENT = re.compile(r"[^\S\r\n](#[^'\"\r\n]*)(?=[\r\n]|$)")
"""A comment behind a value."""


class ConfigError(Exception):
    """A setting is missing or malformed. The message has one line per setting."""


def written(file: Path) -> dict[str, str | None]:
    """Return the settings in a file, none if it is not there. Raises ConfigError."""
    return dotenv_values(file, encoding=encoding_of(file))


def commented(file: Path) -> Iterator[str]:
    """Yield the names of settings with a comment behind their value. Raises ConfigError."""
    encoding = encoding_of(file)
    if not file.is_file():
        return
    for one in parse_stream(StringIO(file.read_text(encoding))):
        if one.key is not None and COMMENT.search(one.original.string):
            yield one.key


def encoding_of(file: Path) -> str:
    """Return the encoding of a settings file: UTF-8, UTF-16 or UTF-32 with a mark, else Latin-1.

    Raises ConfigError for a file that cannot be read.
    """
    try:
        content = file.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return "utf-8"
    except PermissionError:
        raise ConfigError(
            f"{file} cannot be read by this user; run the command as its owner, or with sudo"
        ) from None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # begins as UTF-16 does
        return "utf-32"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in content:
        raise ConfigError(f"{file} is not a text file; save it as UTF-8")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"
