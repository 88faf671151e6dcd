"""Tables in Markdown, line by line."""

from collections.abc import Iterable, Iterator, Sequence


def head(cells: Sequence[str]) -> Iterator[str]:
    """Yield the first two lines of a table."""
    yield line(cells)
    yield "|" + "---|" * len(cells)


def line(cells: Iterable[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"
