"""Logs that the running bot has handed out, for page and command."""

from pathlib import Path

import pytest

from tests.verify.handed_out import logs


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One evening's logs for all questions. It runs before the test's own loop does."""
    folder: Path = tmp_path_factory.mktemp("evening")
    return logs(folder)
