"""Somebody who asks too much, too often or too long is told so, and the others notice nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ids import ChannelId
from bot.tables.registry.index import TableIndex
from bot.ui.connection.load_shedding import Load
from bot.ui.presses.presses import NAME
from bot.ui.toolkit.command_limit import ASKED, WITHIN, CommandLimit
from tests.ui.managing import asks
from tests.ui.simulated import SimulatedBot, SimulatedClock, buttons, simulated_bot, words


class HandClock(SimulatedClock):
    """A monotonic clock that stands still until it is moved."""

    moved = 0.0

    def now(self) -> float:
        return self.moved


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


@pytest.fixture
def clock(sim: SimulatedBot) -> HandClock:
    """The one that commands are counted by."""
    clock = HandClock()
    sim.app._command_limit = CommandLimit(clock)
    return clock


async def test_commands_too_often_are_refused_in_words(sim: SimulatedBot, clock: HandClock) -> None:
    """The limit is each person's own, and is over by itself."""
    anna, ben = sim.people("Anna", "Ben")
    for _ in range(ASKED):
        assert "a lot at once" not in words(await asks(anna, "history"))
    assert "a lot at once" in words(await asks(anna, "history"))
    await anna.open()
    assert sim.app.tables.index.at(ChannelId(sim.channel.id)) is None
    assert "a lot at once" not in words(await asks(ben, "history"))
    clock.moved += WITHIN
    await anna.open()
    assert "**Anna** hosts" in words(sim.public)


async def test_buttons_of_the_records_count_as_commands(
    sim: SimulatedBot, clock: HandClock
) -> None:
    (anna,) = sim.people("Anna")
    answer = await asks(anna, "privacy")
    for _ in range(ASKED - 1):
        await anna.press_old(answer, "lr1:history:0")
    await anna.press_old(answer, "lr1:history:0")
    assert "a lot at once" in words(anna.panel)


async def test_a_button_hammered_is_answered_and_counts_as_often_as_one_may(
    sim: SimulatedBot,
) -> None:
    """The panel says that it was too quick, and goes on when the thumb rests."""
    anna, _ = await sim.live("Anna", "Ben")
    flip = buttons(anna.panel)["Flip"]
    sim.app.tables._press_limit._rate._most = 3
    for _ in range(6):
        record = await anna.press_old(anna.panel, flip)
        assert record.responded
    assert "Too fast" in words(anna.panel)
    assert sim.session.moves == 1


async def test_a_name_is_kept_no_longer_than_discord_lets_it_be(sim: SimulatedBot) -> None:
    host = sim.person("Anna")
    host.actor.user._env.backend.get_user(host.id).global_name = "A" * 500
    await host.open()
    assert sim.session.chairs[0].name == "A" * NAME


async def test_presses_beyond_what_can_be_done_are_dropped(sim: SimulatedBot) -> None:
    """They cost nothing but a count; the next one is answered again."""
    anna, _ = await sim.live("Anna", "Ben")
    sim.app._load.most = 0
    flip = buttons(anna.panel)["Flip"]
    assert not (await anna.press_old(anna.panel, flip)).responded
    assert sim.app._load.dropped == 1
    sim.app._load.most = 1
    assert (await anna.press_old(anna.panel, flip)).responded
    assert sim.session.moves == 1


async def test_what_was_left_undone_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    load = Load(TableIndex(), HandClock())
    await load.tick()
    assert not caplog.records
    for _ in range(3):
        load.drop()
    load.answered_late()
    await load.tick()
    await load.tick()
    (record,) = caplog.records
    assert record.getMessage() == "overload: 3 presses dropped, 1 answers too late"
