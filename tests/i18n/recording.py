"""A plugin for pytest that notes which messages the bot says: `pytest -p tests.i18n.recording`.

Each process writes the keys it has seen to a file of its own in the folder `KEYS_SAID`.
"""

import os
from pathlib import Path

from bot import i18n
from bot.i18n import Forms

FOLDER = "KEYS_SAID"
said: set[str] = set()


class Heard(dict[str, Forms]):
    """A catalogue's words that notes each key it is asked for."""

    def get(self, key: str, default: Forms | None = None, /) -> Forms | None:  # type: ignore[override]
        found = super().get(key)
        if found is not None:
            said.add(key)
        return default if found is None else found


def pytest_configure() -> None:
    """Put the ears into all catalogues, before anything is said."""
    kept = i18n.catalogues()
    for name, catalogue in kept.items():
        kept[name] = catalogue._replace(words=Heard(catalogue.words))


def pytest_sessionfinish() -> None:
    if folder := os.environ.get(FOLDER):
        (Path(folder) / str(os.getpid())).write_text("\n".join(sorted(said)), "utf-8")
