"""A real Valkey or Redis server of a test's own, on a free port and without files."""

import asyncio
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.real import PATIENCE

PROGRAMS = ("valkey-server", "redis-server")
MISSING = "needs a Valkey or Redis server: apt-get install redis-server"


def program() -> str | None:
    """Return the server that is installed here; None if there is none."""
    return next((one for one in map(shutil.which, PROGRAMS) if one), None)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Server:
    """A server process, which can be killed and started again on the same port, empty.

    `words`: further settings on its command line.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        self._folder = folder
        self._words = words
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start it, and return once it takes connections."""
        found = program()
        assert found is not None, MISSING
        words = [found, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen(  # noqa: ASYNC220, S603 it starts at once
            [*words, "--appendonly", "no", "--dir", str(self._folder), *self._words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        async with asyncio.timeout(PATIENCE):
            while not await self._answers():  # noqa: ASYNC110 a process tells nobody
                await asyncio.sleep(0.02)

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.write(b"PING\r\n")
        said = await reader.readline()
        writer.close()
        return said.startswith((b"+PONG", b"-NOAUTH"))

    def kill(self) -> None:
        """End it at once, with all that it held."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def needed() -> None:
    """Skip a test where no server is installed, and say so."""
    if program() is None:
        pytest.skip(MISSING)
