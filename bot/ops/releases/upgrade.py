"""The command that upgrades this very installation."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

from bot.settings import home
from bot.settings.home import NAME

CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman put into a container."""
COPIED = "it copies its database before an upgrade changes it"


def command() -> str:
    """Return the command for a shell: of a clone, an image, pipx, uv, or a virtual environment.

    `sudo` stands before it where this user may not write.
    """
    place = Path(sys.prefix)
    if home.is_clone() and (home.CLONE / ".git").exists():
        return _for_clone(home.CLONE)
    if home.is_clone() and any(one.exists() for one in CONTAINER):
        return "git pull && docker build -t ligretto ."
    if (place / "pipx_metadata.json").exists():
        everybody = "--global " if _is_below(place, Path("/opt/pipx")) else ""
        return f"{_sudo(place)}pipx upgrade {everybody}{quote(place.name)}"
    if (place / "uv-receipt.toml").exists():
        return f"{_sudo(place)}uv tool upgrade {NAME}"
    return f"{_sudo(place)}{_pip()} -U {NAME}"


def installation() -> str:
    """Return the command that installs what this version needs, after a new one was pulled."""
    return _install(home.CLONE) if home.is_clone() else command()


def with_extra(extra: str, package: str) -> str:
    """Return the command that adds the package of an extra to this installation."""
    place = Path(sys.prefix)
    if home.is_clone():
        return _install(home.CLONE, f"[{extra}]")
    if (place / "pipx_metadata.json").exists():
        everybody = "--global " if _is_below(place, Path("/opt/pipx")) else ""
        return f"{_sudo(place)}pipx inject {everybody}{quote(place.name)} {package}"
    if (place / "uv-receipt.toml").exists():
        return f"{_sudo(place)}uv tool install {quote(f'{NAME}[{extra}]')}"
    return f"{_sudo(place)}{_pip()} {quote(f'{NAME}[{extra}]')}"


def advice(release: str, own: str) -> str:
    """Return a sentence on a newer release, for the log and `check`."""
    return f"{release} is out, this is {own}: `{command()}`, then restart the bot; {COPIED}"


def _for_clone(clone: Path) -> str:
    return f"{_sudo(clone)}git -C {quote(str(clone))} pull && {_install(clone)}"


def _install(clone: Path, extra: str = "") -> str:
    pinned = quote(str(clone / "constraints.txt"))
    return f"{_sudo(Path(sys.prefix))}{_pip()} -c {pinned} -e {quote(f'{clone}{extra}')}"


def _pip() -> str:
    python = quote(sys.executable)
    if find_spec("pip") is None:  # uv makes environments without it
        return f"uv pip install --python {python}"
    return f"{python} -m pip install"


def _sudo(place: Path) -> str:
    return "" if os.name != "posix" or os.access(place, os.W_OK) else "sudo "


def _is_below(place: Path, folder: Path) -> bool:
    return folder in place.parents
