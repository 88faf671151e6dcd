"""Groups that share the turns of the bot's own calls, on a real server: figures of one run.

Each group has as many tables that wait to be redrawn as it is told, and its own connections. All
run in this process, so that one clock says when each call got its turn.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from bot.clock import SystemClock
from bot.groups.turns import ValkeyTurns
from bot.groups.valkey import Valkey
from bot.tasks import OwnedTasks
from bot.ui.limits.shared.alone import MOST
from bot.ui.limits.shared.grouped import GroupTurns
from tests import valkey
from tests.groups.sharing import most_in_a_second

DISCORD = 50
"""Requests of all kinds that Discord takes from a bot in a second (PLATFORM 2)."""


@dataclass(frozen=True)
class Run:
    """A run: calls by group and table, when they had their turns, and when Valkey heard of each.

    `times` are seconds of this machine's clock, `stamps` of the server's. `busy`: seconds of
    processor time.
    """

    seconds: float
    calls: Counter[tuple[int, int]]
    times: Sequence[float]
    stamps: Sequence[float]
    busy: float

    @property
    def shares(self) -> list[int]:
        """The calls of each group."""
        found: Counter[int] = Counter()
        for (group, _), calls in self.calls.items():
            found[group] += calls
        return [found[group] for group in sorted(found)]


async def run(server: valkey.Server, sizes: Sequence[int], tables: int, seconds: float) -> Run:
    """Let groups of these numbers of shards redraw their tables for so long.

    However busy the machine is, it ends when each group has had a turn.
    """
    clock, tasks, calls = SystemClock(), OwnedTasks(), Counter[tuple[int, int]]()
    groups = [Valkey(server.url, "1", clock) for _ in sizes]
    log, times = groups[0].key("log"), list[float]()
    await groups[0].ask(lambda db: db.set(groups[0].key("edits"), 0))  # its tables wait no longer

    async def table(group: int, number: int, turns: GroupTurns) -> None:
        while True:
            await turns.take(0.0, None)
            times.append(monotonic())
            calls[group, number] += 1
            await groups[group].ask(lambda db: db.xadd(log, {"group": group}))

    for group, size in enumerate(sizes):
        turns = GroupTurns(clock, size / sum(sizes), ValkeyTurns(groups[group]), tasks)
        for number in range(tables):
            tasks(table(group, number, turns), name="table")
    began = process_time()
    await asyncio.sleep(seconds)
    while len({group for group, _ in calls}) < len(sizes):  # noqa: ASYNC110 tables tell nobody
        await asyncio.sleep(0.05)
    busy = process_time() - began
    await tasks.stop()
    entries: Any = await groups[0].ask(lambda db: db.xrange(log))
    for one in groups:
        await one.close()
    stamps = [int(name.split(b"-")[0]) / 1000 for name, _ in entries]
    return Run(seconds, calls, times, stamps, busy)


def told(found: Run) -> str:
    """Return the figures of a run."""
    of_tables = found.calls.values()
    return (
        f"{len(found.times)} turns in {found.seconds:g} s: "
        f"{len(found.times) / found.seconds:.1f} a second\n"
        f"by group: {', '.join(map(str, found.shares))}\n"
        f"by table: {min(of_tables)} to {max(of_tables)}\n"
        f"most in any second: {most_in_a_second(found.times)} ({MOST} at most)\n"
        f"by the server's time stamps: {most_in_a_second(found.stamps)} ({DISCORD} at most)\n"
        f"processor time: {found.busy / found.seconds:.1%} of one core\n"
    )


async def _measure(sizes: Sequence[int], tables: int, seconds: float) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        server = valkey.Server(Path(folder))
        await server.start()
        try:
            return await run(server, sizes, tables, seconds)
        finally:
            server.kill()


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.groups.turns", description=__doc__)
    parser.add_argument("--shards", type=int, nargs="+", default=[2, 2, 2, 2], help="by group")
    parser.add_argument("--tables", type=int, default=20, help="of each group, which all wait")
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    if valkey.program() is None:
        sys.stderr.write(f"{valkey.MISSING}\n")
        return 2
    found = asyncio.run(_measure(asked.shards, asked.tables, asked.seconds))
    sys.stdout.write(told(found))
    return int(most_in_a_second(found.times) > MOST or most_in_a_second(found.stamps) > DISCORD)


if __name__ == "__main__":
    sys.exit(main())
