"""`setup --system`: user, folder, settings and unit in a folder that stands for the machine."""

import os
import stat
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.fakediscord import Server
from bot.ops.setup import service
from bot.settings import home
from bot.settings.settings_file import written
from tests.forks import ROOT
from tests.ops.test_process import Ended, files
from tests.ops.test_setup import GOOD, typed

USER = 65_534 if os.geteuid() == 0 else os.getuid()
"""The service's user. Without root's rights files can be given to oneself only."""
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >> {root}/ran
case "$0 $*" in
  */useradd*--prefix*{root}*ligretto) echo "ligretto:x:{user}:{user}::/:/bin/false" >> {root}/etc/passwd ;;
esac
"""  # noqa: E501 a shell's line


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as server:
        server.settings.token = GOOD
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine without the service, and the system's commands that note how they are called."""
    root = tmp_path / "machine"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (tmp_path / "bin").mkdir()
    for name in ("systemctl", "useradd"):
        stub = tmp_path / "bin" / name
        stub.write_text(STUB.format(root=root, user=USER))
        stub.chmod(0o755)
    return root


async def set_up(server: Server, root: Path, stdin: str = GOOD, **env: str) -> Ended:
    path = f"{root.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    words = ("--system", "--root", str(root))
    return await typed(server, root.parent, *words, stdin=stdin, **{"PATH": path, **env})


def ran(root: Path) -> list[str]:
    return (root / "ran").read_text().splitlines()


async def test_a_machine_has_all_that_the_service_needs(server: Server, root: Path) -> None:
    ended = await set_up(server, root)
    assert (ended.code, ended.problem) == (0, "")
    data, settings = root / "var/lib/ligretto", root / "etc/ligretto.env"
    unit = root / "etc/systemd/system/ligretto.service"
    assert ended.said.splitlines()[2:] == [
        "made the user ligretto",
        f"made {data}, for ligretto",
        f"wrote {unit}",
        f"settings: wrote DISCORD_TOKEN, DATABASE_PATH, BACKUP_PATH to {settings}",
        f"ran systemctl --root={root} enable ligretto.service",
        f"The service starts with the system in {root}.",
    ]
    assert (data.stat().st_uid, stat.S_IMODE(data.stat().st_mode)) == (USER, 0o700)
    assert (settings.stat().st_uid, stat.S_IMODE(settings.stat().st_mode)) == (os.getuid(), 0o600)
    assert written(settings) == {
        "DISCORD_TOKEN": GOOD,
        "DATABASE_PATH": "/var/lib/ligretto/ligretto.sqlite3",
        "BACKUP_PATH": "/var/lib/ligretto/backups",
    }
    assert f"\nExecStart={sys.executable} -m bot\n" in unit.read_text()
    assert stat.S_IMODE(unit.stat().st_mode) == 0o644
    useradd, enable = ran(root)
    assert useradd.startswith(f"useradd --prefix {root} --system --user-group ")
    assert enable == f"systemctl --root={root} enable ligretto.service"


async def test_typed_again_it_makes_nothing_twice(server: Server, root: Path) -> None:
    """But mends what is wrong by then. Paths that an owner has chosen stay."""
    _ = await set_up(server, root)
    data, settings = root / "var/lib/ligretto", root / "etc/ligretto.env"
    unit = root / "etc/systemd/system/ligretto.service"
    again = await set_up(server, root, stdin="")
    assert again.said.splitlines()[1:-2] == [f"settings: {settings} has all it needs"]
    assert [line.split()[0] for line in ran(root)] == ["useradd", "systemctl", "systemctl"]
    settings.write_text(f"# ours\nDISCORD_TOKEN={GOOD}\nBACKUP_PATH=/mnt/b\nDATABASE_PATH=l.db\n")
    unit.write_text("[Unit]\n")
    data.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(data, 0, 0)
    mended = await set_up(server, root, stdin="")
    assert f"wrote {unit}" in mended.said
    assert f"settings: wrote DATABASE_PATH to {settings}" in mended.said
    assert settings.read_text() == (
        f"# ours\nDISCORD_TOKEN={GOOD}\nBACKUP_PATH=/mnt/b\n"
        "DATABASE_PATH=/var/lib/ligretto/ligretto.sqlite3\n"
    )
    assert (data.stat().st_uid, stat.S_IMODE(data.stat().st_mode)) == (USER, 0o700)


async def test_without_a_token_nothing_is_made(server: Server, root: Path) -> None:
    ended = await set_up(server, root, stdin="a.wrong.token\n")
    assert ended.code == 2
    assert [one.name for one in files(root)] == ["etc"]


async def test_a_command_that_fails_is_told_in_a_line(server: Server, root: Path) -> None:
    (root.parent / "bin" / "useradd").write_text("#!/bin/sh\necho no room >&2\nexit 10\n")
    ended = await set_up(server, root)
    assert ended.code == 2
    (line,) = ended.problem.splitlines()
    assert line.startswith("`useradd ")
    assert line.endswith("` failed (10): no room")


async def test_a_machine_without_systemd_is_told_so(server: Server, root: Path) -> None:
    (root.parent / "bin" / "systemctl").unlink()
    ended = await set_up(server, root, PATH=str(root.parent / "bin"))
    assert ended.code == 2
    assert ended.problem == "--system needs Linux with systemd and useradd\n"


def test_a_running_system_starts_the_service_at_once() -> None:
    """And restarts it after a change, which a running service has not read."""
    (reload, enable, start), (*_, restart) = (
        service.orders(Path("/"), is_changed=changed) for changed in (False, True)
    )
    assert reload == ("systemctl", "daemon-reload")
    assert enable == ("systemctl", "enable", "ligretto.service")
    assert (start[1], restart[1]) == ("start", "restart")


@pytest.mark.parametrize(
    ("place", "is_hidden"),
    [
        ("/root/.local/share/pipx/venvs/ligretto-bot/bin/python", True),
        ("/home/anna/ligretto/.venv/bin/python", True),
        ("/opt/pipx/venvs/ligretto-bot/bin/python", False),
        ("/homes/ligretto/.venv/bin/python", False),
    ],
)
def test_an_installation_that_the_unit_hides_is_refused(*, place: str, is_hidden: bool) -> None:
    assert (service.unreachable((Path("/usr/bin/python3"), Path(place))) is not None) is is_hidden


def test_the_clones_unit_is_that_of_the_wheel() -> None:
    assert service.TEMPLATE.read_text() == (ROOT / "deploy" / "ligretto.service").read_text()
    assert service.IN_TEMPLATE in service.TEMPLATE.read_text()


@pytest.fixture
def roots_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The unit of a machine whose root is typing. Return the unit's file."""
    unit = tmp_path / "ligretto.service"
    monkeypatch.delenv("LIGRETTO_HOME", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(home, "UNIT", unit)
    return unit


def test_roots_shell_uses_the_services_settings(
    roots_shell: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that `sudo ligretto-bot check` needs nothing else. For others it is as before."""
    assert home.home() != home.SERVICE
    roots_shell.write_text(service.unit())
    assert home.home() == home.SERVICE
    monkeypatch.setenv("LIGRETTO_HOME", "/srv/other")
    assert home.home() != home.SERVICE, "it was chosen"
    monkeypatch.delenv("LIGRETTO_HOME")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert home.home() != home.SERVICE


def test_another_installation_of_roots_has_its_own_home(roots_shell: Path) -> None:
    """Its data must not be taken for the service's."""
    roots_shell.write_text(service.TEMPLATE.read_text())
    assert home.home() != home.SERVICE


def test_a_start_that_fails_is_told_with_the_bots_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd itself only names the commands that would show it."""
    stubs = {
        "systemctl": '[ "$1" != start ] || { echo "See journalctl" >&2; exit 1; }',
        "journalctl": '[ "$*" = "-n 1 -o cat _SYSTEMD_UNIT=ligretto.service" ] && echo "LOG: no"',
    }
    for name, does in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(service.ServiceError) as failed:
        _ = [*service.Service(Path("/")).start(is_changed=False)]
    assert str(failed.value) == (
        "`systemctl start ligretto.service` failed. The bot's last line: LOG: no"
    )
