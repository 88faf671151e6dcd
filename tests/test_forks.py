"""A forked program is a process of its own: it shares nothing with others but what is imported."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import PIPE, STDOUT
from tests.forks import FORKS, HASH_SEED, python, ran

pytestmark = pytest.mark.skipif(not FORKS, reason="this system forks nothing: all is started")
LOADED = "import sys; print('bot.app' in sys.modules)"
SAYS = """
import os, sys
print(*sys.argv, os.getcwd(), os.environ)
print("a problem", file=sys.stderr)
sys.exit(3)
"""
HASH = "print(hash('Ligretto'))"
OPEN = "import os; print(*sorted(os.listdir('/proc/self/fd'), key=int))"
WAITS = "import time; print('here', flush=True); time.sleep(600)"


def test_it_has_its_own_arguments_folder_environment_and_exit_code(tmp_path: Path) -> None:
    ended = ran("-c", SAYS, "more", cwd=tmp_path, env={"ONLY": "this"})
    assert (
        ended.stdout
        == f"-c more {tmp_path} environ({{'LIGRETTO_HOME': '{tmp_path}', 'ONLY': 'this'}})\n"
    )
    assert (ended.returncode, ended.stderr) == (3, "a problem\n")


def test_an_error_that_nobody_handles_ends_it() -> None:
    ended = ran("-c", "raise ValueError('for once')", env=os.environ)
    assert ended.returncode == 1
    assert ended.stderr.endswith("ValueError: for once\n")


async def test_it_has_the_bot_from_the_beginning_unless_it_starts_afresh() -> None:
    for fresh in (False, True):
        process = await python("-c", LOADED, env=os.environ, stdout=PIPE, fresh=fresh)
        out, _ = await process.communicate()
        assert out.decode().strip() == str(not fresh)


def test_nothing_of_others_is_open_in_it() -> None:
    assert ran("-c", OPEN, env=os.environ).stdout.split() == ["0", "1", "2", "3"]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_it_has_the_hash_seed_that_it_was_given(seed: str) -> None:
    env = {**os.environ, HASH_SEED: seed}
    started = subprocess.check_output([sys.executable, "-c", HASH], env=env, text=True)  # noqa: S603 our own line
    assert ran("-c", HASH, env=env).stdout == started


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_signals_reach_it_alone(number: signal.Signals) -> None:
    one, other = [
        await python("-c", WAITS, env=os.environ, stdout=PIPE, stderr=STDOUT) for _ in range(2)
    ]
    for process in (one, other):
        assert process.stdout is not None
        assert await process.stdout.readline() == b"here\n"
    one.send_signal(number)
    assert await one.wait() == -number
    with pytest.raises(ProcessLookupError):
        one.kill()
    await asyncio.sleep(0)
    assert other.returncode is None
    other.kill()
    await asyncio.gather(one.communicate(), other.communicate())
