"""`python -m tests.records 1000`: whole matches at real tables, each log read by the referee."""

import argparse
import asyncio
import sys
from collections import Counter

from tests.records.referee import Referee
from tests.records.test_log import evening, written


async def checked(matches: int) -> Counter[str]:
    """What was dealt, played and refused in so many matches. Raises FoulError."""
    seen: Counter[str] = Counter()
    for seed in range(matches):
        referee = Referee(written(*await evening(seed))).check()
        assert {"promise", "public"} <= set(referee.start)
        seen.update(referee.seen)
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.records", description=__doc__)
    parser.add_argument("matches", type=int)
    matches = parser.parse_args().matches
    seen = asyncio.run(checked(matches))
    told = ", ".join(f"{seen[kind]:,} {kind}s" for kind in ("deal", "move", "reject", "leave"))
    sys.stdout.write(f"{matches:,} matches hold, every promise, seed, deal and roll: {told}\n")


if __name__ == "__main__":
    main()
