"""Notes which messages the bot says while tests drive it, to find those that nobody is told.

`python -m tests.i18n.recording [TEST ...]` plays them and lists every key that was never put into
words. It is a plugin of pytest: each process writes what it has heard to a file of its own.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

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


def main(paths: list[str]) -> int:
    """Play these tests, or all that drive the bot, and list the messages that nobody was told."""
    root = Path(__file__).parents[2]
    flows = [path for path in (root / "tests" / "ui").glob("test_*.py") if drives(path)]
    played = paths or ["tests/stories", "tests/loopback", *map(str, flows)]
    with TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "pytest", "-p", __spec__.name, "-q", "-n", "2", *played)
        env = {**os.environ, FOLDER: folder}
        done = subprocess.run(command, cwd=root, env=env, check=False)  # noqa: S603 our own command
        heard = {key for one in Path(folder).iterdir() for key in one.read_text("utf-8").split()}
    unsaid = [key for key in i18n.catalogues()[i18n.FALLBACK].words if key not in heard]
    sys.stdout.write("".join(f"{key}\n" for key in unsaid))
    return done.returncode


def drives(path: Path) -> bool:
    """Whether tests press buttons of a bot, rather than draw screens themselves."""
    return "simulated" in path.read_text("utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.i18n.recording", description=main.__doc__)
    parser.add_argument("tests", nargs="*", metavar="TEST", help="default: all that drive the bot")
    sys.exit(main(parser.parse_args().tests))
