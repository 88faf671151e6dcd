"""What the host may choose, from the list to what everybody then sees."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.results import to_discord_message

from bot.games.ligretto.view import view as view_of
from bot.games.values import Refused, Seat
from bot.ids import UserId
from tests.games.states import ligretto_state, seat_cards
from tests.ui.simulated import COUNT, Person, SimulatedBot, buttons, simulated_bot, walk, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def choose(sim: SimulatedBot, host: Person, **chosen: str) -> None:
    """Choose from the lists that earlier versions had, one for each option."""
    for key, value in chosen.items():
        await host.press_old(sim.public, f"lg1:{sim.table.id}:0:set.{key}", value)
    await sim.later()


async def begun(sim: SimulatedBot, people: list[Person]) -> None:
    await people[0].on_board("Start")
    await sim.later()
    for person in people:
        await person.on_panel("Ready")
    await sim.later(COUNT)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("rounds", "7", "7 rounds"),
        ("target", "99", "to 99 points"),
        ("variant", "expert", "expert: play onto your row"),
        ("refill", "hand", "gaps by hand"),
        ("assist", "on", "hints show what fits"),
        ("panels", "dm", "panels as direct messages"),
    ],
)
async def test_a_choice_is_told_in_the_lobby_and_while_waiting_and_outlives_a_restart(
    sim: SimulatedBot, key: str, value: str, told: str
) -> None:
    anna, _ = await sim.lobby("Anna", "Ben")
    await choose(sim, anna, **{key: value})
    assert told in words(sim.public)
    await sim.restart()
    assert sim.session.options[key] == value
    await anna.on_board("Start")
    await sim.later()
    assert told in words(sim.public)


async def test_computers_play_at_the_level_the_host_has_chosen(sim: SimulatedBot) -> None:
    """In half a minute a master acts about three times as often as an easy player."""
    (anna,) = await sim.lobby("Anna")
    await anna.on_board("Add robot")
    acted: dict[str, int] = {}
    await choose(sim, anna, level="easy")
    assert "Robot 1, easy" in words(sim.public)
    assert "practice: no rating, no leaderboard" in words(sim.public)
    await begun(sim, [anna])
    for level in ("easy", "master"):
        object.__setattr__(sim.session, "options", {**sim.session.options, "level": level})
        before = sim.session.moves
        await sim.later(30)
        acted[level] = sim.session.moves - before
    assert 5 <= acted["easy"] <= 16
    assert acted["master"] > 2 * acted["easy"]


async def test_hints_light_up_what_fits_and_say_it(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await choose(sim, anna, assist="on")
    await begun(sim, [anna, ben])
    for person in (anna, ben):
        view = view_of(ligretto_state(sim.session), sim.session.seat_of(UserId(person.id)))
        assert view.own is not None
        own = [card for card in (*view.own.row, view.own.ligretto, view.own.discard) if card]
        fits = {str(card).upper() for card in own if card in view.fits}
        lit = {one["label"] for one in walk(person.panel.components) if one.get("style") == 3}
        assert lit == fits
        lines = words(person.panel).splitlines()
        row = next(line for line in lines if "**Your row**" in line)
        in_row = fits & {str(card).upper() for card in view.own.row}
        told = "fits" if in_row else "nothing fits; below" if fits else "nothing fits"
        assert f" {told}" in row
        named = {card.split(" ", 1)[-1] for card in row.partition(f"{told}: ")[2].split(", ")}
        assert named == (in_row or fits or {""})
        zones = ("Ligretto pile", view.own.ligretto), ("Discard pile", view.own.discard)
        for zone, card in zones:
            line = next(line for line in lines if f"**{zone}**" in line)
            assert line.endswith("· fits") == (str(card).upper() in fits), "each names its own"


async def test_a_card_is_laid_on_the_row_in_two_presses(sim: SimulatedBot) -> None:
    """Expert: where several columns take it the row asks, and Back takes the question back."""
    anna, ben = await sim.lobby("Anna", "Ben")
    await choose(sim, anna, variant="expert")
    await begun(sim, [anna, ben])
    person, card, columns = await until_several(sim, [anna, ben])
    label = f"{card.upper()} ↓"
    await person.on_panel(label)
    assert f"{card.upper()} on which column?" in words(person.panel)
    shown = buttons(person.panel)
    assert {sent.rpartition(":")[2] for sent in shown.values() if f"{card}>" in sent} == {
        f"{card}>{column}" for column in columns
    }
    await sim.later(3)
    assert "Back" in buttons(person.panel), "what others do does not take the question away"
    await person.on_panel("Back")
    assert label in buttons(person.panel)

    await person.on_panel(label)
    sent = next(sent for sent in buttons(person.panel).values() if f"{card}>" in sent)
    message = to_discord_message(sim.env, person.panel)
    await person.actor.click(message, custom_id=sent)
    seat = sim.session.seat_of(UserId(person.id))
    assert seat is not None
    column = int(sent.rpartition(">")[2])
    assert str(seat_cards(sim.session, seat).row[column][-1]) == card
    assert label not in buttons(person.panel)


async def until_several(
    sim: SimulatedBot, people: list[Person]
) -> tuple[Person, str, tuple[int, ...]]:
    """Turn cards until somebody has one that several columns take."""
    for _ in range(30):
        session = sim.session
        for person in people:
            seat = session.seat_of(UserId(person.id))
            assert seat is not None
            for card in _tops(sim, seat):
                moves = [str(m) for m in session.game.moves(session.in_play, seat)]
                columns = tuple(int(m[-1]) for m in moves if m.startswith(f"{card}>"))
                asked = session.game.half(session.in_play, seat, f"{card}>")
                if len(columns) > 1 and not isinstance(asked, Refused):
                    return person, card, columns
            await person.on_panel("Flip")
    raise AssertionError("nobody has a card for several columns")


def _tops(sim: SimulatedBot, seat: Seat) -> list[str]:
    own = view_of(ligretto_state(sim.session), seat).own
    assert own is not None
    return [str(card) for card in (own.ligretto, own.discard) if card is not None]


async def test_a_round_that_hangs_is_ended_by_all(sim: SimulatedBot) -> None:
    """After a minute without a card the panels offer it; the table tells who agrees."""
    anna, ben = await sim.live("Anna", "Ben")
    assert "End round" not in buttons(anna.panel)
    await sim.later(66)
    assert "Nobody has played anything for a minute" in words(sim.public)
    assert "End round" in buttons(anna.panel)
    await anna.on_panel("End round")
    await sim.later()
    assert "Anna wants to end the round" in words(sim.public)
    assert "Anna wants to end the round" in words(ben.panel)
    await ben.on_board("End round")
    await sim.later()
    assert "Everyone agreed to end the round" in words(sim.public)
    assert "Next round" in buttons(sim.public)


async def test_the_others_release_somebody_who_is_away(sim: SimulatedBot) -> None:
    anna, ben, cem = await sim.live("Anna", "Ben", "Cem")
    for _ in range(4):
        await sim.later(50)
        for person in (anna, ben):
            await person.on_panel("Flip")
    await sim.later(6)
    assert "No press for 3 minutes: Cem" in words(sim.public)
    await anna.on_board("Remove Cem")
    await sim.later()
    assert "Remove Cem (1)" in buttons(sim.public)
    await ben.on_board("Remove Cem (1)")
    await sim.later()
    assert sim.session.seat_of(UserId(cem.id)) is None
    assert "No press" not in words(sim.public)
    assert "You were away, so the match continues without you" in words(cem.panel)
