"""Count the rooms of bot/ and the imports between them: `python -m scripts.imports [CHECKOUT]`.

A room is a folder with modules, or a module of bot/ itself. An arrow is one room that imports
another, however often. What is imported only for types (`TYPE_CHECKING`) does not count.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(checkout: Path) -> None:
    modules = {name(path.relative_to(checkout)): path for path in (checkout / "bot").rglob("*.py")}
    arrows = Counter(
        (room(importer, modules), room(imported, modules))
        for importer, path in modules.items()
        for imported in imports(ast.parse(path.read_text("utf-8")), modules)
    )
    rooms = Counter(room(module, modules) for module in modules)
    for one, count in sorted(rooms.items()):
        others = sorted({there for here, there in arrows if here == one != there})
        sys.stdout.write(f"{one} ({count}): {', '.join(others) or '-'}\n")
    between = [arrow for arrow in arrows if arrow[0] != arrow[1]]
    both_ways = sum((there, here) in arrows for here, there in between) // 2
    sys.stdout.write(f"{len(modules)} modules, {len(rooms)} rooms, {len(between)} arrows, ")
    sys.stdout.write(
        f"{both_ways} pairs that import each other; most in a room: {max(rooms.values())}\n"
    )


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
    """Yield the modules of bot/ that are imported, each as often as it is."""
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
