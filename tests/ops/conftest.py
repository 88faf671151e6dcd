"""A database with an evening's matches in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.records.seasons.season import season_at
from bot.tables.decisions.rated_or_practice import Standing
from tests.store.conftest import Store, opened
from tests.store.matches import ANNA, BEN, GUILD, NOON, match, play


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ligretto.sqlite3"


@pytest.fixture
async def played(path: Path) -> Path:
    """Two matches of a season that is over: people alone, and with a computer player."""
    practice = match({ANNA: 7, None: 9}, at=NOON + 3_600_000, standing=Standing.PRACTICE)
    async with opened(path) as store:
        _ = await play(store, match({ANNA: 30, BEN: 12}))
        _ = await play(store, practice)
        season = season_at(NOON, "UTC")
        _ = await store.archive.seasons.close(GUILD, season, season.ends("UTC"))
    return path


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with opened(path) as store:
        yield store
