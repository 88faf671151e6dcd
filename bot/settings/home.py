"""The home of this installation: its settings file, and the folder of its data.

The working folder decides neither. `LIGRETTO_HOME` is a folder for both. Without it, the system's
service and root's shell use those of the service, if that runs this installation. Otherwise a clone
keeps both in its own folder, and an installed wheel in the folders that the system has for a user.
"""

import os
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from shlex import quote

from platformdirs import PlatformDirs

NAME = "ligretto-bot"
VARIABLE = "LIGRETTO_HOME"
PATH_OF_SUDO = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
DATABASE = "ligretto.sqlite3"
CLONE = Path(__file__).parents[2]


UNIT = Path("/etc/systemd/system/ligretto.service")
"""The system's service, as `setup --system` and docs/hosting.md make it."""


@dataclass(frozen=True, slots=True)
class Home:
    """The settings file of an installation and the folder of its data. Neither has to exist."""

    settings: Path
    data: Path

    @property
    def database(self) -> Path:
        return self.data / DATABASE

    def absolute(self, path: Path) -> Path:
        """Return a path from the settings.

        A relative one starts beside the settings file, or, for the system's service, in its data:
        it may write nowhere else.
        """
        return (self.data if self == SERVICE else self.settings.parent) / path


SERVICE = Home(Path("/etc/ligretto.env"), Path("/var/lib/ligretto"))
"""The home of the system's service."""


def home() -> Home:
    """Return the home that the environment and the kind of installation decide."""
    if chosen := os.environ.get(VARIABLE, "").strip():
        return _of(Path(chosen).expanduser().absolute())
    if _is_service():
        return SERVICE
    if is_clone():
        return _of(CLONE)
    places = PlatformDirs(NAME, appauthor=False)
    return Home(places.user_config_path / "settings.env", places.user_data_path)


def _is_service() -> bool:
    """Return whether the service, or root, runs the installation that the service runs."""
    if not hasattr(os, "geteuid"):
        return False
    try:
        lines = UNIT.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return False
    if os.geteuid() != 0 and not _is_user_of(lines):
        return False
    started = (line.removeprefix("ExecStart=") for line in lines if line.startswith("ExecStart=/"))
    return any(Path(line.split()[0]).parent.parent == Path(sys.prefix) for line in started)


def _is_user_of(unit: list[str]) -> bool:
    """Return whether this process has the user that a unit names."""
    import pwd  # noqa: PLC0415 only on POSIX

    try:
        return f"User={pwd.getpwuid(os.geteuid()).pw_name}" in unit
    except KeyError:
        return False


def _of(folder: Path) -> Home:
    return Home(folder / ".env", folder / "data")


def is_clone() -> bool:
    """Return whether the bot runs from a clone of its repository, not from a wheel."""
    return (CLONE / "pyproject.toml").is_file()


def program() -> str:
    """Return the command's name, for its own help."""
    return NAME if Path(sys.argv[0]).stem == NAME else "python -m bot"


def command() -> str:
    """Return the command that starts this installation from the shell that started it.

    The service's owner needs sudo, and an interpreter that nobody put on PATH has its folder.
    """
    if home() == SERVICE:
        return roots_command()
    if Path(sys.argv[0]).stem == NAME:
        return _script(None)
    return f"{quote(sys.orig_argv[0])} -m bot"


def roots_command() -> str:
    """Return the command for sudo, which knows no virtual environment and no folder of a user."""
    if Path(sys.argv[0]).stem == NAME:
        return f"sudo {_script(PATH_OF_SUDO)}"
    return f"sudo {quote(sys.executable)} -m bot"


def _script(path: str | None) -> str:
    """Return the script that runs: by its name where a PATH leads to it, and else by its place."""
    script = Path(sys.argv[0])
    found = shutil.which(NAME, path=path)
    if not script.is_file() or (found is not None and script.samefile(found)):
        return NAME
    return quote(str(script.absolute()))


def address() -> str:
    """Return the project's address from its metadata, empty until its owner has filled it in."""
    try:
        urls = metadata(NAME).get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    found: dict[str, str] = dict(one.split(", ", 1) for one in urls)
    return found.get("Repository", "")


def left_behind(folder: Path, used: Home) -> Path | None:
    """Return a database in the working folder that earlier versions used, and this one would not.

    Only where nothing says which database to use and the home has none yet: a bot that opened an
    empty one there would seem to have lost its server's years.
    """
    old = folder / "data" / DATABASE
    if os.environ.get(VARIABLE) or used.database.exists() or old == used.database:
        return None
    return old if old.is_file() else None
