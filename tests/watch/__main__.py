"""`python -m tests.watch 1000`: rounds to watch, held against the referee, and drawn.

Every step of every round has to be a state of the referee's. One round of each tenth match is
drawn, in a process of its own: what that takes at most is told at the end.
"""

import argparse
import asyncio
import sys
from collections import Counter

from tests.watch.kinds import any_log
from tests.watch.measured import Largest
from tests.watch.test_rounds import hold_log

DRAWN = 10


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.watch", description=__doc__)
    parser.add_argument("matches", type=int)
    matches: int = parser.parse_args().matches
    seen: Counter[str] = Counter()
    largest = Largest()
    for seed in range(matches):
        kind, text = await any_log(seed)
        found = hold_log(text)
        seen[f"logs: {kind}"] += 1
        seen["rounds"] += len(found)
        seen["steps"] += sum(len(one.steps) for one in found)
        seen["duels"] += sum(len(one.duels) for one in found)
        last = [seat for one in found for seat in one.steps[-1].state.seats]
        seen["leavers"] += sum(seat is not None and seat.gone for seat in last)
        seen.update(f"rounds of {one.game}, {one.reason}" for one in found)
        seen.update(f"rounds of {len(one.dealt)} players" for one in found)
        if seed % DRAWN == 0 and found:
            largest.draw(text)
    told = ", ".join(f"{kind}: {count:,}" for kind, count in sorted(seen.items()))
    sys.stdout.write(f"{matches:,} logs hold. {told}\n{largest}\n")


if __name__ == "__main__":
    asyncio.run(main())
