"""One row per figure: what was measured, for each of the bots, and whether it is enough."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from tests.bench.compared import OURS


@dataclass(frozen=True, slots=True)
class Row:
    """`ours` and what the `others` got, by their names, as they are told. `met` is None where there
    is no goal.
    """

    what: str
    goal: str
    ours: str
    met: bool | None = None
    others: Mapping[str, str] = field(default_factory=dict)


Figures = Mapping[str, Sequence[float]]
"""By the names of bots, ours first: one value a round, in the order of the rounds."""


def compared(what: str, goals: Mapping[str, float], figures: Figures, unit: str) -> Row:
    """A figure of several bots, measured in turn in so many rounds: medians with their ranges. Each
    of the others also tells how many times its figure ours is: the ratio of the medians, and the
    range of the ratios round by round. `goals`: what the first may be at most, by names.
    """
    mine = figures[OURS.name]
    ratios = {
        name: median(mine) / median(theirs) for name, theirs in figures.items() if name != OURS.name
    }
    told = {
        name: f"{spread(figures[name])} {unit}; ours {_times(ratio, mine, figures[name])}"
        for name, ratio in ratios.items()
    }
    goals = {name: most for name, most in goals.items() if name in ratios}
    met = all(ratios[name] <= most for name, most in goals.items()) if goals else None
    goal = ", ".join(f"{most} x {name}" for name, most in goals.items())
    return Row(what, f"at most {goal}" if goal else "", f"{spread(mine)} {unit}", met, told)


def at_least(what: str, least: float, ours: float, other: float, unit: str, name: str) -> Row:
    """A figure that has to be so many times another bot's. The other's may be 0."""
    ratio = ours / other if other else float("inf")
    told = {name: f"{other:.0f} {unit}; ours {ratio:.2f} x"}
    return Row(what, f"at least {least} x {name}", f"{ours:.0f} {unit}", ratio >= least, told)


def table(rows: Sequence[Row]) -> str:
    """In Markdown, with a column for each bot that any row tells of."""
    names = list(dict.fromkeys(name for row in rows for name in row.others))
    head = ("what", "goal", OURS.name, "met", *names)
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        met = {True: "yes", False: "**no**", None: ""}[row.met]
        others = (row.others.get(name, "") for name in names)
        lines.append(_line((row.what, row.goal, row.ours, met, *others)))
    return "\n".join(lines)


def spread(values: Sequence[float], digits: int = 3) -> str:
    """The median, with the range of all where there are several."""
    low, middle, high = (_short(one, digits) for one in (min(values), median(values), max(values)))
    return f"{middle} [{low}..{high}]" if len(values) > 1 else middle


def share(values: Sequence[float], part: float) -> float:
    """The value below which this part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def _times(ratio: float, ours: Sequence[float], others: Sequence[float]) -> str:
    by_round = [mine / theirs for mine, theirs in zip(ours, others, strict=True)]
    if len(by_round) == 1:
        return f"{ratio:.2f} x"
    return f"{ratio:.2f} x [{min(by_round):.2f}..{max(by_round):.2f}]"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _short(value: float, digits: int) -> str:
    return f"{value:,.0f}" if value >= 10**digits else f"{value:.{digits}g}"
