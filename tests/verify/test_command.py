"""`python -m bot verify`."""

import io
import sys
from pathlib import Path

import pytest

from bot.cli.main import main
from tests.verify.evenings import log, old_log


async def test_a_file_that_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(await log(1), "utf-8")
    assert main(["verify", str(file)]) == 0
    told, wrong = capsys.readouterr()
    assert told.startswith(f"{file}: all ")
    assert "lines fit, names aside: " in told
    assert "; promise " in told
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
    assert third.endswith("no promise: whoever ran the bot could choose the seed")


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
