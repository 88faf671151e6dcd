"""The bot started again in every phase: one message a table, live panels go on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ids import ChannelId
from bot.tables.state.session import Phase
from tests.ui.simulated import COUNT, SimulatedBot, buttons, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "restart.db") as one:
        yield one


async def test_in_the_lobby(sim: SimulatedBot) -> None:
    anna, _ = await sim.lobby("Anna", "Ben")
    await sim.restart()
    assert len(sim.messages(private=False)) == 1
    chloe = sim.person("Chloe")
    await chloe.on_board("Join")
    await anna.on_board("Start")
    await sim.later()
    assert "⏳ **Anna, Ben, Chloe**" in words(sim.public)


async def test_in_the_get_ready_who_was_ready_is_ready(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await sim.later()
    await anna.on_panel("Ready")
    await sim.restart()
    assert "⏳ **Ben**" in words(sim.public)
    await ben.on_panel("Ready")
    assert sim.session.phase is Phase.COUNT


async def test_in_play_the_round_goes_on_after_a_fresh_get_ready(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    for _ in range(5):
        await anna.play()
        await ben.play()
    state, old = sim.session.state, buttons(anna.panel)["Flip"]
    await sim.restart()
    assert len(sim.messages(private=False)) == 2, "the lobby as a link, and the table"
    assert "The bot restarted" in words(sim.public)
    assert "Ready" in buttons(anna.panel), "a live panel is pushed again without a press"
    await anna.press_old(anna.panel, old)
    assert "hasn’t started yet" in words(anna.panel)
    for player in (anna, ben):
        await player.on_panel("Ready")
    await sim.later(COUNT)
    assert sim.session.state == state
    await sim.play_out([anna, ben])
    assert sim.session.round == 1


async def test_between_rounds_and_after_the_end(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben", rounds=2)
    await sim.play_out([anna, ben])
    totals = sim.session.totals
    await sim.restart()
    assert sim.session.totals == totals
    for player in (anna, ben):
        await player.on_panel("Next round")
    await sim.later(COUNT)
    await sim.play_out([anna, ben])
    await sim.restart()
    assert sim.session.phase is Phase.OVER
    await ben.on_panel("Rematch")
    await sim.later()
    assert "**Ben** hosts" in words(sim.public)
    await sim.restart()
    assert "held for Anna" in words(sim.public)


async def test_in_the_count_the_round_is_not_dealt_again(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await sim.later()
    for player in (anna, ben):
        await player.on_panel("Ready")
    dealt = sim.session.state
    await sim.later(1)
    await sim.restart()
    assert sim.session.phase is Phase.READY
    assert sim.session.state == dealt
    assert sim.session.round == 1


async def test_a_table_of_other_rules_is_ended_politely(sim: SimulatedBot) -> None:
    anna, _ = await sim.live("Anna", "Ben")
    old = sim.public
    db = sim.app.database.writing
    await db.execute(
        "UPDATE journal SET body = replace(body, '\"rules_version\":1', '\"rules_version\":0')"
    )
    await sim.restart()
    assert sim.app.tables.index.at(ChannelId(sim.channel.id)) is None
    await sim.later()
    assert "rules changed" in words(sim.public)
    assert not buttons(sim.public)
    await anna.press_old(old, "lg1:1:1:panel")
    assert "This table is gone" in words(anna.private[-1])
    await anna.open()
    assert sim.session.phase is Phase.LOBBY
