"""One row per goal: what was measured, and whether it is enough."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """`ours` and `other` in words; `ratio` of the two in words where they are compared."""

    what: str
    goal: str
    ours: str
    met: bool | None = None
    other: str = ""
    ratio: str = ""


BARE = "bare bot"


def compared(what: str, most: float, ours: float, other: float, unit: str) -> Row:
    """A figure that may be at most so many times the other bot's."""
    ratio = ours / other
    told = (f"{ours:.3g} {unit}", f"{other:.3g} {unit}")
    return Row(what, f"at most {most} x", told[0], ratio <= most, told[1], f"{ratio:.2f}")


def by_rounds(
    what: str, most: float | None, ours: Sequence[float], other: Sequence[float], unit: str
) -> Row:
    """A figure of both bots, measured in turn in so many rounds: medians with their ranges, the
    ratio of the medians, and the ratios round by round. `most`: for the ratio of the medians.
    """
    ratio = median(ours) / median(other)
    ratios = [mine / theirs for mine, theirs in zip(ours, other, strict=True)]
    return Row(
        what,
        "" if most is None else f"at most {most} x",
        f"{_spread(ours, 3)} {unit}",
        None if most is None else ratio <= most,
        f"{_spread(other, 3)} {unit}",
        f"{ratio:.2f}; per round {median(ratios):.2f} [{min(ratios):.2f}..{max(ratios):.2f}]",
    )


def at_least(what: str, least: float, ours: float, other: float, unit: str) -> Row:
    """A figure that has to be so many times the other bot's. The other's may be 0."""
    ratio = ours / other if other else float("inf")
    told = (f"{ours:.0f} {unit}", f"{other:.0f} {unit}")
    return Row(what, f"at least {least} x", told[0], ratio >= least, told[1], f"{ratio:.2f}")


def table(rows: Iterable[Row], other: str = BARE) -> str:
    """In markdown. `other`: what the other bot is called."""
    head = ("what", "goal", "ours", other, "ratio", "met")
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        met = {True: "yes", False: "**no**", None: ""}[row.met]
        lines.append(_line((row.what, row.goal, row.ours, row.other, row.ratio, met)))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _spread(values: Sequence[float], digits: int) -> str:
    """The median, with the range of all."""
    low, middle, high = (_short(one, digits) for one in (min(values), median(values), max(values)))
    return f"{middle} [{low}..{high}]"


def _short(value: float, digits: int) -> str:
    return f"{value:,.0f}" if value >= 10**digits else f"{value:.{digits}g}"


def share(values: Sequence[float], part: float) -> float:
    """The value below which this part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
