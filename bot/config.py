"""Settings from the environment and `.env`, read once at start, as people write them."""

import logging
import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

log = logging.getLogger(__name__)

BACKUPS = "backups"
"""The folder of the daily backups, beside the database, unless it is set."""
ENV_FILE = Path(".env")
ALIKE = 0.9
"""The least likeness, of 1, of a misspelt name to a setting's: a letter or two differ."""
_TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


def _plain(value: str) -> str:
    """Without the white space and the quotes around it: `docker --env-file` keeps both."""
    value = value.strip()
    if value[:1] in {'"', "'"} and value[-1:] == value[:1] and len(value) > 1:
        value = value[1:-1].strip()
    return value


def _token(value: SecretStr) -> SecretStr:
    """Three parts with dots between, as the developer portal shows a bot's token. Some copy the
    word that the bot puts before it as well.
    """
    token = value.get_secret_value().removeprefix("Bot ").strip()
    if _TOKEN.fullmatch(token) is None:
        raise ValueError(
            "it has three parts with dots between, of letters, digits, - and _; "
            "copy it again from the Bot page"
        )
    return SecretStr(token)


def _path(value: Path) -> Path:
    """With the home folder in place of `~`."""
    try:
        return value.expanduser()
    except RuntimeError:
        raise ValueError(f"{value.parts[0]} is nobody's home folder here") from None


def _file(value: Path) -> Path:
    if value.is_dir():
        raise ValueError(f"{value} is a folder; name a file in it")
    return value


Folder = Annotated[Path, AfterValidator(_path)]
File = Annotated[Folder, AfterValidator(_file)]


class DatabaseConfig(BaseSettings):
    """Where everything is kept. What is set to nothing is not set."""

    model_config = SettingsConfigDict(env_file=ENV_FILE, frozen=True, extra="ignore")

    database_path: File = Path("data/ligretto.sqlite3")

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        plain = {
            name: _plain(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return {name: value for name, value in plain.items() if value != ""}


class Config(DatabaseConfig):
    """Every setting; `.env.example` explains them."""

    discord_token: Annotated[SecretStr, AfterValidator(_token)]
    backup_path: Folder | None = None
    backups_kept: Annotated[int, Field(ge=0)] = 7
    metrics_port: Annotated[int, Field(gt=0, lt=65_536)] | None = None
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)
    ] = "INFO"
    log_format: Annotated[Literal["text", "json"], BeforeValidator(str.lower)] = "text"
    log_file: File | None = None

    @property
    def backups(self) -> Path:
        """The folder of the daily backups: `backups` beside the database unless it is set."""
        return self.backup_path or self.database_path.parent / BACKUPS


class ConfigError(Exception):
    """A setting is missing or malformed. The message is one line a setting."""


Settings = TypeVar("Settings", bound=DatabaseConfig)


def read(kind: type[Settings]) -> Settings:
    """Return these settings, and look at no others. Raises ConfigError, which names each one that
    will not do, never its value.

    A name in `.env` that is nearly a setting's is refused: the bot would do as if it were not
    there. In the environment, which is not for the bot alone, it is only told in the log.
    """
    encoding = _encoding(ENV_FILE)
    written = dotenv_values(ENV_FILE, encoding=encoding)
    if meant := [*_misspelt(written, kind)]:
        raise ConfigError("\n".join(meant))
    for line in _misspelt(os.environ, kind):
        log.warning("%s", line)
    try:
        return kind(_env_file_encoding=encoding)
    except ValidationError as error:
        raise ConfigError(
            "\n".join(_line(one["loc"], one["type"], one["msg"]) for one in error.errors())
        ) from None


def _encoding(file: Path) -> str:
    """Return the encoding of a settings file: UTF-8, UTF-16 by its mark, else Latin-1. Raises
    ConfigError for a file that can't be read.
    """
    try:
        content = file.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return "utf-8"
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if b"\0" in content:
        raise ConfigError(f"{file} is not a text file; save it as UTF-8")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def _misspelt(names: Iterable[str], kind: type[DatabaseConfig]) -> Iterable[str]:
    """A line for each name that is nearly one of these settings'."""
    known = [name.upper() for name in kind.model_fields]
    for name in names:
        if name.upper() not in known and (near := get_close_matches(name.upper(), known, 1, ALIKE)):
            yield f"{name}: there is no such setting; is it {near[0]}? (see .env.example)"


def _line(where: tuple[int | str, ...], kind: str, problem: str) -> str:
    name = str(where[0]).upper() if where else "settings"
    problem = "it is not set" if kind == "missing" else problem.removeprefix("Value error, ")
    return f"{name}: {problem} (see .env.example)"
