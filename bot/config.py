"""Settings from the environment and `.env`, read once at start."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


def _token(value: SecretStr) -> SecretStr:
    """Three parts with dots between, as the developer portal shows a bot's token."""
    parts = value.get_secret_value().split(".")
    if len(parts) != 3 or not all(parts):  # noqa: PLR2004 said above
        raise ValueError("it has three parts with dots between; copy it again from the Bot page")
    return value


BACKUPS = "backups"
"""The folder of the daily backups, beside the database, unless it is set."""


class Config(BaseSettings):
    """Every setting; `.env.example` explains them."""

    model_config = SettingsConfigDict(env_file=".env", frozen=True, extra="ignore")

    discord_token: Annotated[SecretStr, AfterValidator(_token)]
    database_path: Path = Path("data/ligretto.sqlite3")
    backup_path: Path | None = None
    backups_kept: Annotated[int, Field(ge=0)] = 7
    metrics_port: Annotated[int, Field(gt=0, lt=65_536)] | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    log_file: Path | None = None

    @property
    def backups(self) -> Path:
        """The folder of the daily backups: `backups` beside the database unless it is set."""
        return self.backup_path or self.database_path.parent / BACKUPS


class ConfigError(Exception):
    """A setting is missing or malformed. The message is one line a setting."""


def read() -> Config:
    """The settings, or ConfigError that names each one that will not do, never its value."""
    try:
        return Config()
    except ValidationError as error:
        raise ConfigError(
            "\n".join(_line(one["loc"], one["msg"]) for one in error.errors())
        ) from None


def _line(where: tuple[int | str, ...], problem: str) -> str:
    name = str(where[0]).upper() if where else "settings"
    return f"{name}: {problem.removeprefix('Value error, ')} (see .env.example)"
