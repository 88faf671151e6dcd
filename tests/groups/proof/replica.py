"""A database that Litestream replicates while it is in use."""

import asyncio
import sys
from pathlib import Path

from tests.real import PATIENCE

LITESTREAM = str(Path(sys.executable).with_name("litestream"))
INTERVAL = 1.0
"""Seconds between two uploads (deploy/litestream.yml)."""


class Replica:
    """A replica of one database in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def follow(self, database: Path) -> None:
        """Replicate from now on."""
        self._process = await asyncio.create_subprocess_exec(
            *(LITESTREAM, "replicate", str(database), f"file://{self._folder}"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    async def kill(self) -> None:
        """The machine is dead: nothing is uploaded any more."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def restore(self, database: Path) -> None:
        """Put what there is into this file, as an operator does on another machine."""
        process = await asyncio.create_subprocess_exec(
            *(LITESTREAM, "restore", "-o", str(database), f"file://{self._folder}"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 0, "there is no replica"
