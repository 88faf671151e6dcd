"""`python -m tests.watch.lateness`: how late the loop is while a round of twelve is drawn."""

import argparse
import asyncio
import statistics
import sys
import zlib
from collections.abc import Awaitable, Callable

from bot.ui.render.image_worker import drawn
from bot.ui.watch.drawing_process import DrawingProcess
from bot.watch.messages import WatchRequest, answered
from tests.watch.logs import random_log
from tests.watch.measured import LATER, NAMES

TWELVE = 20
"""The seed of a match of twelve."""
TIMES, EVERY = 20, 0.001


async def lateness(work: Callable[[], Awaitable[object]]) -> float:
    """By how many ms the latest wait of a millisecond was late while the work was done."""
    loop, latest = asyncio.get_running_loop(), 0.0
    task = asyncio.ensure_future(work())
    while not task.done():
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        latest = max(latest, (loop.time() - due) * 1000)
    await task
    return latest


async def main() -> None:
    log = zlib.compress((await random_log(TWELVE)).encode(), 9)
    request = WatchRequest(log, NAMES + LATER)
    ways: dict[str, Callable[[], Awaitable[object]]] = {
        "nothing is drawn": lambda: asyncio.sleep(0.5),
        "in a process of its own": lambda: DrawingProcess().watched(request),
        "in a thread": lambda: drawn(answered, request.written()),
    }
    for name, way in ways.items():
        late = [await lateness(way) for _ in range(TIMES)]
        usual, most = statistics.median(late), max(late)
        sys.stdout.write(f"{name}: late by {usual:.1f} ms in {TIMES / 2:.0f} of {TIMES} drawings, ")
        sys.stdout.write(f"by {most:.1f} at most\n")


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.watch.lateness", description=__doc__).parse_args()
    asyncio.run(main())
