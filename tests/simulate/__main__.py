"""`python -m tests.simulate --seeds 1000`: play evenings, and tell which seeds broke a promise."""

import argparse
import random
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context

from tests.garbage import collect_rarely
from tests.simulate import run_seed
from tests.simulate.around import run
from tests.simulate.groups import evening
from tests.simulate.plan import Outcome, Plan
from tests.simulate.plant import BETWEEN_GROUPS, IN_A_CROWD, PLANTED, plant

BEFORE = 50
"""Events that a failing seed is told with."""
NIGHTLY = 40
GROUPS, DRAWN = (2, 2, 3, 4), -1
"""How many groups play together, and the word for as many as the seed draws of these."""


@dataclass(frozen=True, slots=True)
class Played:
    """An outcome, or the error that kept the simulation from its end; with processor seconds."""

    plan: Plan
    outcome: Outcome | None
    error: str
    processor: float

    @property
    def is_fine(self) -> bool:
        return self.outcome is not None and not self.outcome.violations


def played(plan: Plan, planted: str = "") -> Played:
    """Play one evening in this process. It is left as it is: play one evening a process."""
    began = time.process_time()
    collect_rarely()
    if planted:
        plant(planted)
    try:
        outcome = run(plan, evening.evening if plan.groups else run_seed.evening)
    except Exception as error:
        return Played(plan, None, repr(error), time.process_time() - began)
    return Played(plan, outcome, "", time.process_time() - began)


def evenings(plans: Sequence[Plan], jobs: int, planted: str = "") -> Iterator[Played]:
    """Play each plan in a process of its own, so many at a time, in their order."""
    with get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(_Job(planted), plans, chunksize=1)


@dataclass(frozen=True, slots=True)
class _Job:
    planted: str

    def __call__(self, plan: Plan) -> Played:
        return played(plan, self.planted)


def main(arguments: Sequence[str] | None = None) -> int:
    """1 when a seed has failed, or when no seed has caught one of all planted faults."""
    asked = _parser().parse_args(arguments)
    first = asked.seed if asked.seed is not None else asked.first
    count = 1 if asked.seed is not None else asked.seeds
    races = asked.races is not None
    plan = Plan(
        *(0, asked.seconds, asked.tables, asked.pace, asked.trouble, races),
        http_client=asked.http_client,
        is_tls=asked.tls,
        groups=asked.groups,
        is_crowded=asked.crowded or asked.plant in IN_A_CROWD,
    )
    endless = races and asked.seed is None
    plans = [_drawn(replace(plan, seed=seed)) for seed in range(first, first + count)]
    if asked.plants:
        return _all_caught(BETWEEN_GROUPS if asked.groups else PLANTED, plans, asked.jobs)
    failed, done, total = 0, 0, _Total()
    while not done or (endless and total.raced < asked.races):
        if endless:
            plans = [_drawn(replace(plan, seed=first + done + one)) for one in range(asked.jobs)]
        for one in evenings(plans, asked.jobs, asked.plant or ""):
            done += 1
            total.add(one)
            if not one.is_fine:
                failed += 1
                _tell(one, asked.plant)
            if asked.verbose:
                _say(_line(one))
            if failed and asked.plant:
                break
    _say(f"{failed} of {done} seeds failed; {total}")
    return 1 if failed else 0


def _drawn(plan: Plan) -> Plan:
    """Return the plan with as many groups as its seed draws, if that is asked for."""
    if plan.groups != DRAWN:
        return plan
    return replace(plan, groups=random.Random(f"groups of {plan.seed}").choice(GROUPS))


def _all_caught(planted: Collection[str], plans: Sequence[Plan], jobs: int) -> int:
    """Return the exit code: 1 if one of these faults is missed."""
    missed = sum(not _is_caught(name, plans, jobs) for name in planted)
    _say(f"{len(planted) - missed} of {len(planted)} planted faults were caught")
    return 1 if missed else 0


def _is_caught(name: str, plans: Sequence[Plan], jobs: int) -> bool:
    """Tell which seed catches this planted fault, by which invariant."""
    plans = [replace(one, is_crowded=name in IN_A_CROWD) for one in plans]
    for one in evenings(plans, jobs, name):
        if not one.is_fine:
            _say(f"{name:<36}seed {one.plan.seed:<4}{_first_broken(one)}")
            return True
    _say(f"{name:<36}MISSED by {len(plans)} seeds")
    return False


def _first_broken(one: Played) -> str:
    return one.error if one.outcome is None else one.outcome.violations[0].promise


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("--seeds", type=int, default=NIGHTLY, help=f"how many (default: {NIGHTLY})")
    parser.add_argument("--first", type=int, default=1, help="the first one (default: 1)")
    parser.add_argument("--seed", type=int, help="play this one alone")
    parser.add_argument("--seconds", type=float, default=Plan(0).seconds, help="simulated, a seed")
    parser.add_argument("--tables", type=int, default=Plan(0).tables)
    parser.add_argument("--pace", type=float, default=Plan(0).pace, help="seconds between presses")
    parser.add_argument("--trouble", type=float, default=1.0, help="0 for none, 2 for twice")
    parser.add_argument(
        "--races", type=int, help="play crowded tables until so many presses have raced"
    )
    parser.add_argument(
        "--groups",
        type=int,
        nargs="?",
        default=0,
        const=DRAWN,
        help="processes of one bot together; alone: 2 to 4, drawn from the seed",
    )
    parser.add_argument("--crowded", action="store_true", help="groups reach the limit of calls")
    parser.add_argument("--tls", action="store_true", help="Discord is reached over TLS")
    parser.add_argument("--http-client", choices=("lean", "aiohttp"), default="lean")
    parser.add_argument(
        "--plant", choices=sorted(PLANTED | BETWEEN_GROUPS), help="with this fault in the bot"
    )
    parser.add_argument("--plants", action="store_true", help="each fault, until a seed catches it")
    parser.add_argument("--jobs", type=int, default=2, help="seeds at a time (default: 2)")
    parser.add_argument("--verbose", action="store_true", help="a line for every seed")
    return parser


def _tell(one: Played, planted: str | None) -> None:
    """A line with the command that plays it again, what was broken, and what came before."""
    again = f"python -m tests.simulate --seed {one.plan.seed}"
    for name in ("seconds", "tables", "pace", "trouble", "groups"):
        if (value := getattr(one.plan, name)) != getattr(Plan(0), name):
            again += f" --{name} {value}"
    again += " --crowded" if one.plan.is_crowded else ""
    again += " --races 1" if one.plan.races else ""
    again += " --tls" if one.plan.is_tls else ""
    again += f" --http-client {one.plan.http_client}" * (one.plan.http_client != "lean")
    again += f" --plant '{planted}'" if planted else ""
    _say(f"FAILED {again}")
    if one.outcome is None:
        _say(f"  the simulation ended: {one.error}")
        return
    first = one.outcome.violations[0]
    _say(f"  {first.at:.3f} {first.promise}: {first.told}")
    _say(f"  and {len(one.outcome.violations) - 1} more; before it:")
    for event in [event for event in one.outcome.events if event.at <= first.at][-BEFORE:]:
        _say(f"    {event.at:10.3f} {event.told}")


def _line(one: Played) -> str:
    out = one.outcome
    if out is None:
        return f"seed {one.plan.seed}: {one.error}"
    return (
        f"seed {one.plan.seed}: trace {out.trace}, {out.presses} presses, {out.accepted} accepted, "
        f"{out.raced} raced, {out.late} too late, "
        f"{out.watched} watched, {out.shared} shared, "
        f"{out.faults} faults, {out.kills} kills, {out.matches} matches, {out.calls} calls, "
        f"{len(out.violations)} broken, {one.processor:.1f} s"
    )


SUMS = (
    "presses",
    "accepted",
    "raced",
    "late",
    "watched",
    "shared",
    "faults",
    "kills",
    "matches",
    "calls",
)


class _Total:
    """What all seeds came to together."""

    def __init__(self) -> None:
        self._sums = dict.fromkeys(SUMS, 0)
        self._processor = 0.0

    @property
    def raced(self) -> int:
        return self._sums["raced"]

    def add(self, one: Played) -> None:
        self._processor += one.processor
        if one.outcome is not None:
            for name in self._sums:
                self._sums[name] += getattr(one.outcome, name)

    def __str__(self) -> str:
        sums = ", ".join(f"{value:,} {name}" for name, value in self._sums.items())
        return f"{sums} in {self._processor:,.0f} s of processor time"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
