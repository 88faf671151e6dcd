"""`python -m tests.forkserver SOCKET MODULES`: imports them once, and forks for each program.

A request is one packet: a `Request` as JSON, with what is to be standard input, output and error.
The answers are the process's number and, when it has ended, its exit code as `Popen.returncode`
has it. The forked process is one of its own: it has its own loop, files, signals and end. It ends
with whoever holds its standard input.
"""

import argparse
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

MOST = 1 << 20
"""Bytes of a request."""
STREAMS = (0, 1, 2)
MOST_FILES = 1024
PICTURES = "tests.pictures"
"""Imported, every face is drawn as well."""


class Request(NamedTuple):
    """`argv` as `python` takes it: `-m` and a module, `-c` and a program, or a file; then more."""

    argv: list[str]
    folder: str
    env: dict[str, str]


class _Asked(NamedTuple):
    """A connection that has not said yet what it wants."""

    client: socket.socket


class _Forked(NamedTuple):
    """A process that runs, and who wants to know of its end."""

    pid: int
    handle: int
    client: socket.socket


class Forkserver:
    """Forks for each request, until its standard input is closed."""

    def __init__(self, listener: socket.socket, imported: tuple[str, ...]) -> None:
        self._listener = listener
        self._imported = imported
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(listener, selectors.EVENT_READ)
        self._waiting.register(0, selectors.EVENT_READ)

    def serve(self) -> Request | None:
        """Returns in each forked process, with what it is to do; at the end None."""
        while True:
            for key, _ in self._waiting.select():
                match key.data:
                    case _Asked(client):
                        self._waiting.unregister(client)
                        if (request := self._forked(client)) is not None:
                            return request
                    case _Forked() as one:
                        self._ended(one)
                    case _ if key.fileobj is self._listener:
                        client, _ = self._listener.accept()
                        self._waiting.register(client, selectors.EVENT_READ, _Asked(client))
                    case _:
                        return None

    def _forked(self, client: socket.socket) -> Request | None:
        """What the forked process has to do; in this one None."""
        told, streams, *_ = socket.recv_fds(client, MOST, len(STREAMS))
        if not told:
            client.close()
            return None
        self._get_ready()
        assert threading.active_count() == 1, "a thread would not be forked"
        if (pid := os.fork()) == 0:
            self._leave(client)
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & has it ignored
            for stream, to in zip(streams, STREAMS, strict=True):
                os.dup2(stream, to)
                os.close(stream)
            return Request(*json.loads(told))
        for stream in streams:
            os.close(stream)
        handle = os.pidfd_open(pid)
        self._waiting.register(handle, selectors.EVENT_READ, _Forked(pid, handle, client))
        client.send(json.dumps(pid).encode())
        return None

    def _get_ready(self) -> None:
        """Before the first fork: what costs time is done once, here."""
        for name in self._imported:
            import_module(name)
        if PICTURES in self._imported:
            import_module(PICTURES).draw()
        self._imported = ()
        gc.collect()
        gc.freeze()

    def _ended(self, one: _Forked) -> None:
        self._waiting.unregister(one.handle)
        os.close(one.handle)
        _, status = os.waitpid(one.pid, 0)
        with one.client, suppress(OSError):  # nobody may be there any more
            one.client.send(json.dumps(os.waitstatus_to_exitcode(status)).encode())

    def _leave(self, client: socket.socket) -> None:
        """In a forked process: nothing of the server's is held open."""
        for key in [*self._waiting.get_map().values()]:
            match key.data:
                case _Asked(other):
                    other.close()
                case _Forked(_, handle, other):
                    os.close(handle)
                    other.close()
                case _:
                    pass
        self._waiting.close()
        self._listener.close()
        client.close()


def carry_out(request: Request) -> None:
    """What `python` does with these arguments. The program is `__main__`."""
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.env)
    time.tzset()
    paths = [one for one in request.env.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[:0] = paths
    if any(Path(one, "sitecustomize.py").exists() for one in paths):
        sys.modules.pop("sitecustomize", None)
        import_module("sitecustomize")
    match request.argv:
        case ["-m", module, *more]:
            sys.argv = [module, *more]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", program, *more]:
            sys.argv = ["-c", *more]
            exec(program, {"__name__": "__main__"})  # noqa: S102 a test's own
        case [file, *_]:
            sys.argv = request.argv[:]
            runpy.run_path(file, run_name="__main__")
        case _:
            raise ValueError(request.argv)


def main() -> Request | None:
    parser = argparse.ArgumentParser("python -m tests.forkserver", description=__doc__)
    parser.add_argument("socket")
    parser.add_argument("modules", nargs="*")
    given = parser.parse_args()
    os.closerange(len(STREAMS), MOST_FILES)  # whatever the one that has started it left open
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(given.socket)
        listener.listen(64)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        return Forkserver(listener, tuple(given.modules)).serve()


if __name__ == "__main__" and (asked := main()) is not None:
    carry_out(asked)
