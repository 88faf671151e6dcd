"""The folders in which the system's service may write, beside its own."""

import re
from collections.abc import Iterable
from pathlib import Path

from bot.ops.check.finding import Finding, fix
from bot.settings import home
from bot.store.database.path_faults import is_of_system

STRICT = "ProtectSystem=strict"
_LINE = re.compile(r'^ReadWritePaths="?-?([^"\n]+)"?$', re.MULTILINE)


def elsewhere(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return those folders that are neither in the service's data nor the system's own."""
    own = home.SERVICE.data
    return tuple(
        sorted({one for one in folders if not one.is_relative_to(own) and not is_of_system(one)})
    )


def lines(folders: Iterable[Path]) -> str:
    """Return the lines of a unit that lets the bot write in these folders, as far as they exist."""
    return "".join(f'ReadWritePaths="-{one}"\n'.replace("%", "%%") for one in elsewhere(folders))


def closed(folders: Iterable[Path]) -> tuple[Finding, ...]:
    """Find, in the service's shell, the folders in which its unit forbids the bot to write."""
    if home.home() != home.SERVICE:
        return ()
    files = (home.UNIT, *home.UNIT.with_name(f"{home.UNIT.name}.d").glob("*.conf"))
    texts = [file.read_text("utf-8") for file in files]
    if not any(STRICT in text for text in texts):
        return ()
    opened = [Path(one.replace("%%", "%")) for text in texts for one in _LINE.findall(text)]
    return tuple(
        fix(
            "service",
            f"the unit doesn't let the bot write in {one}: "
            f"run `{home.roots_command()} setup --system`",
        )
        for one in elsewhere(folders)
        if not any(one.is_relative_to(other) for other in opened)
    )
