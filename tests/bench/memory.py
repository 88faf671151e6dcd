"""What presses leave behind in memory."""

from pathlib import Path

from tests.bench.crowd import AT_ONCE
from tests.bench.figures import Row
from tests.bench.sides import game_side

PARTS = 10
FLAT = 1.05


async def flat(folder: Path, tables: int, presses: int) -> Row:
    """Memory after each tenth of the presses. Everybody at every table presses in turn, so no
    table is closed on the way for want of a press. Raises RefusedError and MiscountError.
    """
    part, held = presses // PARTS, list[float]()
    async with game_side(folder / "flat.db", tables) as side:
        for _ in range(PARTS):
            _ = await side.crowd.presses(part, AT_ONCE)
            held.append(side.process.memory)
    return Row(
        f"memory over {PARTS * part:,} presses, {tables} tables",
        f"the last tenth at most {FLAT} x the first",
        told(held, part),
        held[-1] <= FLAT * held[0],
    )


def told(held: list[float], part: int) -> str:
    """Which parts of the run are compared. `held`: MB after each part of so many presses."""
    middle = len(held) // 2
    return (
        f"MB after each {part:,} presses: {', '.join(f'{one:.0f}' for one in held)};"
        f" last / first {held[-1] / held[0]:.3f},"
        f" last / after {middle * part:,} {held[-1] / held[middle - 1]:.3f}"
    )
