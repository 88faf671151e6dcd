"""Leave ends a seat in a match for good: it is asked for twice there, and only there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.results import to_discord_message

from bot.tables.state.session import Phase
from tests.ui.simulated import SimulatedBot, buttons, simulated_bot, walk, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "leaving.db") as one:
        yield one


async def test_a_misclick_on_leave_ends_nobodys_match(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    await anna.on_board("Leave")
    assert set(buttons(anna.panel)) == {"Yes, leave", "No, stay"}
    assert sim.session.phase is Phase.LIVE
    await anna.on_panel("No, stay")
    assert "still in" in words(anna.panel)
    assert not buttons(anna.panel)
    assert len(sim.session.humans_in) == 2
    await ben.play()


async def test_who_means_it_is_out(sim: SimulatedBot) -> None:
    anna, _ = await sim.live("Anna", "Ben")
    await anna.on_board("Leave")
    await anna.on_panel("Yes, leave")
    assert "You left" in words(anna.panel)
    assert sim.session.phase is Phase.OVER


async def test_in_the_lobby_and_after_the_end_nothing_is_asked(sim: SimulatedBot) -> None:
    _, ben = await sim.lobby("Anna", "Ben")
    await ben.on_board("Leave")
    assert len(sim.session.chairs) == 1


async def test_an_old_question_changes_nothing_when_the_match_is_over(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    await anna.on_board("Leave")
    await ben.leave()
    await anna.on_panel("Yes, leave")
    assert "over" in words(anna.panel)
    assert not sim.session.chairs[0].left


async def test_an_answer_that_a_self_made_client_sends_from_the_table_spoils_no_message(
    sim: SimulatedBot,
) -> None:
    anna, ben, _ = await sim.live("Anna", "Ben", "Cem")
    shown = set(buttons(sim.public))
    await anna.press_old(sim.public, "lg1:1:1:leave.no")
    await ben.press_old(sim.public, "lg1:1:1:leave.yes")
    await sim.later()
    assert set(buttons(sim.public)) == shown
    assert len(sim.session.humans_in) == 2


async def test_old_options_become_words(sim: SimulatedBot) -> None:
    """Their lists can do nothing any more once the match has begun."""
    anna, _ = await sim.lobby("Anna", "Ben")
    await anna.press_old(sim.public, "lg1:1:0:options")
    lists = anna.panel
    await anna.on_board("Start")
    await anna.actor.select(
        to_discord_message(sim.env, lists), ["variant=expert"], custom_id="lg1:1:0:set.rules"
    )
    assert "started" in words(lists)
    assert not [one for one in walk(lists.components) if one["type"] == 3]


async def test_options_of_a_host_who_left_answer_in_words(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.press_old(sim.public, "lg1:1:0:options")
    lists = anna.panel
    await anna.leave()
    for person in (anna, ben):
        await person.press_old(lists, "lg1:1:0:set.rounds", "5")
    assert "Press Join first" in words(anna.panel)
    await ben.leave()
    await anna.press_old(lists, "lg1:1:0:set.rounds", "5")
    assert "This table is gone" in words(anna.panel)


async def test_an_option_sent_from_the_table_spoils_no_message(sim: SimulatedBot) -> None:
    anna, _ = await sim.lobby("Anna", "Ben")
    await anna.press_old(sim.public, "lg1:1:0:set.rounds", "3")
    await sim.later()
    assert "Join" in buttons(sim.public)
