"""One row a goal: what was measured, and whether it is enough."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`ours` and `bare` in words; `ratio` of the two where the goal is one."""

    what: str
    goal: str
    ours: str
    met: bool | None = None
    bare: str = ""
    ratio: float | None = None


HEAD = ("what", "goal", "ours", "bare bot", "ratio", "met")


def compared(what: str, most: float, ours: float, bare: float, unit: str) -> Row:
    """A figure that may be at most so many times the bare bot's."""
    ratio = ours / bare
    told = (f"{ours:.3g} {unit}", f"{bare:.3g} {unit}")
    return Row(what, f"at most {most} x", told[0], ratio <= most, told[1], ratio)


def at_least(what: str, least: float, ours: float, bare: float, unit: str) -> Row:
    """A figure that has to be so many times the bare bot's."""
    ratio = ours / bare
    return Row(
        what, f"at least {least} x", f"{ours:.0f} {unit}", ratio >= least, f"{bare:.0f}", ratio
    )


def table(rows: Iterable[Row]) -> str:
    """In markdown."""
    lines = [_line(HEAD), _line(["---"] * len(HEAD))]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        met = {True: "yes", False: "**no**", None: ""}[row.met]
        lines.append(_line((row.what, row.goal, row.ours, row.bare, ratio, met)))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def share(values: Sequence[float], part: float) -> float:
    """The value below which this part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
