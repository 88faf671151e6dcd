"""The service and root's shell read the same settings, whatever else root has tried before."""

import os
from pathlib import Path

import pytest

from bot.ops.check.finding import Mark
from bot.ops.check.service_folders import closed
from bot.ops.setup import service
from bot.settings import config, home
from bot.settings.config import Config, read
from bot.settings.settings_file import ConfigError

NOBODY = 65_534
TOKEN = "MTIz.fake.token"  # noqa: S105 nobody's


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> home.Home:
    """A machine whose service runs this clone as nobody, and whose root has a `.env` in it too."""
    for name in ("LIGRETTO_HOME", "DISCORD_TOKEN", "DATABASE_PATH", "BACKUP_PATH", "LOG_FILE"):
        monkeypatch.delenv(name, raising=False)
    of_service = home.Home(tmp_path / "etc" / "ligretto.env", tmp_path / "lib")
    of_service.settings.parent.mkdir()
    of_service.data.mkdir()
    of_service.settings.write_text(f"DISCORD_TOKEN={TOKEN}\n")
    unit = tmp_path / "ligretto.service"
    unit.write_text(service.unit().replace("User=ligretto", "User=nobody"))
    monkeypatch.setattr(home, "UNIT", unit)
    monkeypatch.setattr(home, "SERVICE", of_service)
    monkeypatch.setattr(config, "SERVICE", of_service)
    monkeypatch.setattr(home, "CLONE", tmp_path / "clone")
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".env").write_text("DISCORD_TOKEN=an older one\n")
    monkeypatch.chdir(of_service.data)
    return of_service


def act_as(monkeypatch: pytest.MonkeyPatch, user: int, *, reads: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "access", lambda *_, **__: reads)


def test_the_service_reads_no_settings_but_its_own(
    machine: home.Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`setup` typed by root before `setup --system` left a file that only root can read."""
    act_as(monkeypatch, NOBODY, reads=False)
    monkeypatch.setattr(Path, "read_bytes", lambda file: pytest.fail(f"{file} is root's"))
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)  # systemd has read the file
    assert read(Config).discord_token.get_secret_value() == TOKEN
    monkeypatch.delenv("DISCORD_TOKEN")
    with pytest.raises(ConfigError, match=f"nor in {machine.settings}; run `.* setup --system`"):
        _ = read(Config)


@pytest.mark.parametrize(("user", "reads"), [(NOBODY, False), (0, True)])
def test_a_relative_path_of_the_service_is_in_its_data(
    machine: home.Home, monkeypatch: pytest.MonkeyPatch, user: int, *, reads: bool
) -> None:
    """As `.env.example` has it. Beside /etc/ligretto.env, only root may write."""
    act_as(monkeypatch, user, reads=reads)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("LOG_FILE", "data/ligretto.log")
    assert read(Config).log_file == machine.data / "data" / "ligretto.log"


def test_a_comment_behind_a_value_is_not_taken_otherwise_than_by_systemd(
    machine: home.Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    act_as(monkeypatch, 0, reads=True)
    token = machine.settings.read_text()
    machine.settings.write_text(f"{token}# mine\nTELL_OWNER=on # me\nBACKUP_COMMAND='cp {{}} #1'\n")
    with pytest.raises(ConfigError) as refused:
        _ = read(Config)
    assert str(refused.value) == (
        "TELL_OWNER: systemd takes the comment behind it for part of the value; put the comment "
        f"on a line of its own in {machine.settings}"
    )


def test_the_unit_lets_the_bot_write_where_its_owner_wants_backups(
    machine: home.Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another disk, as `.env.example` advises. Each backup failed, and check saw nothing."""
    act_as(monkeypatch, 0, reads=True)
    folders = (machine.data / "backups", Path("/disk/my 100%"), Path("/var/log"))
    (found,) = closed(folders)
    assert found.mark is Mark.FIX
    assert found.said.startswith("the unit doesn't let the bot write in /disk/my 100%: run `sudo ")
    home.UNIT.write_text(service.unit(folders))
    assert 'ReadWritePaths="-/disk/my 100%%"\n' in home.UNIT.read_text()
    assert closed(folders) == ()
    home.UNIT.write_text(service.unit().replace("ProtectSystem=strict", "ProtectSystem=full"))
    assert closed(folders) == (), "an owner's own unit"
    monkeypatch.setattr(home, "home", lambda: home.Home(Path("/a"), Path("/b")))
    home.UNIT.unlink()
    assert closed(folders) == (), "this is no service"
