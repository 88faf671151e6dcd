"""The home of this installation: its settings file, and the folder of its data.

The working folder decides neither. `LIGRETTO_HOME` is a folder for both. Without it, root's shell
uses those of the system's service, if that runs this installation. Otherwise a clone keeps both in
its own folder, and an installed wheel in the folders that the system has for a user.
"""

import os
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from platformdirs import PlatformDirs

NAME = "ligretto-bot"
VARIABLE = "LIGRETTO_HOME"
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
        """Return a path from the settings: a relative one starts beside the settings file."""
        return self.settings.parent / path


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
    """Return whether root runs the installation that the system's service runs."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    try:
        lines = UNIT.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return False
    started = (line.removeprefix("ExecStart=") for line in lines if line.startswith("ExecStart=/"))
    return any(Path(line.split()[0]).parent.parent == Path(sys.prefix) for line in started)


def _of(folder: Path) -> Home:
    return Home(folder / ".env", folder / "data")


def is_clone() -> bool:
    """Return whether the bot runs from a clone of its repository, not from a wheel."""
    return (CLONE / "pyproject.toml").is_file()


def program() -> str:
    """Return the command as its user typed it."""
    return NAME if Path(sys.argv[0]).stem == NAME else "python -m bot"


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
