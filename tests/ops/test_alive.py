"""systemd is told of the bot's life, and the unit that says so is a good one."""

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.cli.exits import BAD_SETTINGS, TRY_LATER
from bot.fakediscord import Server
from bot.ops.health.systemd import BEAT, SignsOfLife, notify
from bot.ops.login_backoff import START, Backoff
from bot.store.database.file import connect
from bot.store.database.lock import lock_of
from bot.tasks import OwnedTasks
from tests.loopback.bots import ROOT, bot_process
from tests.real import PATIENCE
from tests.tables.clock import HandClock

TOKEN = "a.b.c"  # noqa: S105 nobody's
UNIT = ROOT / "deploy" / "ligretto.service"
AFTER = "network-online.target time-sync.target valkey-server.service redis-server.service"


class Systemd:
    """The socket on which systemd listens."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(0)

    async def hears(self) -> str:
        loop = asyncio.get_running_loop()
        return (await asyncio.wait_for(loop.sock_recv(self.socket, 100), PATIENCE)).decode()


@pytest.fixture
async def systemd(tmp_path: Path) -> AsyncIterator[Systemd]:
    one = Systemd(str(tmp_path / "notify"))
    yield one
    one.socket.close()


async def test_the_bot_tells_when_it_is_ready_lives_and_stops(
    systemd: Systemd, tmp_path: Path
) -> None:
    heard_at = str(tmp_path / "notify")
    async with (
        Server() as server,
        bot_process(
            server, tmp_path / "night.db", NOTIFY_SOCKET=heard_at, WATCHDOG_USEC="200000"
        ) as bot,
    ):
        heard = [await systemd.hears()]
        while heard[-1] != "READY=1":
            heard.append(await systemd.hears())
        assert await systemd.hears() == "WATCHDOG=1"
        assert set(heard) == {"READY=1", "WATCHDOG=1"}
        assert await bot.stop() == 0
        while heard[-1] != "STOPPING=1":
            heard.append(await systemd.hears())


async def test_the_heart_beats_as_long_as_the_loop_turns(played: Path) -> None:
    clock, lock = HandClock(), lock_of(played)
    tasks = OwnedTasks()
    tasks(SignsOfLife(played, clock, lambda: False).run(), name="heart")
    times = []
    for _ in range(3):
        async with asyncio.timeout(PATIENCE):
            while not clock._sleepers:  # noqa: ASYNC110 a thread touches the file
                await asyncio.sleep(0.001)
        times.append(_touched(lock))
        os.utime(lock, (0, 0))
        await clock.advance(BEAT)
    await tasks.stop()
    assert all(times)


def _touched(path: Path) -> float:
    return path.stat().st_mtime


async def test_an_abstract_socket_is_heard_too(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"ligretto-{os.getpid()}"
    systemd = Systemd(f"\0{name}")
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    notify("READY=1")
    assert await systemd.hears() == "READY=1"
    systemd.socket.close()


def test_nobody_has_to_listen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("READY=1")
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify("READY=1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
@pytest.mark.parametrize("name", ["ligretto.service", "ligretto@.service"])
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path, name: str) -> None:
    """With a program that is there in the place of the one of an installation."""
    text = (UNIT.parent / name).read_text()
    text = text.replace("/opt/ligretto/.venv/bin/python", shutil.which("true") or "")
    unit = tmp_path / name
    unit.write_text(text)
    done = subprocess.run(  # noqa: S603 our own file
        ["systemd-analyze", "verify", "--man=no", str(unit)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_unit_of_a_group_differs_only_where_it_must() -> None:
    """Both are confined and restarted in the same way; each group has its own settings and data."""
    one, group = (
        [line for line in (UNIT.parent / name).read_text().splitlines() if line[:1] != "#"]
        for name in ("ligretto.service", "ligretto@.service")
    )
    assert [line.partition("=")[::2] for line in group if line not in one] == [
        ("Description", "Ligretto bot for Discord, group %i"),
        ("After", AFTER),
        ("WorkingDirectory", "/var/lib/ligretto/%i"),
        ("EnvironmentFile", "/etc/ligretto/common.env"),
        ("EnvironmentFile", "/etc/ligretto/%i.env"),
        ("Environment", "DATABASE_PATH=/var/lib/ligretto/%i/ligretto.sqlite3"),
        ("Environment", "BACKUP_PATH=/var/lib/ligretto/%i/backups"),
        ("StateDirectory", "ligretto/%i"),
    ]
    assert len([line for line in one if line not in group]) == 7


def test_the_unit_starts_the_bot_less_than_a_thousand_times_a_day() -> None:
    """What Discord allows (PLATFORM 2); a broken setting is not tried again at all."""
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line)
    assert 24 * 60 * 60 / int(lines["RestartSec"]) < 1000
    assert lines["StartLimitIntervalSec"] == "0"
    assert lines["RestartPreventExitStatus"] == str(BAD_SETTINGS)
    assert lines["Restart"] == "on-failure", f"{TRY_LATER} is one"
    assert lines["TimeoutStartSec"] == f"{START // 60}min"


async def test_systemd_gives_a_start_that_waits_more_time(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    clock = HandClock()
    db = await connect(tmp_path / "night.db")
    for _ in range(5):
        await Backoff(db, TOKEN, clock).refused(0.0)
    waiting = asyncio.get_running_loop().create_task(Backoff(db, TOKEN, clock).wait())
    assert await systemd.hears() == f"EXTEND_TIMEOUT_USEC={(240 + START) * 1_000_000}"
    await clock.advance(240.0)
    await waiting
    await db.close()
