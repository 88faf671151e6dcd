"""`python -m bot verify`."""

import errno
import io
import sys
from pathlib import Path
from typing import IO

import pytest

from bot.cli.main import main
from bot.verify.command import main as command
from bot.verify.command import summary
from bot.verify.log.lines import digest
from bot.verify.referee import Referee
from tests.verify.damages import lines_of, text_of
from tests.verify.evenings import log, old_log


async def test_a_file_that_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(await log(1), "utf-8")
    assert main(["verify", str(file)]) == 0
    told, wrong = capsys.readouterr()
    assert told.startswith(f"{file}: all ")
    assert "lines fit (names are not checked): " in told
    assert "; secret's fingerprint " in told
    assert wrong == ""


async def test_several_files_each_get_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first line that doesn't fit is told in words; the code is that of the worst file."""
    good, bad, old = (tmp_path / name for name in ("good", "bad", "old"))
    text = await log(2)
    good.write_text(text, "utf-8")
    bad.write_text(text.replace('"t":0', '"t":1', 1), "utf-8")
    old.write_text(await old_log(2), "utf-8")
    assert main(["verify", *map(str, (good, bad, old))]) == 1
    first, second, third = capsys.readouterr().out.splitlines()
    assert "lines fit" in first
    assert second == f"{bad}: line 2: t can't be 1 here"
    assert third.endswith("no secret's fingerprint: whoever ran the bot could choose the seed")


async def test_it_says_what_to_compare_with_what_people_saw() -> None:
    """Both fingerprints, the message, and whatever weakens the message."""
    lines = lines_of(await log(1))
    start, *_, match = lines
    told = summary(Referee(text_of(lines)).check())
    assert f"; message {start['public']}" in told
    assert told.endswith(f"; log's fingerprint {match['digest'][:40]}")
    assert "lobby" not in told
    start |= {"lobby": True, "postings": 3}
    match["digest"] = digest(lines)
    told = summary(Referee(text_of(lines)).check())
    assert "; that is the lobby's message; " in told
    assert "; 3 messages posted before the first deal" in told


class Closed(io.StringIO):
    """A stdout that can't be written. Its file number is that of a file that nobody minds."""

    def __init__(self, error: OSError, file: IO[str]) -> None:
        super().__init__()
        self._error, self._file = error, file

    def write(self, text: str) -> int:
        raise self._error

    def fileno(self) -> int:
        return self._file.fileno()


async def test_output_that_goes_nowhere_is_no_crash_and_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(await log(1), "utf-8")
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", Closed(BrokenPipeError(), out))
        assert command([str(file)]) == 141
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr(sys, "stdout", Closed(full, out))
        assert command([str(file)]) == 2
    assert capsys.readouterr().err == "stdout can't be written: No space left on device\n"
    monkeypatch.setattr(sys, "stdout", None)
    assert command([str(file)]) == 0


async def test_a_log_from_stdin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO((await log(3)).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["verify", "-"]) == 0
    assert capsys.readouterr().out.startswith("-: all ")


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.jsonl"
    assert main(["verify", str(file)]) == 2
    assert capsys.readouterr().err == f"{file}: can't be read: No such file or directory\n"
