"""What time brings, although a part of it fails."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.ui.simulated import SimulatedBot, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "ticks.db") as one:
        yield one


async def fails() -> None:
    raise RuntimeError("the clock is broken")


async def test_a_lobby_closes_although_the_upkeep_of_messages_fails(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await sim.lobby("Anna")
    assert sim.app.running is not None
    monkeypatch.setattr(sim.app.running.messages, "tick", fails)
    await sim.later(14 * 60 + 30)
    assert "Nobody started the match in time" in words(sim.public)
    assert "tick of TableMessages failed" in caplog.text


async def test_panels_fall_asleep_although_the_tables_clock_fails(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (anna,) = await sim.lobby("Anna")
    monkeypatch.setattr(sim.app.tables, "tick", fails)
    await sim.later(14 * 60 + 30)
    assert "Nobody started the match in time" not in words(sim.public)
    assert "This panel timed out" in words(anna.panel)
    assert "tick of Tables failed" in caplog.text


async def test_after_a_failure_time_goes_on(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sim.lobby("Anna")
    with monkeypatch.context() as broken:
        broken.setattr(sim.app.tables, "tick", fails)
        await sim.later(60)
    await sim.later(14 * 60)
    assert "Nobody started the match in time" in words(sim.public)
