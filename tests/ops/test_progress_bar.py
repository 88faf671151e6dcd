"""What somebody sees of a command that takes a while: a bar on a terminal, lines elsewhere."""

import asyncio
import fcntl
import os
import pty
import re
import signal
import sqlite3
import struct
import termios
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.ops.progress_bar import LONGEST, SHORTEST, Lines
from tests.children import PIPE
from tests.forks import ROOT, python
from tests.real import PATIENCE
from tests.store.conftest import opened

COMMANDS = {
    "backup": ("backup copy", "copy: ", "backup"),
    "restore": ("restore kept", "restored kept to ", "restore"),
    "export": ("export out", "out: 2 matches", "export"),
    "split": ("split ligretto.sqlite3 --into 1", "matches: 2, verified", "split"),
    "merge": ("merge ligretto.sqlite3 other --into merged", "merged: servers: 0", "merge"),
    "ratings": ("ratings", "rated matches: 1", "ratings"),
    "bench": ("bench --seats 500 --servers 3 --big 100", "statements", "building"),
    "simulate": ("simulate --rounds 1", "| Ligretto Dice | 4 |", "simulate"),
    "calibrate": ("calibrate --export exported", "Log loss", "calibrate"),
}
"""What is typed, a part of the result, and what the progress is called."""
BAR = re.compile(r"(\w+): +(\d+) %\|.*\| (\?|[\d:]+) left")


class Terminal:
    """A terminal of 80 columns. `text` is all that was written to it."""

    def __init__(self) -> None:
        self._master, self.file = pty.openpty()
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._written = bytearray()
        self._reads = threading.Thread(target=self._read)
        self._reads.start()

    def _read(self) -> None:
        with suppress(OSError):  # nobody writes any more
            while more := os.read(self._master, 65_536):
                self._written += more

    def text(self) -> str:
        """Wait until the last process has closed it."""
        os.close(self.file)
        self._reads.join()
        os.close(self._master)
        return self._written.decode()


@pytest.fixture
async def folder(played: Path) -> Path:
    """A backup, an export and another database beside the database."""
    async with opened(played.with_name("other")):
        pass
    with closing(sqlite3.connect(played)) as db:
        db.execute("VACUUM INTO ?", (str(played.with_name("kept")),))
    code, _, _ = await typed(played.parent, "export exported")
    assert code == 0
    return played.parent


async def typed(folder: Path, words: str, stderr: int = PIPE) -> tuple[int | None, str, str]:
    """`python -m bot <words>`: its exit code, and what it has written to pipes."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    process = await python(
        *("-m", "bot", *words.split()),
        cwd=folder,
        env=env | {"DATABASE_PATH": "ligretto.sqlite3"},
        stdout=PIPE,
        stderr=stderr,
    )
    out, problem = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, out.decode(), (problem or b"").decode()


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_terminal_shows_a_bar_and_the_time_left(command: str, folder: Path) -> None:
    """It is gone at the end, and nothing of it is in the result."""
    words, result, name = COMMANDS[command]
    terminal = Terminal()
    try:
        code, out, _ = await typed(folder, words, terminal.file)
    finally:
        shown = terminal.text()
    assert code == 0, shown
    assert result in out
    assert not BAR.search(out)
    first, *_ = BAR.findall(shown)
    assert first[:2] == (name, "0")
    assert "\n" not in shown
    assert shown.rstrip("\r").rpartition("\r")[2].strip() == ""


@pytest.mark.parametrize("command", COMMANDS)
async def test_lines_are_written_where_no_terminal_is(command: str, folder: Path) -> None:
    words, result, name = COMMANDS[command]
    code, out, told = await typed(folder, words)
    assert code == 0, told
    assert result in out
    assert told.splitlines()[0] == f"{name}: 0%"
    assert "\r" not in told
    assert "|" not in told


async def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    process = await python(
        *("-m", "bot", "simulate"), cwd=tmp_path, env=env, stdout=PIPE, stderr=PIPE
    )
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        assert await process.stderr.readline() == b"simulate: 0%\n"
        process.send_signal(signal.SIGINT)
        _, told = await process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in told


class Told:
    """Lines at instants of the test's own."""

    def __init__(self) -> None:
        self.now = 100.0
        self.lines: list[str] = []
        self.progress = Lines("export", self.lines.append, lambda: self.now)

    def at(self, seconds: float, done: float, total: float = 100) -> None:
        self.now = 100.0 + seconds
        self.progress(done, total)


def test_a_line_comes_at_the_start_and_with_each_tenth() -> None:
    told = Told()
    for second in range(101):
        told.at(3 * second, second)
    assert told.lines[:2] == ["export: 0%\n", "export: 4%, 04:48 left\n"]
    assert len(told.lines) < 40


def test_quick_work_has_a_line_for_each_tenth_alone() -> None:
    told = Told()
    for done in range(101):
        told.at(done * 0.3, done)
    assert [line.split()[1].rstrip(",") for line in told.lines] == [
        "0%",
        *(f"{n}0%" for n in range(1, 10)),
    ]


def test_work_that_is_done_at_once_has_one_line() -> None:
    told = Told()
    for done in range(101):
        told.at(done * SHORTEST / 101, done)
    assert told.lines == ["export: 0%\n"]


def test_slow_work_is_told_of_every_ten_seconds() -> None:
    told = Told()
    for second in range(61):
        told.at(second, second, 10_000)
    assert len(told.lines) == 1 + 60 / LONGEST
    assert told.lines[-1] == "export: 1%, 2:45:40 left\n"
