"""Settings come from the environment and `.env`; what will not do is named, never shown."""

from pathlib import Path

import pytest

from bot.settings.config import Config, read
from bot.settings.home import Home, command
from bot.settings.settings_file import ConfigError

TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's
SETTINGS = ("DISCORD_TOKEN", "DATABASE_PATH", "LOG_LEVEL")


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory without `.env` and an environment without our settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path))
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def refusal() -> list[str]:
    with pytest.raises(ConfigError) as refused:
        read(Config)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__, "a traceback would show the value"
    return str(refused.value).splitlines()


def test_a_token_is_all_that_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    config = read(Config)
    assert config.discord_token.get_secret_value() == TOKEN
    assert config.database_path == tmp_path / "data" / "ligretto.sqlite3"
    assert config.log_level == "INFO"


def test_the_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert TOKEN not in repr(read(Config))
    assert TOKEN not in str(read(Config).model_dump())


def test_without_a_token_one_line_says_so(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    said = f"set neither in the environment nor in {file}; run `{command()} setup`"
    assert refusal() == [f"DISCORD_TOKEN: {said}"]


@pytest.mark.parametrize("token", ["secret", "secret.two", "secret..three", "a.secret.b.c"])
def test_a_malformed_token_is_named_but_not_shown(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    (line,) = refusal()
    assert line.startswith("DISCORD_TOKEN: ")
    assert "three parts" in line
    assert "secret" not in line


def test_each_bad_setting_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("LOG_LEVEL", "loud")
    assert [line.partition(":")[0] for line in refusal()] == ["DISCORD_TOKEN", "LOG_LEVEL"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("LOG_LEVEL", "DEBGU", "must be DEBUG, INFO, WARNING or ERROR; did you mean DEBUG?"),
        ("LOG_LEVEL", "warn", "must be DEBUG, INFO, WARNING or ERROR; did you mean WARNING?"),
        ("LOG_LEVEL", "loud", "must be DEBUG, INFO, WARNING or ERROR"),
        ("LOG_FORMAT", "jsno", "must be text or json; did you mean json?"),
        ("HTTP_CLIENT", "aiohtpp", "must be lean or aiohttp; did you mean aiohttp?"),
    ],
)
def test_a_misspelt_value_is_told_with_the_nearest(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv(name, value)
    assert refusal() == [f"{name}: {said}"]


def test_the_services_settings_are_named_to_those_who_lack_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without sudo, the command has a home of its own."""
    service = Home(tmp_path / "ligretto.env", tmp_path)
    monkeypatch.setattr("bot.settings.config.SERVICE", service)
    service.settings.touch()
    (line,) = refusal()
    assert line.endswith(f" setup`, or use sudo for the service of {service.settings}")


def test_env_file_of_the_working_directory_is_read() -> None:
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=DEBUG\nSOMETHING_ELSE=1\n")
    config = read(Config)
    assert config.discord_token.get_secret_value() == TOKEN
    assert config.log_level == "DEBUG"


def test_the_environment_goes_before_the_env_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nDATABASE_PATH=file.sqlite3\n")
    monkeypatch.setenv("DATABASE_PATH", "elsewhere.sqlite3")
    assert read(Config).database_path == tmp_path / "elsewhere.sqlite3"
