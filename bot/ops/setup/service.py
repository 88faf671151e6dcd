"""The bot as a service of a Linux system: its user, folder, settings and systemd unit.

Each step looks first, so that all of them can be repeated. docs/hosting.md names the same files.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.ops.check.service_folders import lines
from bot.ownership import Owner, give
from bot.settings.home import CLONE, DATABASE, NAME, SERVICE, UNIT, roots_command

USER = "ligretto"
TEMPLATE = Path(__file__).with_name("ligretto.service")
"""The unit. It starts a clone in /opt/ligretto."""
IN_TEMPLATE = "/opt/ligretto/.venv/bin/python"
PATHS = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Folders of system commands, which `su` leaves out of PATH."""
BEFORE_FOLDERS = "UMask="
"""The line of the unit before which folders of the owner's choice stand."""
STARTS = ("start", "restart")
PRIVATE = 0o700
HIDDEN = (Path("/home"), Path("/root"), Path("/run/user"), Path("/tmp"), Path("/var/tmp"))  # noqa: S108
"""Folders that the unit hides from the bot."""


class ServiceError(Exception):
    """The service cannot be set up. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Service:
    """The service on the system whose files are in a folder: `/`, or that of an image."""

    root: Path

    @property
    def is_running_system(self) -> bool:
        return self.root == Path("/")

    @property
    def settings(self) -> Path:
        return self._at(SERVICE.settings)

    @property
    def values(self) -> dict[str, str]:
        """The paths that belong into its settings."""
        return {
            "DATABASE_PATH": str(SERVICE.data / DATABASE),
            "BACKUP_PATH": str(SERVICE.data / "backups"),
        }

    def refuse(self) -> None:
        """Raise ServiceError for a system or an installation that cannot have the service."""
        if _found("systemctl") is None or _found("useradd") is None:
            raise ServiceError("--system needs Linux with systemd and useradd")
        if self.is_running_system and os.geteuid() != 0:
            raise ServiceError(
                f"--system changes the system: run `{roots_command()} setup --system`"
            )
        places = (Path(sys.executable), Path(os.path.realpath(sys.executable)), CLONE)
        if self.is_running_system and (why := unreachable(places)) is not None:
            raise ServiceError(why)

    def prepare(self, folders: Sequence[Path] = ()) -> Iterator[str]:
        """Make the user, the folder and the unit, which lets the bot write in `folders` too.

        Yield a line for each thing done.
        """
        if self._user() is None:
            prefix = () if self.is_running_system else ("--prefix", str(self.root))
            home = ("--home-dir", str(SERVICE.data), "--no-create-home")
            shell = ("--shell", "/usr/sbin/nologin")
            ran("useradd", *prefix, "--system", "--user-group", *home, *shell, USER)
            yield f"made the user {USER}"
        if (user := self._user()) is None:
            raise ServiceError(f"useradd made no user {USER}")
        yield from _folder(self._at(SERVICE.data), user)
        yield from _unit(self._at(UNIT), unit(folders))

    def start(self, *, is_changed: bool) -> Iterator[str]:
        """Enable the service and start it, or restart it after a change. Yield what was done."""
        for words in orders(self.root, is_changed=is_changed):
            said = " ".join(words)
            try:
                ran(*words)
            except ServiceError:
                if words[1] in STARTS and (line := _last_line()):
                    raise ServiceError(f"`{said}` failed. The bot's last line: {line}") from None
                raise
            yield said

    def _at(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    def _user(self) -> Owner | None:
        """Return the service's user; None before it is made."""
        if self.is_running_system:
            import pwd  # noqa: PLC0415 only on POSIX

            try:
                found = pwd.getpwnam(USER)
            except KeyError:
                return None
            return Owner(found.pw_uid, found.pw_gid)
        users = self._at(Path("/etc/passwd"))
        lines = users.read_text("utf-8").splitlines() if users.exists() else []
        fields = next((line.split(":") for line in lines if line.startswith(f"{USER}:")), None)
        return Owner(int(fields[2]), int(fields[3])) if fields is not None else None


def orders(root: Path, *, is_changed: bool) -> tuple[tuple[str, ...], ...]:
    """Return the commands that enable the service, and start it if the system is running."""
    if root != Path("/"):
        return (("systemctl", f"--root={root}", "enable", UNIT.name),)
    return (
        ("systemctl", "daemon-reload"),
        ("systemctl", "enable", UNIT.name),
        ("systemctl", "restart" if is_changed else "start", UNIT.name),
    )


def unreachable(places: Sequence[Path]) -> str | None:
    """Return why the service could not read this installation; None if it can."""
    for place in places:
        if any(place.is_relative_to(one) for one in HIDDEN):
            return (
                f"{place} is hidden from services: install the bot elsewhere, such as in "
                f"/opt/ligretto or with `pipx install --global {NAME}`"
            )
    return None


def unit(folders: Iterable[Path] = ()) -> str:
    """Return the unit that starts the bot with this interpreter. It may write in these folders."""
    text = TEMPLATE.read_text("utf-8").replace(IN_TEMPLATE, sys.executable)
    return text.replace(BEFORE_FOLDERS, lines(folders) + BEFORE_FOLDERS)


def _last_line() -> str:
    """Return the last line that the bot itself has logged, if the journal has one."""
    path = _found("journalctl")
    words = ("-n", "1", "-o", "cat", f"_SYSTEMD_UNIT={UNIT.name}")
    if path is None:
        return ""
    done = subprocess.run([path, *words], capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip()


def ran(*words: str) -> None:
    """Run a command of the system. Raises ServiceError with what it says when it fails."""
    path = _found(words[0])
    if path is None:
        raise ServiceError(f"{words[0]} is not installed")
    done = subprocess.run([path, *words[1:]], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise ServiceError(f"`{' '.join(words)}` failed ({done.returncode}): {said}")


def _found(command: str) -> str | None:
    return shutil.which(command, path=os.pathsep.join((os.environ.get("PATH", ""), *PATHS)))


def _folder(folder: Path, user: Owner) -> Iterator[str]:
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    there = folder.stat()
    if is_new or (there.st_uid, there.st_gid) != (user.uid, user.gid):
        give(folder, user)
        yield f"made {folder}, for {USER}" if is_new else f"gave {folder} to {USER}"
    if there.st_mode & 0o777 != PRIVATE:
        folder.chmod(PRIVATE)


def _unit(file: Path, text: str) -> Iterator[str]:
    if file.exists() and file.read_text("utf-8") == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_text(text, "utf-8")
    part.chmod(0o644)
    part.replace(file)
    yield f"wrote {file}"
