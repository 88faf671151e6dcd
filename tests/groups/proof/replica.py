"""A database that Litestream replicates while it is in use."""

import asyncio
import sys
from pathlib import Path
from subprocess import DEVNULL

from tests.children import Process, child
from tests.real import PATIENCE

LITESTREAM = str(Path(sys.executable).with_name("litestream"))
INTERVAL = 1.0
"""Seconds between two uploads (deploy/litestream.yml)."""


class Replica:
    """A replica of one database in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: Process | None = None

    async def follow(self, database: Path) -> None:
        """Replicate from now on. Returns once there is something to restore."""
        self._process = await child(
            *(LITESTREAM, "replicate", str(database), f"file://{self._folder}"),
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        tried = database.with_name("tried")
        async with asyncio.timeout(PATIENCE):
            while not await self._restored(tried):  # noqa: ASYNC110 it tells nobody
                await asyncio.sleep(0.1)
        tried.unlink()

    async def kill(self) -> None:
        """The machine is dead: nothing is uploaded any more."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def restore(self, database: Path) -> None:
        """Put what there is into this file, as an operator does on another machine."""
        async with asyncio.timeout(PATIENCE):
            assert await self._restored(database), "there is no replica"

    async def _restored(self, database: Path) -> bool:
        process = await child(
            *(LITESTREAM, "restore", "-o", str(database), f"file://{self._folder}"),
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        return await process.wait() == 0
