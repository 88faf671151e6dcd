"""Kinds of settings, and what is wrong with a value that does not fit."""

import os
import shlex
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, SecretStr
from pydantic_settings import NoDecode

from bot.settings.home import home
from bot.settings.token import token_of


def token(value: SecretStr) -> SecretStr:
    """Return a bot's token as Discord takes it. Raises ValueError for a text that is none."""
    return SecretStr(token_of(value.get_secret_value()))


def _path(value: Path) -> Path:
    """Return the absolute path. `~` is the user's home folder.

    Raises ValueError if there is none.
    """
    try:
        return home().absolute(value.expanduser())
    except RuntimeError:
        raise ValueError(f"no home folder for {value.parts[0]}") from None


def _named(value: Path) -> Path:
    if str(value).startswith((":memory:", "file:")):
        raise ValueError(f"{value} is not a file; name one, such as data/ligretto.sqlite3")
    return value


def _file(value: Path) -> Path:
    if os.path.isdir(value):  # noqa: PTH112 False too if a disk is unmounted or a folder unreadable
        raise ValueError(f"{value} is a folder; name a file in it")
    return value


def _words(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Split a command line as a shell does. Raises ValueError for a quote that isn't closed."""
    return tuple(shlex.split(value)) if isinstance(value, str) else value


Token = Annotated[SecretStr, AfterValidator(token)]
Folder = Annotated[Path, AfterValidator(_path)]
File = Annotated[Path, AfterValidator(_named), AfterValidator(_path), AfterValidator(_file)]
Command = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
"""A command line, split into words as a shell does."""
