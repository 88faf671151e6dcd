"""A fault in functions that exist already: each is given the code that it has with the fault."""

import ast
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

from tests.mutants.faults import ROOT, Fault, tree

Key = tuple[str, int]
"""The qualified name of a function and its first line."""


def can_patch(fault: Fault) -> bool:
    """False if a function would need other names of the functions around it than it has."""
    before = _codes(ast.parse((ROOT / fault.path).read_text("utf-8")), fault)
    after = _codes(tree(fault), fault)
    return all(before[key].co_freevars == code.co_freevars for key, code in after.items())


def patch(fault: Fault) -> None:
    """Put the fault into every function of its module that was imported."""
    before = _codes(ast.parse((ROOT / fault.path).read_text("utf-8")), fault)
    changed = {key: code for key, code in _codes(tree(fault), fault).items() if code != before[key]}
    found = 0
    gc.unfreeze()  # what is frozen is not among the objects
    for function in gc.get_objects():
        if not isinstance(function, FunctionType):
            continue
        old = function.__code__
        code = changed.get((old.co_qualname, old.co_firstlineno))
        if code is not None and old.co_filename == code.co_filename:
            function.__code__ = code
            found += 1
    if not found:
        raise LookupError(f"no function has this fault: {fault}")


def _codes(module: ast.Module, fault: Fault) -> dict[Key, CodeType]:
    code = compile(module, str(ROOT / fault.path), "exec", dont_inherit=True)
    return {(one.co_qualname, one.co_firstlineno): one for one in _inside(code)}


def _inside(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if not constant.co_name.startswith("<"):
                yield constant
            yield from _inside(constant)
