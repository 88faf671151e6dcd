"""Settings from the environment and one file, read once at start, however people quote them."""

import logging
import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from dotenv import dotenv_values
from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.groups.layout import Layout
from bot.settings.home import SERVICE, VARIABLE, command, home, left_behind
from bot.settings.pasted_text import plain
from bot.settings.releases_url import ReleasesUrl, default_url
from bot.settings.settings_file import ConfigError, commented, encoding_of
from bot.settings.shards import ShardCount, ShardIds, ValkeyUrl, fit
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
    http_client: Annotated[Literal["lean", "aiohttp"], BeforeValidator(str.lower)] = "lean"
    releases_url: ReleasesUrl = Field(default_factory=default_url)
    shard_count: ShardCount | None = None
    shard_ids: ShardIds = ()
    valkey_url: ValkeyUrl | None = None

    @model_validator(mode="after")
    def _groups(self) -> Self:
        fit(self.shard_count, self.shard_ids, self.valkey_url)
        return self

    @property
    def layout(self) -> Layout:
        """The shards that this process owns."""
        return Layout(self.shard_count, self.shard_ids)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders in which the bot writes."""
        log = () if self.log_file is None else (self.log_file.parent,)
        return (self.database_path.parent, self.backups, *log)


Settings = TypeVar("Settings", bound=DatabaseConfig)


def read(kind: type[Settings]) -> Settings:
    """Read these settings, and no others.

    Raises ConfigError that names each bad setting, but never its value.

    A misspelt setting in the file is an error, because the bot would silently ignore it. In the
    environment, which other programs share, it is only logged. A database that earlier versions
    kept in the working folder is an error too, unless something says which database to use.
    """
    is_closed = home() == SERVICE and not os.access(SERVICE.settings, os.R_OK)
    file = None if is_closed else home().settings  # systemd has read it for the service
    encoding = encoding_of(file) if file is not None else None
    written = dotenv_values(file, encoding=encoding) if file is not None else {}
    if file == SERVICE.settings and (taken := [*_commented(file, kind)]):
        raise ConfigError("\n".join(taken))
    if meant := [*_misspelt(written, kind), *_named_differently(written, kind)]:
        raise ConfigError("\n".join(meant))
    for line in _misspelt(os.environ, kind):
        log.warning("%s", line)
    try:
        settings = kind(_env_file=file, _env_file_encoding=encoding)
    except ValidationError as error:
        raise ConfigError(
            "\n".join(f"{_name(one)}: {_problem(one)}" for one in error.errors())
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


def _commented(file: Path, kind: type[DatabaseConfig]) -> Iterable[str]:
    """Yield a line for each of these settings that the service would read otherwise than we do."""
    known = {name.upper() for name in kind.model_fields}
    for name in commented(file):
        if name.upper() in known:
            yield (
                f"{name}: systemd takes the comment behind it for part of the value; put the "
                f"comment on a line of its own in {file}"
            )


def _name(error: ErrorDetails) -> str:
    return str(error["loc"][0]).upper() if error["loc"] else "settings"


def _problem(error: ErrorDetails) -> str:
    """Return what is wrong with a setting, without its value, and what to do."""
    match error["type"]:
        case "missing":
            return _missing()
        case "literal_error":
            choices = re.findall(r"'([^']+)'", error["ctx"]["expected"])
            alike = {choice.upper(): choice for choice in choices}
            near = get_close_matches(str(error["input"]).upper(), alike, 1)
            meant = f"; did you mean {alike[near[0]]}?" if near else ""
            return f"must be {', '.join(choices[:-1])} or {choices[-1]}{meant}"
        case _:
            return error["msg"].removeprefix("Value error, ")


def _missing() -> str:
    words = "setup --system" if home() == SERVICE else "setup"
    said = f"set neither in the environment nor in {home().settings}; run `{command()} {words}`"
    is_read = home() == SERVICE and os.access(SERVICE.settings, os.R_OK)
    if not is_read and SERVICE.settings.exists():
        return f"{said}, or use sudo for the service of {SERVICE.settings}"
    return said
