"""A system without what POSIX has."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.loopback.bots import PATIENCE, ROOT
from tests.simulate.loop import VirtualLoop
from tests.stories.world import at_rest

HIDDEN = """
import asyncio, multiprocessing, subprocess, sys
import aiohttp, aiosqlite, discord, openskill.models, PIL.Image, pydantic_settings, zstandard

for name in ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "uvloop"):
    sys.modules[name] = None
import {module}
"""
"""What the libraries themselves need of POSIX is loaded before; they have other ways on Windows."""


@pytest.mark.real("an import in a process of its own")
@pytest.mark.parametrize("module", ["bot.cli.online", "bot.demo.run"])
async def test_the_program_is_imported_without_posix(tmp_path: Path, module: str) -> None:
    """Nothing of what only POSIX has is needed to begin."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-c", HIDDEN.format(module=module)),
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stderr=asyncio.subprocess.PIPE,
    )
    _, problem = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, problem.decode()


async def test_the_bot_runs_where_no_signal_can_be_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop of Windows can't; Python itself hears SIGTERM."""

    def refused(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(VirtualLoop, "add_signal_handler", refused)
    monkeypatch.setattr(VirtualLoop, "remove_signal_handler", refused)
    before = signal.getsignal(signal.SIGTERM)
    try:
        async with at_rest(tmp_path) as world:
            await world.start()
            signal.raise_signal(signal.SIGTERM)
            assert await world.bot.ended() is None
    finally:
        signal.signal(signal.SIGTERM, before)
