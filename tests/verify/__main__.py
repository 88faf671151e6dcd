"""`python -m tests.verify 200`: so many damages to logs, each of which has to be found.

As many again are forged: one value is changed that follows from others, and the digest made anew.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from random import Random

from bot.games.chance_scheme import Scheme
from bot.verify.errors import LogError
from bot.verify.referee import Referee
from tests.verify.damages import damaged, forged
from tests.verify.evenings import log

LOGS = 12


def is_found(text: bytes) -> bool:
    try:
        Referee(text).check()
    except LogError:
        return True
    return False


async def counted(damages: int, seed: int) -> None:
    luck = Random(seed)
    logs = [await log(number, scheme) for number in range(LOGS) for scheme in Scheme]
    began = time.process_time()
    for text in logs:
        Referee(text).check()
    took = (time.process_time() - began) / len(logs)
    size = sum(map(len, logs)) / len(logs) / 1024
    tell(f"{len(logs)} logs of {size:.0f} KiB fit, in {1000 * took:.0f} ms each")
    for damage in (damaged, forged):
        found: Counter[bool] = Counter()
        for _ in range(damages):
            _, broken = damage(luck.choice(logs), luck)
            found[is_found(broken)] += 1
        tell(f"{damage.__name__}: {found[True]} of {damages} found")


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.verify", description=__doc__)
    parser.add_argument("damages", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(counted(given.damages, given.seed))


if __name__ == "__main__":
    main()
