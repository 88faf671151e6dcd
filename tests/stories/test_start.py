"""With which code the process ends when a start fails for what passes by itself."""

import asyncio
import os
import sqlite3
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.loopback.bots import PATIENCE, ROOT
from tests.store.conftest import opened
from tests.stories.world import given

pytestmark = pytest.mark.real("the bot as a process, and its exit codes")

TRY_LATER = 75
"""What the unit starts again. It never does after code 2."""
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384))
"""
"""No file can grow: SQLite takes it for a disk without room."""
IMPATIENT = """
import bot.store.database.file
bot.store.database.file.BUSY_MS = 50
"""
READ_ONLY = """
import errno, os, sys
folder = os.path.dirname(os.environ["DATABASE_PATH"])

def refused(event, args):
    opens = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (opens or event == "os.mkdir") and str(args[0]).startswith(folder):
        raise OSError(errno.EROFS, "Read-only file system", str(args[0]))

sys.addaudithook(refused)
"""
MAIN = """
import sys
from discord.http import Route
from bot.cli.main import main
Route.BASE = "http://127.0.0.1:9"
sys.exit(main())
"""


class Ended(NamedTuple):
    code: int | None
    problem: str


async def started(database: Path, fault: str) -> Ended:
    """`python -m bot` on a machine with a fault, to its end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-c", fault + MAIN),
        cwd=database.parent.parent,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",  # what could not grow would be half a file
            "DISCORD_TOKEN": "a.b.c",
            "DATABASE_PATH": str(database),
        },
        stderr=asyncio.subprocess.PIPE,
    )
    _, problem = await asyncio.wait_for(process.communicate(), PATIENCE)
    given(str(database) in problem.decode(), f"the database is what is wrong: {problem.decode()}")
    return Ended(process.returncode, problem.decode())


@pytest.mark.parametrize(
    ("fault", "locked", "there"),
    [(LIMITED, False, False), (IMPATIENT, True, True), (READ_ONLY, False, True)],
    ids=["full", "locked", "read-only"],
)
async def test_what_passes_by_itself_is_tried_again(
    tmp_path: Path, fault: str, *, locked: bool, there: bool
) -> None:
    """One line, and code 75. After code 2 the unit would never start it again."""
    database = tmp_path / "data" / "ligretto.sqlite3"
    database.parent.mkdir()
    if there:
        async with opened(database):
            pass
    holder = closing(sqlite3.connect(database, isolation_level=None)) if locked else nullcontext()
    with holder as other:
        if other is not None:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
        ended = await started(database, fault)
    given(len(ended.problem.splitlines()) == 1, "it is told in one line")
    assert ended.code == TRY_LATER
