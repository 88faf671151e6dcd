from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.fakediscord import Server as Discord
from tests import valkey
from tests.groups.processes import Groups
from tests.simulate.valkey import Valkey


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[valkey.Server]:
    """A Valkey server for this test alone, running."""
    valkey.needed()
    one = valkey.Server(tmp_path)
    await one.start()
    yield one
    one.kill()


@pytest.fixture
async def standin() -> AsyncIterator[Valkey]:
    """The stand-in for Valkey, running. At the end nothing was asked that it does not know."""
    one = Valkey()
    await one.start()
    yield one
    assert not one.unknown


@pytest.fixture
async def groups(server: valkey.Server, tmp_path: Path) -> AsyncIterator[Groups]:
    """Groups of one bot, as processes that are killed at the end."""
    async with Discord() as discord:
        discord.settings.most_emojis = 0
        discord.gateway.enforce_identify = False
        one = Groups(discord, server, tmp_path)
        await one.have_run_before()
        yield one
        await one.end()
