"""A Discord in which the bot runs, for every story that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.stories.world import World, running


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with running(tmp_path) as one:
        yield one
