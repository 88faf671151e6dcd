"""`python -m tests.ui.lean_http 200000`: so many answers of a hostile server, in simulated time."""

import argparse
import sys

from tests.ui.lean_http.hostile import besieged

AT_A_TIME = 10_000
"""Answers with one seed."""


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.ui.lean_http", description=__doc__)
    parser.add_argument("answers", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    wrong = 0
    for number, left in enumerate(range(given.answers, 0, -AT_A_TIME)):
        result = besieged(min(left, AT_A_TIME), given.seed + number)
        wrong += len(result.wrong)
        sys.stdout.write(f"seed {given.seed + number}: {dict(result.outcomes)}\n")
        sys.stdout.writelines(f"  WRONG: {one}\n" for one in result.wrong)
    sys.stdout.write(f"{given.answers} answers, {wrong} promises broken\n")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
