"""Presses that count: a press is counted when its message shows it, and never otherwise."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

from bot.tables.presses.rate_limit import PRESSES, WITHIN
from tests.bench.people import Presser
from tests.bench.standin import Interaction

AT_ONCE = 110
"""Presses on their way at the same time: fewer than a bot of ours has in work at most."""
GAP = 1.05 * WITHIN / (PRESSES - 1)
"""Seconds between two presses of one person, who waits for the answer as well. A press arrives
before it is answered, so `PRESSES` + 1 arrivals always span `PRESSES` - 1 gaps: more than `WITHIN`.
"""
SHOWN = 2.0
"""Seconds in which a message shows a press that was answered. It does at once, unless an older
edit has overtaken the answer.
"""


class BenchError(Exception):
    """The run has to be thrown away. The message says why."""


class RefusedError(BenchError):
    """A press was refused or not answered."""


class MiscountError(BenchError):
    """Something else happened than what was counted."""


class Crowd:
    """People who press in turn: the next is whoever has waited longest.

    Nobody presses before they see their last press, nor more often than a bot of ours allows.
    """

    def __init__(self, people: Sequence[Presser]) -> None:
        self.people = people
        self.pressed = 0
        self._free = deque((0.0, one) for one in people)

    @property
    def shown(self) -> int:
        """All presses that all messages show."""
        return sum(one.shown for one in self.people)

    async def press(self) -> float:
        """Press once, and return the latency in ms. Raises RefusedError. As many calls as there
        are people may wait at a time.
        """
        ready, one = self._free.popleft()
        if (wait := ready - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        sent = time.perf_counter()
        latency = await _seen(one)
        self.pressed += 1
        self._free.append((sent + GAP, one))
        return latency

    async def presses(self, count: int, at_once: int) -> list[float]:
        """Press so often, each as soon as another is answered; latencies in ms. Raises
        RefusedError for the first press that is not taken.
        """
        left, latencies = iter(range(count)), list[float]()

        async def go() -> None:
            for _ in left:
                latencies.append(await self.press())

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(at_once, len(self.people))):
                    _ = group.create_task(go())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return latencies


async def _seen(one: Presser) -> float:
    """Press, and look at the message until it shows one press more."""
    before = one.shown
    answer = await one.press().wait()
    if answer.latency is None:
        raise RefusedError(f"a press was not answered: {answer}")
    try:
        await one.server.wait_for(lambda: one.shown > before, SHOWN)
    except TimeoutError:
        raise RefusedError(f"a press was refused: {answer}: {_said(answer)}") from None
    return 1000 * answer.latency


def _said(answer: Interaction) -> str:
    message = answer.original or answer.message
    return " / ".join(message.text.splitlines()) if message is not None else "nothing was said"
