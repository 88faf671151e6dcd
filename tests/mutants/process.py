"""Work in forked processes, and tests on modules that are changed as they are imported.

A process that forks children to change modules has imported other libraries, but not the bot.
"""

import ast
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import islice
from pathlib import Path
from types import CodeType, ModuleType
from typing import TypeAlias, TypeVar

import pytest
from hypothesis import Phase, settings

from tests import forks, slow
from tests.mutants.faults import ROOT
from tests.real import REAL

T = TypeVar("T")
MEMORY = 2 << 30
"""Bytes of address space that a child may take beyond what it is forked with."""
Work: TypeAlias = tuple[T, Callable[[Path], int]]
"""A name and what to do. Files last until the next child has ended."""
FAST = 2
"""Seconds of processor time that a test may take to be asked."""
BROKEN = 70
"""Exit code of a child that could not even ask pytest. Its answer says why."""


class Child:
    """A forked process that does one piece of work and writes its answer to a file."""

    def __init__(self, work: Callable[[Path], int]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self._answer = self._folder / "answer"
        self._answer.touch()
        self.status = 0
        """Its exit code once it has ended; minus the signal that ended it."""
        self.seconds = 0.0
        """Of processor time."""
        self.pid = os.fork()
        if self.pid:
            return
        status = BROKEN
        try:
            _be_alone()
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(self._folder)
            status = work(self._answer)
        except BaseException:
            self._answer.write_text(traceback.format_exc(), "utf-8")
        finally:
            os._exit(status)

    def wait(self) -> None:
        """Wait for its end."""
        _, status, usage = os.wait4(self.pid, 0)
        self.ended(status, usage)

    def ended(self, status: int, usage: resource.struct_rusage) -> None:
        """Take what `os.wait4` said of its end."""
        self.status = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime

    @property
    def answer(self) -> str:
        """What it has written so far."""
        return self._answer.read_text("utf-8")

    def forget(self) -> None:
        """Delete its files."""
        shutil.rmtree(self._folder, ignore_errors=True)


def run_all(works: Iterable[Work[T]], jobs: int) -> Iterator[tuple[T, Child]]:
    """Do works in children, so many at a time; each comes with its name when it has ended."""
    waiting, running = iter(works), dict[int, tuple[T, Child]]()
    while True:
        for name, work in islice(waiting, jobs - len(running)):
            child = Child(work)
            running[child.pid] = name, child
        if not running:
            return
        pid, status, usage = os.wait4(-1, 0)
        name, child = running.pop(pid)
        child.ended(status, usage)
        yield name, child
        child.forget()


def _be_alone() -> None:
    """Nothing is printed, and nothing comes from a process without the fault."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ[forks.PLACE] = ""


def limit_memory() -> None:
    """Let this process take so much more than it has."""
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))


def limit_time(seconds: float) -> None:
    """Let the system end this process after so many more seconds of its processor time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def run_tests(changed: Mapping[Path, ast.Module], tests: Sequence[str], plugin: object) -> int:
    """Run the fast ones of these tests here and now, up to the first failure. Return pytest's exit
    code.

    Hypothesis draws the same examples every time, and doesn't look for shorter ones.
    """
    if "bot" in sys.modules:
        raise RuntimeError("the bot was imported before it was changed")
    sys.meta_path.insert(0, _Finder({_module(path): tree for path, tree in changed.items()}))
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", derandomize=True, database=None, phases=phases)
    settings.load_profile("mutants")
    options = (
        *("-x", "--timeout=0", f"--rootdir={ROOT}", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-m", "not real", *(f"--ignore={ROOT / one}" for one in REAL)),
        *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
    )
    return int(pytest.main([*options, *tests], plugins=[_Fast(), plugin]))


class _Fast:
    """A plugin of pytest's that leaves out what is slow."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if slow.seconds(item.nodeid) <= FAST]


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Finder(MetaPathFinder):
    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self._trees = trees

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        tree = self._trees.get(fullname)
        if tree is None:
            return None
        file = ROOT.joinpath(*fullname.split("."))
        file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
        loader = _Loader(fullname, str(file), tree)
        return spec_from_file_location(fullname, file, loader=loader)


class _Loader(SourceFileLoader):
    def __init__(self, name: str, file: str, tree: ast.Module) -> None:
        super().__init__(name, file)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec", dont_inherit=True)
