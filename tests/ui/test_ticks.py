"""What time brings, although a part of it fails."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.ui.evening import Evening, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "ticks.db") as one:
        yield one


async def fails() -> None:
    raise RuntimeError("the clock is broken")


async def test_a_lobby_closes_although_the_upkeep_of_messages_fails(
    night: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await night.lobby("Anna")
    assert night.app.running is not None
    monkeypatch.setattr(night.app.running.house, "tick", fails)
    await night.later(14 * 60 + 30)
    assert "Nobody started it in time" in words(night.board)
    assert "what time brings to" in caplog.text


async def test_panels_fall_asleep_although_the_tables_clock_fails(
    night: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (anna,) = await night.lobby("Anna")
    monkeypatch.setattr(night.app.tables, "tick", fails)
    await night.later(14 * 60 + 30)
    assert "Nobody started it in time" not in words(night.board)
    assert "This panel is asleep" in words(anna.panel)
    assert "what time brings to" in caplog.text


async def test_after_a_failure_time_goes_on(
    night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await night.lobby("Anna")
    with monkeypatch.context() as broken:
        broken.setattr(night.app.tables, "tick", fails)
        await night.later(60)
    await night.later(14 * 60)
    assert "Nobody started it in time" in words(night.board)
