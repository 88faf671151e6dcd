"""`python -m tests.verify 200`: so many damages to logs, which command and page have to find.

As many again are forged: one value is changed that follows from others, and the digest made anew.
Without a Chromium the page is left out.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeAlias

from bot.games.chance_scheme import Scheme
from bot.verify.page import PAGE
from tests.demo.browser import CHROMIUM, browser
from tests.verify.browser_page import opened, verdicts
from tests.verify.damages import damaged, forged
from tests.verify.evenings import log
from tests.verify.handed_out import logs as handed_out
from tests.verify.verdicts import Verdict, verdict
from tests.watch.kinds import any_log

LOGS = 12
Check: TypeAlias = Callable[[Sequence[bytes]], tuple[list[Verdict], float]]
"""What is found in each log, and in how many seconds."""


async def logs_by_kind(evening: dict[str, str]) -> list[tuple[str, str]]:
    """Logs of both schemes of chance, of every kind to watch, and what the bot handed out."""
    logs = [(scheme.name, await log(number, scheme)) for number in range(LOGS) for scheme in Scheme]
    logs += [await any_log(number) for number in range(2 * LOGS)]
    return [*logs, *((f"{kind} handed out", text) for kind, text in evening.items())]


def damages_of(
    logs: Sequence[str], damages: int, seed: int
) -> tuple[list[bytes], dict[str, list[bytes]]]:
    luck = Random(seed)
    broken = {
        damage.__name__: [damage(luck.choice(logs), luck)[1] for _ in range(damages)]
        for damage in (damaged, forged)
    }
    return [one.encode() for one in logs], broken


async def by_page(given: Sequence[bytes]) -> tuple[list[Verdict], float]:
    async with browser() as chrome:
        page, _ = await opened(chrome)
        began = time.perf_counter()
        return await verdicts(page, given), time.perf_counter() - began


def by_command(given: Sequence[bytes]) -> tuple[list[Verdict], float]:
    began = time.perf_counter()
    return [verdict(one) for one in given], time.perf_counter() - began


def tell(who: str, check: Check, logs: Sequence[bytes], broken: dict[str, list[bytes]]) -> None:
    found, took = check(logs)
    fit = sum(line == 0 for line, _, _ in found)
    size = sum(map(len, logs)) / len(logs) / 1024
    each = 1000 * took / len(logs)
    sys.stdout.write(
        f"{who}: {fit} of {len(logs)} logs of {size:.0f} KiB fit, {each:.0f} ms each\n"
    )
    for kind, damages in broken.items():
        found, _ = check(damages)
        wrong = [line > 0 for line, _, _ in found]
        sys.stdout.write(f"{who}: {sum(wrong)} of {len(damages)} {kind} are found\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.verify", description=__doc__)
    parser.add_argument("damages", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = handed_out(Path(folder))
    kinds = asyncio.run(logs_by_kind(evening))
    counts = Counter(kind for kind, _ in kinds)
    sys.stdout.write(", ".join(f"{kind}: {count}" for kind, count in counts.items()) + "\n")
    logs, broken = damages_of([text for _, text in kinds], given.damages, given.seed)
    tell("command", by_command, logs, broken)
    if CHROMIUM is not None:
        who = f"page of {PAGE.stat().st_size / 1024:.0f} KiB"
        tell(who, lambda some: asyncio.run(by_page(some)), logs, broken)


if __name__ == "__main__":
    main()
