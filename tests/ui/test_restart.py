"""The bot started again in every phase: one message a table, live panels go on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.session import Phase
from tests.ui.evening import COUNT, Evening, buttons, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "restart.db") as one:
        yield one


async def test_in_the_lobby(night: Evening) -> None:
    anna, _ = await night.lobby("Anna", "Ben")
    await night.restart()
    assert len(night.messages(private=False)) == 1
    chloe = night.person("Chloe")
    await chloe.on_board("Join")
    await anna.on_board("Start")
    await night.later()
    assert "Waiting for: Anna, Ben, Chloe" in words(night.board)


async def test_in_the_get_ready_who_was_ready_is_ready(night: Evening) -> None:
    anna, ben = await night.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await night.later()
    await anna.on_panel("Ready")
    await night.restart()
    assert "Waiting for: Ben" in words(night.board)
    await ben.on_panel("Ready")
    assert night.session.phase is Phase.COUNT


async def test_in_play_the_round_goes_on_after_a_fresh_get_ready(night: Evening) -> None:
    anna, ben = await night.live("Anna", "Ben")
    for _ in range(5):
        await anna.play()
        await ben.play()
    state, old = night.session.state, buttons(anna.panel)["Flip"]
    await night.restart()
    assert len(night.messages(private=False)) == 2, "the lobby as a link, and the table"
    assert "The bot was restarted" in words(night.board)
    assert "Ready" in buttons(anna.panel), "a live panel is pushed again without a press"
    await anna.press_old(anna.panel, old)
    assert "has not begun" in words(anna.panel)
    for player in (anna, ben):
        await player.on_panel("Ready")
    await night.later(COUNT)
    assert night.session.state == state
    await night.play_out([anna, ben])
    assert night.session.round == 1


async def test_between_rounds_and_after_the_end(night: Evening) -> None:
    anna, ben = await night.live("Anna", "Ben", rounds=2)
    await night.play_out([anna, ben])
    totals = night.session.totals
    await night.restart()
    assert night.session.totals == totals
    for player in (anna, ben):
        await player.on_panel("Next round")
    await night.later(COUNT)
    await night.play_out([anna, ben])
    await night.restart()
    assert night.session.phase is Phase.OVER
    await ben.on_panel("Rematch")
    await night.later()
    assert "**Ben**, host" in words(night.board)
    await night.restart()
    assert "held for Anna" in words(night.board)


async def test_in_the_count_the_round_is_not_dealt_again(night: Evening) -> None:
    anna, ben = await night.lobby("Anna", "Ben")
    await anna.on_board("Start")
    await night.later()
    for player in (anna, ben):
        await player.on_panel("Ready")
    dealt = night.session.state
    await night.later(1)
    await night.restart()
    assert night.session.phase is Phase.READY
    assert night.session.state == dealt
    assert night.session.round == 1


async def test_a_table_of_other_rules_is_ended_politely(night: Evening) -> None:
    anna, _ = await night.live("Anna", "Ben")
    old = night.board
    db = night.app.database.writing
    await db.execute(
        "UPDATE journal SET body = replace(body, '\"rules_version\":1', '\"rules_version\":0')"
    )
    await night.restart()
    assert night.app.tables.books.at(night.channel.id) is None
    await night.later()
    assert "other rules" in words(night.board)
    assert not buttons(night.board)
    await anna.press_old(old, "lg1:1:1:panel")
    assert "This table is gone" in words(anna.private[-1])
    await anna.open()
    assert night.session.phase is Phase.LOBBY
