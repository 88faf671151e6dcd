"""A command in a message works in the shell where the message is read."""

import os
import sys
from pathlib import Path

import pytest

from bot.ops.setup.service import Service, ServiceError
from bot.settings import home


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command of a wheel in a virtual environment."""
    script = tmp_path / "ligretto-bot"
    script.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    return script


def test_a_clones_interpreter_is_named_as_it_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian has no `python`, and none but the clone's has the bot's libraries."""
    monkeypatch.setattr(sys, "orig_argv", [".venv/bin/python", "-m", "bot", "setup"])
    assert home.command() == ".venv/bin/python -m bot"
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "bot", "setup"])
    assert home.command() == "python -m bot"


def test_a_script_outside_path_is_named_with_its_folder(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home.command() == str(script)
    assert home.roots_command() == f"sudo {script}"
    monkeypatch.setenv("PATH", str(script.parent), prepend=os.pathsep)
    assert home.command() == "ligretto-bot"
    assert home.roots_command() == f"sudo {script}", "sudo has a PATH of its own"


def test_the_services_owner_needs_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "home", lambda: home.SERVICE)
    assert home.command() == f"sudo {sys.executable} -m bot"


def test_without_root_the_whole_command_is_told(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ops.setup.service._found", Path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(ServiceError, match=f"run `sudo {script} setup --system`"):
        Service(Path("/")).refuse()
