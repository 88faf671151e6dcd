"""Programs of the project as processes of their own, which share one import of it.

Within a run of pytest there is a `tests.forkserver`, and it forks whatever is started here.
Elsewhere, and on a machine that can't, `python` itself is started.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Protocol, Self, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
PLACE = "TESTS_FORKSERVERS"
"""The environment's name for the folder of the sockets: `bot`, and `1` and `2` for simulations
under these hash seeds. Set to nothing: there are none.
"""
IMPORTED = {
    "bot": (
        "bot.cli.online",
        "bot.cli.offline",
        "bot.demo.run",
        "prometheus_client",
        "tests.pictures",
    ),
    "1": ("tests.simulate.__main__",),
    "2": ("tests.simulate.__main__",),
}
"""What each server has imported before it forks."""
FORKS = hasattr(os, "pidfd_open") and hasattr(socket, "SOCK_SEQPACKET")
HASH_SEED = "PYTHONHASHSEED"
MOST = 64
"""Bytes of a server's answer."""
PIPE, STDOUT = subprocess.PIPE, subprocess.STDOUT
Stream: TypeAlias = int | IO[bytes] | None
"""What a process writes to: a `PIPE`, a file, nothing, or what this one has; its errors also to
where its output goes, `STDOUT`.
"""


class Process(Protocol):
    """What tests ask a process for: see `asyncio.subprocess.Process`."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    @property
    def stdout(self) -> asyncio.StreamReader | None: ...
    @property
    def stderr(self) -> asyncio.StreamReader | None: ...
    async def wait(self) -> int: ...
    async def communicate(self) -> tuple[bytes, bytes]: ...
    def send_signal(self, signal: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


@contextmanager
def forkservers() -> Iterator[None]:
    """Within this, every process started here shares an import, also in processes below."""
    if not FORKS or PLACE in os.environ:
        yield
        return
    with TemporaryDirectory(prefix="forks-") as folder:
        servers = [_server(name, Path(folder, name)) for name in IMPORTED]
        for one in servers:
            assert one.stdout is not None
            one.stdout.readline()
        os.environ[PLACE] = folder
        try:
            yield
        finally:
            del os.environ[PLACE]
            for one in servers:
                one.communicate()


def _server(name: str, path: Path) -> subprocess.Popen[bytes]:
    seeded = {HASH_SEED: name} if name.isdigit() else {}
    return subprocess.Popen(  # noqa: S603 our own program
        [sys.executable, "-W", "ignore", "-m", "tests.forkserver", str(path), *IMPORTED[name]],
        cwd=ROOT,
        env=os.environ | seeded,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def _at_home(cwd: Path, env: Mapping[str, str]) -> Mapping[str, str]:
    """Let the folder hold settings and data, unless the environment says which does."""
    return {"LIGRETTO_HOME": str(cwd), **env}


async def python(
    *argv: str,
    cwd: Path = ROOT,
    env: Mapping[str, str],
    stdout: Stream = None,
    stderr: Stream = None,
    fresh: bool = False,
) -> Process:
    """Start `python` with these arguments, a module's or a file's. `env` is all of its environment.
    `stdout` and `stderr` as `asyncio.create_subprocess_exec` takes them. `fresh`: with an import
    of its own.
    """
    env = _at_home(cwd, env)
    if fresh or (server := _place(cwd, env)) is None:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "ignore", *argv),
            cwd=cwd,
            env=dict(env),
            stdout=stdout,
            stderr=stderr,
        )
    return await _Forked.start(server, argv, cwd, env, (stdout, stderr))


def ran(
    *argv: str, cwd: Path = ROOT, env: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The same, at its end, with what it has written. `stdin`: what it can read there."""
    env = _at_home(cwd, env)
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as problem:
        given.write(stdin.encode())
        given.seek(0)
        streams = (given.fileno(), out.fileno(), problem.fileno())
        if (server := _place(cwd, env)) is None:
            command = [sys.executable, "-W", "ignore", *argv]
            code = subprocess.run(  # noqa: S603 our own program
                command,
                cwd=cwd,
                env=dict(env),
                stdin=given,
                stdout=out,
                stderr=problem,
                check=False,
            ).returncode
        else:
            client, _ = _asked(server, argv, cwd, env, streams)
            with client:
                code = json.loads(client.recv(MOST))
        written = []
        for file in (out, problem):
            file.seek(0)
            written.append(file.read().decode())
    return subprocess.CompletedProcess(argv, code, *written)


def _place(cwd: Path, env: Mapping[str, str]) -> Path | None:
    """The socket of the server for this environment. None when there is none, or when the program
    is another checkout's.
    """
    folder, seed = os.environ.get(PLACE), env.get(HASH_SEED)
    if not folder or (cwd != ROOT and (cwd / "bot").exists()):
        return None
    return Path(folder, seed if seed in IMPORTED else "bot")


def _asked(
    server: Path,
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[int, int, int],
) -> tuple[socket.socket, int]:
    """Where its exit code will be told, and the number of the process. Waits until it is there."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        client.connect(str(server))
        socket.send_fds(client, [json.dumps([argv, str(cwd), dict(env)]).encode()], streams)
        return client, json.loads(client.recv(MOST))
    except BaseException:
        client.close()
        raise


class _Forked:
    """What `asyncio.subprocess.Process` is for a child, for a process that a server has forked."""

    def __init__(self, client: socket.socket, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout: asyncio.StreamReader | None = None
        self.stderr: asyncio.StreamReader | None = None
        self._client = client
        self._gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(client, self._has_ended)

    @classmethod
    async def start(
        cls,
        server: Path,
        argv: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        given: tuple[Stream, Stream],
    ) -> Self:
        with ExitStack() as stack:
            nothing, _ = _stream(subprocess.DEVNULL, 0, stack)
            out, read_out = _stream(given[0], 1, stack)
            problem, read_problem = _stream(given[1], 2, stack)
            problem = out if given[1] == STDOUT else problem
            one = cls(*_asked(server, argv, cwd, env, (nothing, out, problem)))
        one.stdout, one.stderr = await _reader(read_out), await _reader(read_problem)
        return one

    def _has_ended(self) -> None:
        told = self._client.recv(MOST)
        asyncio.get_running_loop().remove_reader(self._client)
        self._client.close()
        self.returncode = json.loads(told) if told else -signal.SIGKILL
        self._gone.set()

    async def wait(self) -> int:
        await self._gone.wait()
        assert self.returncode is not None
        return self.returncode

    async def communicate(self) -> tuple[bytes, bytes]:
        """What it has written to the streams that are read here, when it has ended."""
        out, problem, _ = await asyncio.gather(
            _all_of(self.stdout), _all_of(self.stderr), self.wait()
        )
        return out, problem

    def send_signal(self, signal: int) -> None:
        """Raises ProcessLookupError when it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, signal)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _stream(given: Stream, own: int, stack: ExitStack) -> tuple[int, int | None]:
    """What the process writes to, until the stack is closed, and where that is read, if here."""
    if given == PIPE:
        reading, writing = os.pipe()
        stack.callback(os.close, writing)
        return writing, reading
    if given == subprocess.DEVNULL:
        nothing = os.open(os.devnull, os.O_RDWR)
        stack.callback(os.close, nothing)
        return nothing, None
    return own if given is None else given if isinstance(given, int) else given.fileno(), None


async def _reader(pipe: int | None) -> asyncio.StreamReader | None:
    if pipe is None:
        return None
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    file = os.fdopen(pipe, "rb", buffering=0)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, file)
    return reader


async def _all_of(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()
