"""BACKUP_COMMAND takes each daily backup off the machine."""

import sys
from pathlib import Path

import pytest

from bot.ops import backup_command
from bot.ops.backup_command import CommandFailedError, hand_over
from bot.settings.config import Config, read

COPY = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"


async def test_a_backup_is_handed_over_with_its_path(tmp_path: Path) -> None:
    there = tmp_path / "another machine"
    there.mkdir()
    file = tmp_path / "a backup"
    file.write_bytes(b"whole")
    await hand_over((sys.executable, "-c", COPY, "{}", str(there)), file)
    assert (there / "a backup").read_bytes() == b"whole"
    said = tmp_path / "said"
    tell = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    await hand_over((sys.executable, "-c", tell, str(said)), file)
    assert said.read_text() == str(file), "it is the last word where no other place is named"


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


def test_a_command_is_split_as_a_shell_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("BACKUP_COMMAND", "rclone copy {} 'remote:a folder'")
    assert read(Config).backup_command == ("rclone", "copy", "{}", "remote:a folder")
