"""Small faults that can be made in a module: each changes one place of its syntax tree.

Left alone are docstrings, types, decorators, assertions (`strict=` of zip is one), and the words of
errors and log lines.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""The boundary moved, and the opposite."""
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
TYPES = {"annotation", "returns", "decorator_list", "type_params", "format_spec"}
"""Fields of a node in which no fault is made."""
WORDS = {"log", "logger", "cast", "NewType", "TypeVar", "ParamSpec"}
"""Calls of these, or of their methods, say something to people or type checkers only."""
Option = tuple[str, ast.AST | None]
"""What is changed, and the node that stands there instead; None where the node is dropped."""
Put = Callable[[ast.AST | None], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """One place and one change there. `number` counts the faults of its file."""

    path: str
    number: int
    function: str
    """Its qualified name; empty for what runs on import."""
    statement: int
    """The line of the innermost statement of the function; 0 for what runs on import."""
    line: int
    text: str
    change: str

    @property
    def module(self) -> str:
        """The name it is imported by."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@dataclass(frozen=True, slots=True)
class _Site:
    function: str
    statement: int
    line: int
    change: str
    make: Callable[[], None]


def faults(path: Path) -> list[Fault]:
    """All faults that can be made in a file, in its order."""
    source = path.read_text("utf-8")
    lines, name = source.splitlines(), path.relative_to(ROOT).as_posix()
    found, seen = [], Counter[tuple[str, str, str]]()
    for number, site in enumerate(_sites(ast.parse(source), "", 0)):
        text = lines[site.line - 1].strip()
        key = site.function, text, site.change
        seen[key] += 1
        change = site.change if seen[key] == 1 else f"{site.change} ({seen[key]})"
        found.append(Fault(name, number, site.function, site.statement, site.line, text, change))
    return found


def tree(fault: Fault) -> ast.Module:
    """The syntax tree of the fault's module, with the fault in it."""
    module = ast.parse((ROOT / fault.path).read_text("utf-8"))
    site = next(one for n, one in enumerate(_sites(module, "", 0)) if n == fault.number)
    site.make()
    return ast.fix_missing_locations(module)


def _sites(node: ast.AST, function: str, statement: int) -> Iterator[_Site]:
    """Every place below a node. `make` changes the tree, so only one of them may be made."""
    for field, child, put in _children(node):
        if _left_alone(child):
            continue
        inside, at = function, statement
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{function}.{node.name}" if function else node.name
        if isinstance(child, ast.stmt) and field != "handlers":
            in_function = not isinstance(node, ast.Module | ast.ClassDef)
            at = child.lineno if in_function and (statement or _is_function(node)) else 0
        line = getattr(child, "lineno", getattr(node, "lineno", 0))
        for change, new in _options(child):
            yield _Site(inside, at, line, change, _made(put, new))
        yield from _sites(child, inside, at)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _made(put: Put, new: ast.AST | None) -> Callable[[], None]:
    return lambda: put(new)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST, Put]]:
    """The nodes directly below, each with its field and with what puts another in its place."""
    for field, value in ast.iter_fields(node):
        if field in TYPES:
            continue
        if isinstance(value, ast.AST):
            yield field, value, _put(node, field)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.AST):
                    yield field, one, _put_at(value, index)


def _put(node: ast.AST, field: str) -> Put:
    return lambda new: setattr(node, field, new)


def _put_at(nodes: list[ast.AST], index: int) -> Put:
    return lambda new: nodes.__setitem__(slice(index, index + 1), [] if new is None else [new])


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()) | ast.keyword(arg="strict"):
            return True
        case ast.Expr(value=ast.Call(func=called)) | ast.Call(func=called):
            name = called.value if isinstance(called, ast.Attribute) else called
            return isinstance(name, ast.Name) and name.id in WORDS
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case _:
            return False


def _options(node: ast.AST) -> Iterator[Option]:
    match node:
        case ast.stmt():
            yield from _statements(node)
        case ast.Compare() | ast.BoolOp() | ast.BinOp() | ast.UnaryOp():
            yield from _operators(node)
        case ast.IfExp(body=body, orelse=orelse):
            yield "if and else swapped", _with(node, body=orelse, orelse=body)
        case ast.Constant():
            yield from _constants(node)
        case ast.Call():
            yield from _calls(node)
        case ast.comprehension(ifs=[_, *rest]):
            yield "the first 'if' dropped", _with(node, ifs=rest)
        case ast.match_case(guard=ast.expr()):
            yield "guard dropped", _with(node, guard=None)
        case _:
            return


def _operators(node: ast.expr) -> Iterator[Option]:
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    changed = [*ops[:index], other(), *ops[index + 1 :]]
                    yield f"{_sign(op)} becomes {_sign(other())}", _with(node, ops=changed)
        case ast.BoolOp(op=op, values=[*most, _]):
            swapped = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{_sign(op)} becomes {_sign(swapped)}", _with(node, op=swapped)
            fewer = _with(node, values=most) if len(most) > 1 else most[0]
            yield f"the last of {_sign(op)} dropped", fewer
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield f"{_sign(node.op)} dropped", operand
        case ast.BinOp(op=op) if type(op) in COMPUTED:
            computed = COMPUTED[type(op)]()
            yield f"{_sign(op)} becomes {_sign(computed)}", _with(node, op=computed)
        case _:
            return


def _statements(node: ast.stmt) -> Iterator[Option]:
    match node:
        case ast.If():
            yield "never taken", _with(node, test=ast.Constant(value=False))
            yield "always taken", _with(node, test=ast.Constant(value=True))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "returns None", _with(node, value=ast.Constant(value=None))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise():
            yield "statement dropped", ast.Pass()
        case ast.AugAssign(op=op) if type(op) in COMPUTED:
            other = COMPUTED[type(op)]()
            yield f"{_sign(op)} becomes {_sign(other)}", _with(node, op=other)
        case ast.Break():
            yield "break becomes continue", ast.Continue()
        case ast.Continue():
            yield "continue becomes break", ast.Break()
        case _:
            return


def _constants(node: ast.Constant) -> Iterator[Option]:
    match node.value:
        case bool() as old:
            yield f"{old} becomes {not old}", ast.Constant(value=not old)
        case int() as number:
            for value in (number + 1, number - 1):
                yield f"{number} becomes {value}", ast.Constant(value=value)
        case float() as real:
            yield f"{real} doubled", ast.Constant(value=2 * real or 1.0)
        case str() as text:
            yield f"{text!r} with a '?'", ast.Constant(value=f"{text}?")
        case _:
            return


def _calls(node: ast.Call) -> Iterator[Option]:
    match node.func:
        case ast.Name(id=name) if name in CALLED:
            called = ast.Name(id=CALLED[name], ctx=ast.Load())
            yield f"{name} becomes {CALLED[name]}", _with(node, func=called)
        case ast.Name(id="replace"):
            for index, keyword in enumerate(node.keywords):
                rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
                yield f"{keyword.arg}= dropped", _with(node, keywords=rest)
        case _:
            return


def _with(node: ast.AST, **changed: object) -> ast.AST:
    new = copy(node)
    for field, value in changed.items():
        setattr(new, field, value)
    return new


def _sign(operator: ast.AST) -> str:
    """An operator as its node is called: Lt, Add."""
    return type(operator).__name__
