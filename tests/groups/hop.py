"""How long a press takes from one group to another: `python -m tests.groups.hop`."""

import argparse
import asyncio
import sys
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from bot.groups.numbers import number
from tests import valkey
from tests.groups.ends import group_with

PAUSE = 0.01
"""Seconds between two presses: a hundred a second."""
PAYLOAD = 1500
"""Bytes of a press in direct messages, about."""


async def measured(presses: int) -> list[float]:
    """Return the seconds that each press took."""
    with TemporaryDirectory() as folder:
        server = valkey.Server(Path(folder))
        await server.start()
        try:
            async with group_with(server, 1, 0) as first, group_with(server, 2, 1) as second:
                table = number(1, 2)
                second.end.tables.add(table)
                took: list[float] = []
                second.end.on_taken = lambda press: took.append(
                    first.end.clock.now() - began[int(press.payload["id"])]
                )
                began: dict[int, float] = {}
                await asyncio.sleep(1.0)  # both are there
                for one in range(presses):
                    press = first.press(one, table)
                    press.payload["message"] = "x" * PAYLOAD
                    began[one] = press.arrived
                    first.hops.put(press)
                    await asyncio.sleep(PAUSE)
                await asyncio.sleep(1.0)
                return took
        finally:
            server.kill()


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.groups.hop", description=__doc__)
    parser.add_argument("--presses", type=int, default=2000, metavar="N")
    given = parser.parse_args()
    took = asyncio.run(measured(given.presses))
    cuts = quantiles(took, n=100)
    sys.stdout.write(
        f"{len(took)} of {given.presses} presses: "
        f"median {cuts[49] * 1000:.2f} ms, p99 {cuts[98] * 1000:.2f} ms\n"
    )


if __name__ == "__main__":
    main()
