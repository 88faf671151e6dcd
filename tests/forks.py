"""Programs of the project as processes of their own, which share one import of it.

Within a run of pytest there is a `tests.forkserver`, and it forks whatever is started here.
Elsewhere, and on a machine that can't, `python` itself is started.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from tests.children import WATCHES, Begun, Process, Stream, begun, child

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
FORKS = WATCHES and hasattr(socket, "SOCK_SEQPACKET")
HASH_SEED = "PYTHONHASHSEED"
MOST = 64
"""Bytes of a server's answer."""


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
    `stdout` and `stderr` as `child` takes them. `fresh`: with an import
    of its own.
    """
    env = _at_home(cwd, env)
    if fresh or (server := _place(cwd, env)) is None:
        command = (sys.executable, "-W", "ignore", *argv)
        return await child(*command, cwd=cwd, env=env, stdout=stdout, stderr=stderr)

    def start(nothing: int, out: int, problem: int) -> Begun:
        client, pid = _asked(server, argv, cwd, env, (nothing, out, problem))

        def code() -> int:
            with client:
                told = client.recv(MOST)
            return json.loads(told) if told else -signal.SIGKILL

        return Begun(pid, client.fileno(), code)

    return await begun(start, stdout, stderr)


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
