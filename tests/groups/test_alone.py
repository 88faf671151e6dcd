"""A bot of one process loads nothing of what crosses groups."""

import subprocess
import sys

from tests.real import ROOT

CROSSES = ("redis", "bot.groups.valkey", "bot.groups.turns", "bot.groups.slowdowns")
LOADED = "import bot.app, bot.process, sys; print(*sys.modules, sep='\\n')"


def test_a_bot_of_one_process_loads_no_client_of_valkey() -> None:
    done = subprocess.run(  # noqa: S603 our own program
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "bot.composition.groups" in loaded
    assert not [one for one in loaded if one.startswith((*CROSSES, "bot.ui.limits.shared.grouped"))]
