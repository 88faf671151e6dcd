"""BACKUP_COMMAND takes each daily backup off the machine."""

import asyncio
import logging
import sys
from pathlib import Path

import pytest

from bot.ops import backup_command
from bot.ops.backup_command import CommandFailedError, hand_over
from bot.ops.daily_backups import LOOK, DailyBackups
from bot.settings.config import Config, ConfigError, read
from tests.simulate.loop import virtual
from tests.store.conftest import opened

COPY = "import shutil, sys; shutil.copy(sys.argv[-1], sys.argv[1])"


async def test_each_backup_is_handed_over(tmp_path: Path) -> None:
    """Its path is the last word, with spaces and all, and what arrives is the whole backup."""
    there = tmp_path / "another machine"
    there.mkdir()
    file = tmp_path / "a backup"
    file.write_bytes(b"whole")
    await hand_over((sys.executable, "-c", COPY, str(there)), file)
    assert (there / "a backup").read_bytes() == b"whole"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("/no/such/program",), "/no/such/program: No such file or directory"),
        ((sys.executable, "-c", "import sys; sys.exit('no\\nroute to host')"), "route to host"),
    ],
)
async def test_a_failure_is_told_in_one_line(
    command: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandFailedError) as failed:
        await hand_over(command, tmp_path)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)


async def test_a_command_that_hangs_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_command, "PATIENCE", 0.05)
    hung = (sys.executable, "-c", "import time; time.sleep(600)")
    with pytest.raises(CommandFailedError, match="not done after"):
        await hand_over(hung, tmp_path)
