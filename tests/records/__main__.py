"""`python -m tests.records 1000`: whole matches at real tables, each log read by the referee.

With `--kept`, they are a server's: its records are held against those that the logs add up to.
"""

import argparse
import asyncio
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.verify.referee import Referee
from tests.records.server import kept, play, worked_out
from tests.records.test_log import random_match, written
from tests.store.conftest import opened


async def checked(matches: int) -> Counter[str]:
    """What was dealt, played and refused in so many matches. Raises LogError."""
    seen: Counter[str] = Counter()
    for seed in range(matches):
        referee = Referee(written(*await random_match(seed))).check()
        assert {"promise", "public"} <= set(referee.start)
        seen.update(referee.seen)
    return seen


async def held(matches: int) -> int:
    """How many records a server has after so many matches. Raises AssertionError."""
    with TemporaryDirectory() as folder:
        async with opened(Path(folder) / "ligretto.sqlite3") as store:
            await play(store, matches, seed=1)
            found = await kept(store)
            assert found == await worked_out(store), "other records than those of the logs"
            return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.records", description=__doc__)
    parser.add_argument("matches", type=int)
    parser.add_argument("--kept", action="store_true", help="a server's records as well")
    given = parser.parse_args()
    matches = given.matches
    if given.kept:
        count = asyncio.run(held(matches))
        sys.stdout.write(f"{matches:,} matches: all {count} records are those of the logs\n")
        return
    seen = asyncio.run(checked(matches))
    told = ", ".join(f"{seen[kind]:,} {kind}s" for kind in ("deal", "move", "reject", "leave"))
    sys.stdout.write(f"{matches:,} matches hold, every promise, seed, deal and roll: {told}\n")


if __name__ == "__main__":
    main()
