"""Which test reaches which statement, and how long it takes.

The modules are imported with a mark before each statement of their functions; the tests run once.
"""

import ast
import builtins
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.mutants.faults import ROOT, Fault
from tests.mutants.process import run_all, run_tests

MARK = "__reached__"
PASSED = {int(pytest.ExitCode.OK), int(pytest.ExitCode.NO_TESTS_COLLECTED)}
CHEAP, NARROW = 150, 30
"""Tests that are asked for a fault. What none of so many notices is missed: they are those that
take the shortest time, and those that reach the fewest statements.
"""
NO_TEST = ""
"""What is reached while tests are imported or collected."""
Statement = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """Tests are named by their node ids."""

    seconds: dict[str, float]
    """Processor seconds of each test, with marks."""
    tests: dict[Statement, set[str]]
    breadth: dict[str, int]
    """The number of statements that each test reaches."""

    def of(self, fault: Fault) -> tuple[str, ...]:
        """The tests that reach a fault's statement and are asked, the cheapest first."""
        return self._asked(self.tests.get((fault.path, fault.statement), set()) - {NO_TEST})

    def of_module(self, fault: Fault) -> tuple[str, ...]:
        """The tests that can notice what runs on import, or is kept after its first call.

        They are those that reach any statement of its module, and then those that only read what
        is there: they reach nothing.
        """
        of_file = (tests for (path, _), tests in self.tests.items() if path == fault.path)
        reading = set(self.seconds).difference(*self.tests.values())
        return self._asked(set().union(*of_file) - {NO_TEST}) + self._asked(reading)

    def _asked(self, tests: Iterable[str]) -> tuple[str, ...]:
        """The cheapest of these tests, and then the narrowest of the others.

        The second parameters of a test cost twice as much as the first: they tell less.
        """
        cost, times = dict[str, float](), Counter[str]()
        for test in sorted(tests, key=self.breadth.__getitem__):
            times[test.partition("[")[0]] += 1
            cost[test] = self.seconds[test] * times[test.partition("[")[0]]
        narrow = list(cost)
        cheap = sorted(cost, key=cost.__getitem__)[:CHEAP]
        asked = set(cheap)
        return (*cheap, *[test for test in narrow if test not in asked][:NARROW])

    def is_kept(self, fault: Fault) -> bool:
        """True for what runs on import or may keep what it returned then."""
        statement = fault.path, fault.statement
        return not fault.statement or NO_TEST in self.tests.get(statement, ())


def reach(paths: Iterable[Path], tests: Sequence[str], jobs: int) -> Reach:
    """Run each file or folder of tests once, in a process of its own, on marked modules."""
    marks: list[Statement] = []
    codes = {path: _marked(path, marks) for path in paths}
    found = Reach({}, defaultdict(set), {})
    works = ((name, partial(_record, codes, name)) for name in tests)
    for name, child in run_all(works, jobs):
        if child.status not in PASSED:
            raise RuntimeError(f"{name} without any fault: exit {child.status}\n{child.answer}")
        for line in child.answer.splitlines():
            test, seconds, reached = json.loads(line)
            if test != NO_TEST:
                found.seconds[test] = seconds
                found.breadth[test] = len(reached)
            for number in reached:
                found.tests[marks[number]].add(test)
    return found


def _marked(path: Path, marks: list[Statement]) -> ast.Module:
    """The module with a mark before each statement of its functions."""
    module, name = ast.parse(path.read_text("utf-8")), path.relative_to(ROOT).as_posix()
    functions = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    done: set[int] = set()
    for function in functions:
        for node in ast.walk(function):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if not isinstance(block, list) or id(block) in done:
                    continue
                done.add(id(block))
                marked: list[ast.stmt] = []
                for statement in block:
                    call = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(len(marks))], [])
                    marked += (ast.copy_location(ast.Expr(call), statement), statement)
                    marks.append((name, statement.lineno))
                block[:] = marked
    return ast.fix_missing_locations(module)


def _record(codes: dict[Path, ast.Module], tests: str, file: Path) -> int:
    reached: set[int] = set()
    setattr(builtins, MARK, reached.add)
    with file.open("w", encoding="utf-8") as told:

        def tell(test: str, seconds: float) -> None:
            told.write(json.dumps((test, seconds, sorted(reached))) + "\n")
            told.flush()
            reached.clear()

        return run_tests(codes, [tests], _Recorder(tell))


class _Recorder:
    """A plugin of pytest's that tells what each test has reached."""

    def __init__(self, tell: Callable[[str, float], None]) -> None:
        self._tell = tell

    def pytest_collection_finish(self) -> None:
        self._tell(NO_TEST, 0.0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        began = time.process_time()
        result = yield
        self._tell(item.nodeid, time.process_time() - began)
        return result
