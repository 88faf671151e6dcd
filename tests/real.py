"""What waits for something real instead of simulated time, and why.

`python -m tests.real` lists all of it: the files and folders that stand here, and single tests
that are marked `@pytest.mark.real("reason")`.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REAL = {
    "tests/bench": "processes and their processor time",
    "tests/demo": "a browser, sockets, and the demo as a process",
    "tests/ops": "the bot as a process, systemd's socket, and commands that an operator types",
    "tests/groups/test_alone.py": "a process that imports the bot",
    "tests/groups/test_group_processes.py": "processes of the bot, and a Valkey server",
    "tests/groups/test_check.py": "a Valkey server and the bot as processes",
    "tests/groups/test_secured.py": "a Valkey server with TLS and the bot as processes",
    "tests/groups/test_figures.py": "a Valkey server and the bot as processes",
    "tests/groups/test_acting.py": "a Valkey server and the bot as processes",
    "tests/groups/test_once.py": "a Valkey server as a process, and sockets",
    "tests/groups/test_twins.py": "a Valkey server as a process",
    "tests/groups/test_proof.py": "processes of the bot, Litestream, and a Valkey server",
    "tests/groups/test_standin.py": "a Valkey server as a process",
    "tests/groups/test_slowdowns.py": "a Valkey server as a process",
    "tests/groups/test_turns.py": "a Valkey server as a process",
    "tests/groups/test_valkey.py": "a Valkey server as a process",
    "tests/test_forks.py": "processes that are forked",
    "tests/test_process.py": "the bot as a process, and its exit codes",
    "tests/ui/test_illustration.py": "the thread that draws",
    "tests/ui/test_image_worker.py": "the thread that draws",
    "tests/watch/test_drawing_process.py": "a process that draws, and the thread that waits for it",
    "tests/mutants": "processes that are forked before the bot is imported",
    "tests/store/test_crashes.py": "a process that is killed while it writes",
}
"""Files or folders, with the reason for each."""
MARK = "pytest.mark.real"
PATIENCE = 300.0
"""Seconds for anything real to happen. No machine is so slow: whoever waits longer hangs."""


def listed() -> list[tuple[str, str]]:
    """Everything real with its reason, which is empty where a mark gives none."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [*REAL.items(), *(one for file in files for one in _marked(file))]


def _marked(file: Path) -> Iterator[tuple[str, str]]:
    name = file.relative_to(ROOT).as_posix()
    source = file.read_text()
    for node in ast.parse(source).body if MARK in source else ():
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=mark):
                yield from ((name, reason) for reason in _reasons(mark))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for mark in node.decorator_list:
                    yield from ((f"{name}::{node.name}", reason) for reason in _reasons(mark))
            case _:
                pass


def _reasons(mark: ast.expr) -> Iterator[str]:
    """The reason, when this is the mark."""
    called = mark.func if isinstance(mark, ast.Call) else mark
    if ast.unparse(called) == MARK:
        given = mark.args if isinstance(mark, ast.Call) else []
        yield str(ast.literal_eval(given[0])) if given else ""


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.real", description=__doc__).parse_args()
    for name, reason in listed():
        sys.stdout.write(f"{name}: {reason}\n")
