from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests import valkey
from tests.groups.people.bot import TwoGroups, two_groups


@pytest.fixture
async def bot(server: valkey.Server, tmp_path: Path) -> AsyncIterator[TwoGroups]:
    async with two_groups(server, tmp_path) as one:
        yield one
