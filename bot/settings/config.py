"""Settings from the environment and one file, read once at start, however people quote them."""

import codecs
import logging
import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from dotenv import dotenv_values
from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.settings.home import VARIABLE, home, left_behind
from bot.settings.pasted_text import plain
from bot.settings.releases_url import ReleasesUrl, default_url
from bot.settings.values import Command, File, Folder, Token

log = logging.getLogger(__name__)

BACKUPS = "backups"
"""The default folder of the daily backups, beside the database."""
BACKUPS_KEPT = 7
"""The default number of daily backups that stay."""
OTHER_NAMES = {
    **dict.fromkeys(("DATABASE", "DB", "DB_PATH", "DB_FILE", "DATABASE_FILE"), "DATABASE_PATH"),
    **dict.fromkeys(("SQLITE_PATH", "DATABASE_DIR", "DATA_DIR"), "DATABASE_PATH"),
    **dict.fromkeys(("BACKUP", "BACKUPS", "BACKUP_DIR", "BACKUP_FOLDER"), "BACKUP_PATH"),
    **dict.fromkeys(("BACKUPS_DIR", "BACKUPS_PATH"), "BACKUP_PATH"),
    **dict.fromkeys(("TOKEN", "BOT_TOKEN", "DISCORD_BOT_TOKEN"), "DISCORD_TOKEN"),
    **dict.fromkeys(("LOGFILE", "LOG_PATH"), "LOG_FILE"),
}
"""Names that other bots have for our settings."""
ALIKE = 0.9
"""The least similarity (at most 1) of a misspelt name to a setting: a letter or two differ."""


class _Environment(EnvSettingsSource):
    """The environment, where a variable that is set to nothing hides nothing in the file."""

    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if plain(value) != ""}


class DatabaseConfig(BaseSettings):
    """The settings of a command that only touches files. An empty value counts as unset."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    database_path: File = Field(default_factory=lambda: home().database)
    backup_path: Folder | None = None

    @property
    def backups(self) -> Path:
        """The folder of the daily backups: BACKUP_PATH, or `backups` beside the database."""
        return self.backup_path or self.database_path.parent / BACKUPS

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 pydantic names them
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, _Environment(settings_cls), dotenv_settings

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        stripped = {
            name: plain(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return {name: value for name, value in stripped.items() if value != ""}


class Config(DatabaseConfig):
    """Every setting; `.env.example` explains them."""

    discord_token: Token
    backups_kept: Annotated[int, Field(ge=0)] = BACKUPS_KEPT
    backup_command: Command = ()
    metrics_host: str = "127.0.0.1"
    metrics_port: Annotated[int, Field(gt=0, lt=65_536)] | None = None
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(str.upper)
    ] = "INFO"
    log_format: Annotated[Literal["text", "json"], BeforeValidator(str.lower)] = "text"
    log_file: File | None = None
    tell_owner: bool = False
    releases_url: ReleasesUrl = Field(default_factory=default_url)


class ConfigError(Exception):
    """A setting is missing or malformed. The message has one line per setting."""


Settings = TypeVar("Settings", bound=DatabaseConfig)


def read(kind: type[Settings]) -> Settings:
    """Read these settings, and no others.

    Raises ConfigError that names each bad setting, but never its value.

    A misspelt setting in the file is an error, because the bot would silently ignore it. In the
    environment, which other programs share, it is only logged. A database that earlier versions
    kept in the working folder is an error too, unless something says which database to use.
    """
    file = home().settings
    encoding = _encoding(file)
    written = dotenv_values(file, encoding=encoding)
    if meant := [*_misspelt(written, kind), *_named_differently(written, kind)]:
        raise ConfigError("\n".join(meant))
    for line in _misspelt(os.environ, kind):
        log.warning("%s", line)
    try:
        settings = kind(_env_file=file, _env_file_encoding=encoding)
    except ValidationError as error:
        raise ConfigError(
            "\n".join(_line(one["loc"], one["type"], one["msg"]) for one in error.errors())
        ) from None
    if settings.database_path == home().database:
        _refuse_to_forget()
    return settings


def _refuse_to_forget() -> None:
    """Raise ConfigError if the working folder holds a database that would be left behind."""
    if (old := left_behind(Path.cwd(), home())) is not None:
        raise ConfigError(
            f"{old} is not used: the working folder no longer decides where data is kept. Set "
            f"{VARIABLE}={old.parent.parent} to use it, or move it to {home().database}"
        )


def _encoding(file: Path) -> str:
    """Return the encoding of a settings file: UTF-8, UTF-16 or UTF-32 with a mark, else Latin-1.

    Raises ConfigError for a file that cannot be read.
    """
    try:
        content = file.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return "utf-8"
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


def _misspelt(names: Iterable[str], kind: type[DatabaseConfig]) -> Iterable[str]:
    """Yield a line for each name that is nearly one of these settings'."""
    known = [name.upper() for name in kind.model_fields]
    for name in names:
        if name.upper() not in known and (near := get_close_matches(name.upper(), known, 1, ALIKE)):
            yield f"{name}: unknown setting; did you mean {near[0]}?"


def _named_differently(
    written: Mapping[str, str | None], kind: type[DatabaseConfig]
) -> Iterable[str]:
    """Yield a line for each name in our own file that other bots use for one of these settings.

    A file without a setting of ours, or one that has the setting as well, is left alone: the name
    may be another program's.
    """
    names = {name.upper() for name in written}
    known = {name.upper() for name in kind.model_fields}
    if names.isdisjoint(name.upper() for name in Config.model_fields):
        return
    for name in written:
        meant = OTHER_NAMES.get(name.upper())
        if meant in known and meant not in names | os.environ.keys():
            yield f"{name}: unknown setting; did you mean {meant}?"


def _line(where: tuple[int | str, ...], kind: str, problem: str) -> str:
    name = str(where[0]).upper() if where else "settings"
    if kind == "missing":
        problem = f"set neither in the environment nor in {home().settings}"
    return f"{name}: {problem.removeprefix('Value error, ')}"
