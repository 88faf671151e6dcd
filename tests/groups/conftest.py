from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests import valkey


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[valkey.Server]:
    """A Valkey server for this test alone, running."""
    valkey.needed()
    one = valkey.Server(tmp_path)
    await one.start()
    yield one
    one.kill()
