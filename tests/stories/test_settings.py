"""Settings as people write them: each should be taken, or be refused in a line that names it."""

import asyncio
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from bot.ops.daily_backups import DailyBackups
from bot.ownership import Owner, acting_as
from bot.settings.config import Config, read
from bot.settings.settings_file import ConfigError
from tests.stories.world import World, given

TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's
SETTINGS = ("DISCORD_TOKEN", "DATABASE_PATH", "BACKUP_PATH", "LOG_LEVEL", "LOG_FILE")


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory without `.env` and an environment without our settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path))
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


def outcome() -> Config | str:
    """The settings, or the lines with which they are refused. Nothing else may come."""
    try:
        return read(Config)
    except ConfigError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(f"a traceback instead of a line: {error!r}") from error


def taken() -> Config:
    """The settings, where none of them is refused."""
    config = outcome()
    assert isinstance(config, Config), config
    return config


def given_token(monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    for name, value in {"DISCORD_TOKEN": TOKEN, **more}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_a_settings_file_in_another_encoding_is_read(encoding: str) -> None:
    """PowerShell writes UTF-16, Notepad a mark before UTF-8, an old editor Latin-1."""
    Path(".env").write_bytes(f"# für uns\nDISCORD_TOKEN={TOKEN}\n".encode(encoding))
    assert taken().discord_token.get_secret_value() == TOKEN


def test_a_settings_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    Path(".env").write_bytes(f"DISCORD_TOKEN={TOKEN}\n".encode("utf-16-le"))
    assert outcome() == f"{tmp_path}/.env is not a text file; save it as UTF-8"


@pytest.mark.parametrize(
    "written",
    [
        f"bot {TOKEN}",
        f"BOT\u00a0{TOKEN}",
        f"\u00a0{TOKEN}\u00a0",
        f"\u200b{TOKEN}\ufeff",
        f"\u201c{TOKEN}\u201d",
        f"\u201e{TOKEN}\u201c",
        f"\u00ab\u00a0{TOKEN}\u00a0\u00bb",
        f"Bot \u2018{TOKEN}\u2019",
        f"`{TOKEN}`",
    ],
)
def test_a_token_is_taken_as_pages_and_chats_show_it(written: str) -> None:
    Path(".env").write_text(f"DISCORD_TOKEN={written}\n", encoding="utf-8")
    assert taken().discord_token.get_secret_value() == TOKEN


def test_quotes_of_an_old_windows_editor_are_taken() -> None:
    Path(".env").write_bytes(f"DISCORD_TOKEN=\u201c{TOKEN}\u201d\n".encode("cp1252"))
    assert taken().discord_token.get_secret_value() == TOKEN


@pytest.mark.parametrize("place", [":memory:", "file:night.db?mode=memory"])
def test_a_database_has_to_be_a_file(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given_token(monkeypatch, DATABASE_PATH=place)
    said = f"DATABASE_PATH: {place} is not a file; name one, such as data/ligretto.sqlite3"
    assert outcome() == said


@pytest.mark.parametrize(
    ("name", "meant"),
    [("DB_PATH", "DATABASE_PATH"), ("DATABASE", "DATABASE_PATH"), ("BACKUP_DIR", "BACKUP_PATH")],
)
def test_a_setting_by_another_name_is_refused(name: str, meant: str) -> None:
    """The bot would go on with its own place, and nobody would notice."""
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\n{name}=somewhere\n")
    line = f"{name}: unknown setting; did you mean {meant}?"
    assert outcome() == line


def test_names_of_other_programs_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file that isn't ours, or that has the setting as well."""
    given_token(monkeypatch)
    Path(".env").write_text("DATABASE=postgres\nBACKUP_DIR=elsewhere\n")
    assert taken().database_path == tmp_path / "data" / "ligretto.sqlite3"
    Path(".env").write_text("DATABASE=postgres\nDATABASE_PATH=night.db\n")
    assert taken().database_path == tmp_path / "night.db"


def test_what_is_set_to_nothing_is_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = dict.fromkeys(("DATABASE_PATH", "BACKUP_PATH", "LOG_FILE", "METRICS_PORT"), " ")
    given_token(monkeypatch, **empty, BACKUPS_KEPT='""')
    config = taken()
    assert config.database_path == tmp_path / "data" / "ligretto.sqlite3"
    assert config.backups == tmp_path / "data" / "backups"
    assert (config.log_file, config.metrics_port, config.backups_kept) == (None, None, 7)
    assert f"BACKUPS_KEPT, {config.backups_kept} by default" in str(DailyBackups.__doc__)


@pytest.mark.parametrize("nothing", ["", " ", "''"])
def test_an_empty_variable_hides_nothing_in_env_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing: str
) -> None:
    """The bot would start on another database, with nothing in it."""
    settings = {"DATABASE_PATH": "mine/x.sqlite3", "BACKUPS_KEPT": "3", "DISCORD_TOKEN": TOKEN}
    Path(".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    for name in settings:
        monkeypatch.setenv(name, nothing)
    assert taken().database_path == tmp_path / "mine" / "x.sqlite3"
    assert taken().backups_kept == 3


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    given_token(monkeypatch, DATABASE_PATH="~/night.sqlite3", BACKUP_PATH="~/copies")
    assert taken().database_path == Path.home() / "night.sqlite3"
    assert taken().backups == Path.home() / "copies"


def test_a_folder_is_no_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given_token(monkeypatch, DATABASE_PATH=str(tmp_path), LOG_FILE="~nobody-here/log")
    lines = str(outcome()).splitlines()
    assert lines == [
        f"DATABASE_PATH: {tmp_path} is a folder; name a file in it",
        "LOG_FILE: no home folder for ~nobody-here",
    ]


@pytest.mark.parametrize("written", [f'"{TOKEN}"', f"'{TOKEN}'", f"Bot {TOKEN}", f" {TOKEN} "])
def test_a_token_is_taken_as_people_copy_it(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`docker --env-file` keeps the quotes, and Discord would refuse the token."""
    given_token(monkeypatch, DISCORD_TOKEN=written)
    assert taken().discord_token.get_secret_value() == TOKEN


def test_a_token_that_was_cut_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The "…" of a browser would be taken for a part of it."""
    given_token(monkeypatch, DISCORD_TOKEN=f"{TOKEN}…")
    assert "copy it again" in str(outcome())
    assert TOKEN not in str(outcome())


def test_letters_may_be_small(monkeypatch: pytest.MonkeyPatch) -> None:
    given_token(monkeypatch, LOG_LEVEL="info", LOG_FORMAT="JSON")
    assert (taken().log_level, taken().log_format) == ("INFO", "json")


def test_a_misspelt_setting_is_refused() -> None:
    """The bot would make its database elsewhere, without a word."""
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nDATABSE_PATH=night.sqlite3\nPS1=x\n")
    wanted = "DATABSE_PATH: unknown setting; did you mean DATABASE_PATH?"
    assert outcome() == wanted


def test_a_misspelt_setting_of_the_environment_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The environment is not for the bot alone: such a name may be another program's."""
    given_token(monkeypatch, BACKUP_PATHS="copies")
    assert taken().backup_path is None
    assert "BACKUP_PATHS: unknown setting; did you mean BACKUP_PATH?" in caplog.text


async def test_a_time_zone_that_is_gone_breaks_nothing(world: World) -> None:
    """What this machine does not know (any more) is UTC."""
    guild, anna = world.channel.guild, world.server.user("anna")
    assert guild is not None
    world.change("INSERT INTO settings (guild, time_zone) VALUES (?, 'Mars/Olympus')", guild.id)
    await world.server.slash(anna, world.channel, "leaderboard").wait()
    await asyncio.sleep(5)
    seen = [message.text for message in world.server.view(anna, world.channel)]
    given(seen, "the command is answered")
    assert "went wrong" not in seen[-1]


@pytest.mark.parametrize("folder", [0o755, 0o700])
def test_a_file_of_somebody_else_says_how_it_can_be_read(
    folder: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "service"
    home.mkdir()
    (home / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    monkeypatch.setenv("LIGRETTO_HOME", str(home))
    (home / ".env").chmod(0)
    home.chmod(folder)
    for above in home.parents:
        if above.owner() == home.owner() and above.stat().st_mode & 0o077 == 0:
            above.chmod(0o711)
    is_root = os.geteuid() == 0
    with acting_as(Owner(65_534, 65_534)) if is_root else nullcontext():
        said = outcome()
    assert f"{home / '.env'} cannot be read by this user; run the command" in str(said)
    assert "sudo" in str(said)
