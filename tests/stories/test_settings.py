"""Settings as people write them: each should be taken, or be refused in a line that names it."""

import asyncio
from pathlib import Path

import pytest

from bot.config import Config, ConfigError, read
from tests.stories.world import World, given

TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's
SETTINGS = ("DISCORD_TOKEN", "DATABASE_PATH", "BACKUP_PATH", "LOG_LEVEL", "LOG_FILE")


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory without `.env` and an environment without our settings."""
    monkeypatch.chdir(tmp_path)
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


def outcome() -> Config | str:
    """The settings, or the lines with which they are refused. Nothing else may come."""
    try:
        return read()
    except ConfigError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(f"a traceback instead of a line: {error!r}") from error


def given_token(monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    for name, value in {"DISCORD_TOKEN": TOKEN, **more}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a settings file in another encoding ends the start in a traceback",
)
@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_settings_file_in_another_encoding_is_no_traceback(encoding: str) -> None:
    """Today what PowerShell writes, or one letter of an old editor, is a UnicodeDecodeError. The
    file should be read, or the line should say how to save it.
    """
    Path(".env").write_bytes(f"# für uns\nDISCORD_TOKEN={TOKEN}\n".encode(encoding))
    assert outcome()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="an empty DATABASE_PATH ends the start in a traceback",
)
def test_an_empty_path_is_the_default_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today it is the working directory itself, and the start ends in a ValueError about it."""
    given_token(monkeypatch, DATABASE_PATH="")
    config = outcome()
    assert isinstance(config, str) or config.database_path.name


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a path that begins with ~ makes a folder of that name",
)
def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today `~/night.sqlite3` is a folder called `~` in the working directory."""
    given_token(monkeypatch, DATABASE_PATH="~/night.sqlite3")
    config = outcome()
    given(isinstance(config, Config), "the path is taken")
    assert isinstance(config, Config)
    assert config.database_path == Path.home() / "night.sqlite3"


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a token that is copied with quotes or with `Bot` before it is sent as it is",
)
@pytest.mark.parametrize("written", [f'"{TOKEN}"', f"'{TOKEN}'", f"Bot {TOKEN}"])
def test_a_token_is_taken_as_people_copy_it(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Today `docker --env-file` keeps the quotes, and Discord refuses the token: what is wrong
    with it nobody says. It should be the token alone.
    """
    given_token(monkeypatch, DISCORD_TOKEN=written)
    config = outcome()
    assert isinstance(config, str) or config.discord_token.get_secret_value() == TOKEN


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a token that was cut when it was copied is sent as it is",
)
def test_a_token_that_was_cut_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today the "…" of a browser is taken for a part of it. A token has no such letters."""
    given_token(monkeypatch, DISCORD_TOKEN=f"{TOKEN}…")
    assert isinstance(outcome(), str)


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a log level in small letters is refused",
)
def test_a_log_level_in_small_letters_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today `info` ends the start. It can only mean INFO."""
    given_token(monkeypatch, LOG_LEVEL="info")
    config = outcome()
    assert isinstance(config, Config)
    assert config.log_level == "INFO"


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a setting that is misspelt does nothing, without a word",
)
def test_a_misspelt_setting_is_named(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Today `DATABSE_PATH` is ignored, and the bot makes its database elsewhere."""
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nDATABSE_PATH=night.sqlite3\n")
    told = str(outcome()) + caplog.text + capsys.readouterr().err
    assert "DATABSE_PATH" in told.upper()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a stored time zone that this machine doesn't know breaks the leaderboards",
)
async def test_a_time_zone_that_is_gone_breaks_nothing(world: World) -> None:
    """Today every `/leaderboard` of such a server ends in an apology. It should come in UTC."""
    guild, anna = world.channel.guild, world.server.user("anna")
    assert guild is not None
    world.change("INSERT INTO settings (guild, time_zone) VALUES (?, 'Mars/Olympus')", guild.id)
    await world.server.slash(anna, world.channel, "leaderboard").wait()
    await asyncio.sleep(5)
    seen = [message.text for message in world.server.view(anna, world.channel)]
    given(seen, "the command is answered")
    assert "went wrong" not in seen[-1]
