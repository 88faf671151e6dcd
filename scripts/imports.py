"""Count the rooms of bot/ and the imports between them: `python -m scripts.imports [CHECKOUT]`.

A room is a folder with modules, or a module of bot/ itself. An arrow is one room that imports
another, however often. What is imported only for types (`TYPE_CHECKING`) does not count.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent


Arrow: TypeAlias = tuple[str, str]
"""The room that imports, and the room that is imported."""


def main(checkout: Path) -> None:
    modules = modules_of(checkout)
    arrows = arrows_between(modules)
    rooms = Counter(room(module, modules) for module in modules)
    for one, count in sorted(rooms.items()):
        others = sorted(there for here, there in arrows if here == one)
        sys.stdout.write(f"{one} ({count}): {', '.join(others) or '-'}\n")
    sys.stdout.write(
        f"{len(modules)} modules, {len(rooms)} rooms, {len(arrows)} arrows, {len(pairs(arrows))} "
        f"pairs that import each other; most in a room: {max(rooms.values())}\n"
    )


def modules_of(checkout: Path) -> dict[str, Path]:
    """Return the files of bot/ by the names of their modules."""
    return {name(path.relative_to(checkout)): path for path in (checkout / "bot").rglob("*.py")}


def arrows_between(modules: dict[str, Path]) -> set[Arrow]:
    """Return the imports between different rooms."""
    arrows = {
        (room(importer, modules), room(imported, modules))
        for importer, path in modules.items()
        for imported in imports(ast.parse(path.read_text("utf-8")), modules)
    }
    return {(here, there) for here, there in arrows if here != there}


def pairs(arrows: set[Arrow]) -> set[Arrow]:
    """Return the rooms that import each other, each pair once, in alphabetical order."""
    return {(one, other) for one, other in arrows if one < other and (other, one) in arrows}


def name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str, modules: dict[str, Path]) -> str:
    """Return the folder that a module is in.

    A package is in itself, and so is a module of bot/.
    """
    is_room = modules[module].name == "__init__.py" or module.count(".") == 1
    return module if is_room else module.rpartition(".")[0]


def imports(tree: ast.AST, modules: dict[str, Path]) -> Iterator[str]:
    """Yield the modules of bot/ that are imported, more than once if they are."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    if isinstance(tree, ast.Import):
        yield from (alias.name for alias in tree.names if alias.name in modules)
    elif isinstance(tree, ast.ImportFrom) and tree.module in modules:
        for alias in tree.names:
            whole = f"{tree.module}.{alias.name}"
            yield whole if whole in modules else tree.module
    for child in ast.iter_child_nodes(tree):
        yield from imports(child, modules)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
