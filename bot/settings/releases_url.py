"""The address that is asked for newer releases."""

import re
from typing import Annotated

from pydantic import AfterValidator

from bot.settings.home import address

OFF = ("off", "no", "none", "false", "0")
_GITHUB = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?", re.ASCII)
_URL = re.compile(r"https?://[^\s/]+(/\S*)?", re.IGNORECASE)


def releases_of(project: str) -> str:
    """Return where a project on GitHub tells its newest release; empty for another address."""
    found = _GITHUB.fullmatch(project)
    if found is None:
        return ""
    return f"https://api.github.com/repos/{found[1]}/{found[2]}/releases/latest"


def default_url() -> str:
    """Return the address for this project; empty until its owner has filled in where it is."""
    return releases_of(address())


def _url(value: str) -> str:
    """Return an address, or nothing if nobody should be asked. Raises ValueError."""
    if not value or value.lower() in OFF:  # defaults are checked too
        return ""
    if _URL.fullmatch(value) is None:
        raise ValueError("name an address (https://...), or off")
    return value


ReleasesUrl = Annotated[str, AfterValidator(_url)]
