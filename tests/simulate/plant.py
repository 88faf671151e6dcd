"""Faults to plant in the bot, one at a time: a simulation that misses one of them sees too little.

Each replaces one thing that keeps a promise. They are for a process of their own.
"""

import asyncio
from collections.abc import Callable, Sequence

from bot.store.writer import Job, Step, Writer

LATE = 0.3

PLANTED: dict[str, Callable[[], None]] = {}


def _answers_first() -> None:
    """What is to be written is written a little later; whoever waits for it goes on at once."""
    commit = Writer._commit

    async def later(self: Writer, jobs: Sequence[Job]) -> None:
        await asyncio.sleep(LATE)
        await commit(self, jobs)

    async def write(self: Writer, steps: Sequence[Step], *, durable: bool = False) -> None:
        self._queue.put_nowait(Job(tuple(steps), durable, None))

    Writer._commit, Writer.write = later, write  # type: ignore[method-assign]


PLANTED["answer before commit"] = _answers_first


def plant(name: str) -> None:
    """Put this fault into the bot of this process, for good."""
    PLANTED[name]()
