"""Processes that tests start: what they write, and when they end.

They start by vfork. uvloop forks, and a process that holds a gigabyte stands still meanwhile.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple, Protocol, TypeAlias

WATCHES = hasattr(os, "pidfd_open")
PIPE, STDOUT = subprocess.PIPE, subprocess.STDOUT
Stream: TypeAlias = int | IO[bytes] | None
"""The target of a process's output: a `PIPE`, a file, nothing, or this process's own. Errors may
also go to `STDOUT`, where the output goes.
"""


class Process(Protocol):
    """The part of `asyncio.subprocess.Process` that tests use."""

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


class Begun(NamedTuple):
    """A process that runs. `ended`: a file that can be read when it has ended; then `code` closes
    it and returns the exit code.
    """

    pid: int
    ended: int
    code: Callable[[], int]


class _Child:
    """Implements `Process` for one that has begun without asyncio."""

    def __init__(self, begun: Begun) -> None:
        self.pid = begun.pid
        self.returncode: int | None = None
        self.stdout: asyncio.StreamReader | None = None
        self.stderr: asyncio.StreamReader | None = None
        self._begun = begun
        self._gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(begun.ended, self._has_ended)

    def _has_ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._begun.ended)
        self.returncode = self._begun.code()
        self._gone.set()

    async def wait(self) -> int:
        await self._gone.wait()
        assert self.returncode is not None
        return self.returncode

    async def communicate(self) -> tuple[bytes, bytes]:
        """Wait for its end. Return the output and the errors that are read here."""
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


async def begun(start: Callable[[int, int, int], Begun], stdout: Stream, stderr: Stream) -> Process:
    """The process that `start` begins with these standard streams."""
    with ExitStack() as stack:
        nothing, _ = _stream(subprocess.DEVNULL, 0, stack)
        out, read_out = _stream(stdout, 1, stack)
        problem, read_problem = _stream(stderr, 2, stack)
        one = _Child(start(nothing, out, out if stderr == STDOUT else problem))
    one.stdout, one.stderr = await _reader(read_out), await _reader(read_problem)
    return one


async def child(
    *command: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdout: Stream = None,
    stderr: Stream = None,
) -> Process:
    """Start a program, as `asyncio.create_subprocess_exec` does, which reads nothing."""
    if not WATCHES:
        return await asyncio.create_subprocess_exec(
            *command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
        )

    def start(nothing: int, out: int, problem: int) -> Begun:
        process = subprocess.Popen(  # noqa: S603 tests say what
            command, cwd=cwd, env=env, stdin=nothing, stdout=out, stderr=problem
        )
        ended = os.pidfd_open(process.pid)

        def code() -> int:
            os.close(ended)
            return process.wait()

        return Begun(process.pid, ended, code)

    return await begun(start, stdout, stderr)


def _stream(given: Stream, own: int, stack: ExitStack) -> tuple[int, int | None]:
    """Return the file that the process writes to, open until the stack is closed; and the end at
    which this process reads it, if it does.
    """
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
