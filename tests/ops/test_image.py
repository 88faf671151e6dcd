"""The Dockerfile: well made, and with all that a running bot needs. No engine is needed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HADOLINT = Path(sys.executable).with_name("hadolint")
STARTED = """
import asyncio, sys
from pathlib import Path
import bot.cli.online
from bot.i18n import languages
from bot.store.database.file import open_database

async def started():
    await (await open_database(Path("data.db"))).close()

asyncio.run(started())
print(Path(bot.__file__).parent, len(languages()))
"""


def test_a_linter_finds_nothing_to_mend() -> None:
    done = subprocess.run(  # noqa: S603 a tool of the tests' own
        [HADOLINT, "--no-color", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_copied_into_the_image_is_enough(tmp_path: Path) -> None:
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY "):
            *sources, target = line.split()[1:]
            _copy(sources, tmp_path / target)
    done = subprocess.run(  # noqa: S603 said above
        [sys.executable, "-c", STARTED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{tmp_path / 'bot'} 6\n", "")


def _copy(sources: list[str], target: Path) -> None:
    """As Docker does: a folder's content, or files into a folder."""
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target)
        else:
            shutil.copy(ROOT / source, target)
