"""`python -m bot`, unmodified, as a process of this machine."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from bot.fakediscord import Server
from tests.children import Process
from tests.forks import ROOT, python
from tests.real import PATIENCE
from tests.soak import audit


class BotProcess:
    """`python -m bot`, unmodified, with a database that outlives it; or another `program`, or the
    bot of another checkout, whose `root` has the package `bot`.
    """

    def __init__(
        self,
        server: Server,
        database: Path,
        program: Sequence[str] = ("-m", "bot"),
        root: Path = ROOT,
        **env: str,
    ) -> None:
        self.server = server
        self.database = database
        self.program = program
        self.root = root
        self.env = env
        self.log = database.with_suffix(".log")
        self._process: Process | None = None

    async def start(self) -> None:
        """Returns when it is connected and its commands are known."""
        self.server.gateway.enforce_identify = False
        await self.begin()
        await self.server.wait_ready(PATIENCE, commands=True)

    async def begin(self) -> None:
        """Start, and wait for nothing."""
        with self.log.open("ab") as log:
            env = os.environ | self.server.env | {"DATABASE_PATH": str(self.database)} | self.env
            self._process = await python(
                *self.program, cwd=self.root, env=env, stdout=log, stderr=log
            )

    async def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self._is_gone()

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        return await self.ended()

    async def ended(self) -> int:
        """The exit code, when it has ended by itself."""
        assert self._process is not None
        return await self._process.wait()

    async def stand_still(self, seconds: float) -> None:
        """None of its code runs for so long, while the world goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    async def _is_gone(self) -> None:
        await self.server.wait_for(lambda: not self.server.gateway.ready, PATIENCE)

    async def says(self, words: str) -> None:
        """Wait for a line of the log."""
        async with asyncio.timeout(PATIENCE):
            while words not in self.output:  # noqa: ASYNC110 a file tells nobody
                await asyncio.sleep(0.1)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def main_thread(self) -> float:
        """Seconds of processor time that its main thread has used."""
        path = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat")
        return int(path.read_text().split()[0]) / 1e9

    @property
    def memory(self) -> float:
        """MB that the process holds (its resident set)."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    def held(self, since: int = 0) -> list[audit.Held]:
        """What it told of what it held, in its output from that character on."""
        return audit.held(self.output[since:])

    @property
    def processor(self) -> float:
        """Seconds of processor time that all its threads have used."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e9

    @property
    def output(self) -> str:
        return self.log.read_text()
