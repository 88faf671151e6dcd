"""Settings and data have one home. The working folder decides nothing."""

from pathlib import Path

import pytest

from bot.settings.config import DatabaseConfig, read
from bot.settings.home import CLONE, home, left_behind
from bot.settings.settings_file import ConfigError

NAMES = ("LIGRETTO_HOME", "DATABASE_PATH", "BACKUP_PATH")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that is not the home."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_clone_is_its_own_home() -> None:
    assert home().settings == CLONE / ".env"
    assert home().database == CLONE / "data" / "ligretto.sqlite3"


def test_a_chosen_home_holds_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ".env").write_text("BACKUP_PATH=copies\n")
    config = read(DatabaseConfig)
    assert config.database_path == tmp_path / "kept" / "data" / "ligretto.sqlite3"
    assert config.backups == tmp_path / "kept" / "copies", "relative to the settings file"


def test_settings_of_the_working_folder_are_not_read(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path))
    (elsewhere / ".env").write_text("DATABASE_PATH=/strange\n")
    assert read(DatabaseConfig).database_path == tmp_path / "data" / "ligretto.sqlite3"


def test_a_relative_path_is_the_same_from_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path))
    monkeypatch.setenv("DATABASE_PATH", "here/l.sqlite3")
    before = read(DatabaseConfig).database_path
    monkeypatch.chdir("/")
    assert read(DatabaseConfig).database_path == before == tmp_path / "here" / "l.sqlite3"


def test_a_database_of_an_earlier_version_is_not_left_behind(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier versions kept it in the working folder. To begin an empty one would hide it."""
    old = elsewhere / "data" / "ligretto.sqlite3"
    old.parent.mkdir()
    old.touch()
    monkeypatch.setattr("bot.settings.home.CLONE", tmp_path / "clone")
    monkeypatch.setattr("bot.settings.home.is_clone", lambda: True)
    with pytest.raises(ConfigError, match=f"LIGRETTO_HOME={elsewhere}"):
        _ = read(DatabaseConfig)
    monkeypatch.setenv("LIGRETTO_HOME", str(elsewhere))
    assert read(DatabaseConfig).database_path == old
    monkeypatch.delenv("LIGRETTO_HOME")
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "chosen"))
    assert read(DatabaseConfig).database_path == tmp_path / "chosen", "it was chosen"
    assert left_behind(tmp_path, home()) is None, "nothing there"
