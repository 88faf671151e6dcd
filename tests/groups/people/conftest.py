from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.groups.lease import joining
from tests import valkey
from tests.groups.people.bot import TwoGroups, two_groups
from tests.simulate.valkey import Valkey


@pytest.fixture
async def bot(
    standin: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[TwoGroups]:
    monkeypatch.setattr(joining, "PUT_BACK", 0.1)  # no test starts two groups of one number
    async with two_groups(standin, tmp_path) as one:
        yield one


@pytest.fixture
async def bot_on_a_real_server(
    server: valkey.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[TwoGroups]:
    monkeypatch.setattr(joining, "PUT_BACK", 0.1)
    async with two_groups(server, tmp_path) as one:
        yield one
