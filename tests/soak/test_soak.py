"""A simulated minute of it in every run; ten minutes of a real process are a command."""

from pathlib import Path

from tests.soak.run import soak

FLAT = 1.3
"""How much of its memory a warm process may gain until the end. Of a simulated one the objects of
the bot's own classes are weighed.
"""


async def test_an_evening_with_everything_going_wrong_leaves_nothing_behind(tmp_path: Path) -> None:
    figures = await soak(tmp_path, seconds=45, tables=10, pace=0.5)
    assert figures.matches >= figures.tables == figures.tables_left
    assert figures.faults > 50
    assert figures.answered > 80
    assert figures.end < FLAT * figures.warm
    assert figures.surprises == ()
