"""`python -m tests.daily.recap`: what a recap of 10,000 people in each game costs."""

import argparse
import asyncio
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import aiosqlite

import bot.app
import bot.composition.root  # noqa: F401 what a bot has imported when the first recap is due
from bot.daily.recap_screen import recap_screen
from bot.games import GAMES
from bot.ids import GuildId
from bot.store.daily.leaderboards import recap
from bot.store.database.file import migrate
from bot.ui.render.components import view
from bot.ui.render.marks import Reader
from tests.daily.played import DAY

PEOPLE = 10_000
MOST = 50.0
"""Milliseconds of processor time that a recap may take."""
HERE = GuildId(7)
_PLACE = """
    INSERT INTO daily_places (guild, day, game, user, name, points, presses)
    VALUES (7, ?, ?, ?, ?, ?, ?)
"""


async def measured(path: Path, locale: str) -> list[float]:
    """Return the ms of the first recap after a start, and of two more."""
    luck = random.Random(1)
    async with aiosqlite.connect(path) as db:
        await migrate(db, path)
        for game in GAMES:
            places = (
                (DAY, game, user, f"Player {user}", luck.randint(-20, 30), luck.randint(30, 160))
                for user in range(PEOPLE)
            )
            await db.executemany(_PLACE, places)
        await db.commit()
    async with aiosqlite.connect(path) as db:
        return [await _once(db, locale) for _ in range(3)]


async def _once(db: aiosqlite.Connection, locale: str) -> float:
    began = time.process_time()
    games = await recap(db, HERE, DAY)
    _ = view(recap_screen(DAY, games), str, Reader(locale))
    return 1000 * (time.process_time() - began)


def main() -> int:
    """1 if a recap took more than it may."""
    argparse.ArgumentParser("python -m tests.daily.recap", description=__doc__).parse_args()
    with TemporaryDirectory() as folder:
        found = asyncio.run(measured(Path(folder) / "recap.db", "de"))
    sys.stdout.write(f"the first {found[0]:.1f} ms, later ones {min(found[1:]):.1f} ms\n")
    return int(max(found) > MOST)


if __name__ == "__main__":
    sys.exit(main())
