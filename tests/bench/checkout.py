"""Another commit of the project, beside this checkout."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.crowd import BenchError
from tests.loopback.bots import ROOT


@contextmanager
def checkout(commit: str, repository: Path = ROOT) -> Iterator[Path]:
    """A git worktree of this commit in a temporary folder, removed at the end. Raises BenchError
    with what git says.
    """
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "other"
        _git(repository, "worktree", "add", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            _git(repository, "worktree", "remove", "--force", str(tree))


def _git(repository: Path, *arguments: str) -> None:
    command = ("git", "-C", str(repository), *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BenchError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
