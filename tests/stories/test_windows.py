"""A system without what POSIX has."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.loopback.bots import PATIENCE, ROOT
from tests.simulate.loop import VirtualLoop
from tests.stories.world import at_rest, given

HIDDEN = """
import asyncio, multiprocessing, subprocess, sys
import aiohttp, aiosqlite, discord, openskill.models, PIL.Image, pydantic_settings, zstandard

for name in ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "uvloop"):
    sys.modules[name] = None
import {module}
"""
"""What the libraries themselves need of POSIX is loaded before; they have other ways on Windows."""


def is_said() -> bool:
    """Whether the README says that the bot doesn't run on Windows."""
    return "Windows" in (ROOT / "README.md").read_text()


@pytest.mark.real("an import in a process of its own")
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="the bot and its demo can't even be imported on Windows, and nothing says so",
)
@pytest.mark.parametrize("module", ["bot.__main__", "bot.demo.run"])
async def test_the_program_is_imported_without_posix(tmp_path: Path, module: str) -> None:
    """Today the first import ends in "No module named 'fcntl'". It should work, or the README
    should say that it doesn't.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-c", HIDDEN.format(module=module)),
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stderr=asyncio.subprocess.PIPE,
    )
    _, problem = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0 or is_said(), problem.decode()


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="without the signals of POSIX the start ends in a traceback",
)
async def test_the_bot_runs_where_no_signal_can_be_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today the event loop of Windows, which can't handle SIGTERM, ends the start. The bot should
    run without, or the README should say that it doesn't run there.
    """

    def refused(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(VirtualLoop, "add_signal_handler", refused)
    async with at_rest(tmp_path) as world:
        world.bot.start()
        await asyncio.sleep(30)
        runs = world.bot.is_running
        if runs:
            world.bot.kill()
        else:
            given(isinstance(await world.bot.ended(), NotImplementedError), "that is why it ended")
        assert runs or is_said()
