"""What the host may choose, from the list to what everybody then sees."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.results import to_discord_message

from bot.games.ligretto import screens
from bot.games.values import Refused, Seat
from tests.games.states import ligretto_state, seat_cards
from tests.ui.evening import COUNT, Evening, Person, buttons, evening, walk, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "night.db") as one:
        yield one


async def choose(night: Evening, host: Person, **chosen: str) -> None:
    """Open the list, choose, and put it away."""
    await host.on_board("Options")
    for key, value in chosen.items():
        message = to_discord_message(night.env, host.panel)
        sent = f"lg1:{night.table.id}:0:set.{key}"
        await host.actor.select(message, [value], custom_id=sent)
    night.env.backend.messages[night.channel.id].pop(host.panel.id)
    await night.later()


async def begun(night: Evening, people: list[Person]) -> None:
    await people[0].on_board("Start")
    await night.later()
    for person in people:
        await person.on_panel("Ready")
    await night.later(COUNT)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("rounds", "7", "7 rounds"),
        ("target", "99", "play to 99 points"),
        ("variant", "expert", "expert: cards may be laid on the row"),
        ("refill", "hand", "gaps filled by hand"),
        ("assist", "on", "hints show what fits"),
        ("panels", "dm", "panels as direct messages"),
    ],
)
async def test_a_choice_is_told_in_the_lobby_and_while_waiting_and_outlives_a_restart(
    night: Evening, key: str, value: str, told: str
) -> None:
    anna, _ = await night.lobby("Anna", "Ben")
    await choose(night, anna, **{key: value})
    assert told in words(night.board)
    await night.restart()
    assert night.session.options[key] == value
    await anna.on_board("Start")
    await night.later()
    assert told in words(night.board)


async def test_computers_play_at_the_level_the_host_has_chosen(night: Evening) -> None:
    """In half a minute a master acts about three times as often as an easy player."""
    (anna,) = await night.lobby("Anna")
    await anna.on_board("Add")
    acted: dict[str, int] = {}
    await choose(night, anna, level="easy")
    assert "Robot 1, easy" in words(night.board)
    assert "practice, no rating, no leaderboard" in words(night.board)
    await begun(night, [anna])
    for level in ("easy", "master"):
        object.__setattr__(night.session, "options", {**night.session.options, "level": level})
        before = night.session.moves
        await night.later(30)
        acted[level] = night.session.moves - before
    assert 5 <= acted["easy"] <= 16
    assert acted["master"] > 2 * acted["easy"]


async def test_hints_light_up_what_fits_and_say_it(night: Evening) -> None:
    anna, ben = await night.lobby("Anna", "Ben")
    await choose(night, anna, assist="on")
    await begun(night, [anna, ben])
    for person in (anna, ben):
        view = screens.view(ligretto_state(night.session), night.session.seat_of(person.id))
        assert view.own is not None
        own = [card for card in (*view.own.row, view.own.ligretto, view.own.discard) if card]
        fits = {str(card).upper() for card in own if card in view.fits}
        lit = {one["label"] for one in walk(person.panel.components) if one.get("style") == 3}
        assert lit == fits
        line = next(text for text in words(person.panel).splitlines() if "Fits: " in text)
        named = line.partition("Fits: ")[2].split(", ")
        assert {card.split(" ", 1)[-1] for card in named} == (fits or {"now"})


async def test_a_card_is_laid_on_the_row_in_two_presses(night: Evening) -> None:
    """Expert: where several columns take it the row asks, and Back takes the question back."""
    anna, ben = await night.lobby("Anna", "Ben")
    await choose(night, anna, variant="expert")
    await begun(night, [anna, ben])
    person, card, columns = await until_several(night, [anna, ben])
    label = f"{card.upper()} ↓"
    await person.on_panel(label)
    assert f"{label} on which column?".split(" ", 1)[1] in words(person.panel)
    shown = buttons(person.panel)
    assert {sent.rpartition(":")[2] for sent in shown.values() if f"{card}>" in sent} == {
        f"{card}>{column}" for column in columns
    }
    await night.later(3)
    assert "Back" in buttons(person.panel), "what others do does not take the question away"
    await person.on_panel("Back")
    assert label in buttons(person.panel)

    await person.on_panel(label)
    sent = next(sent for sent in buttons(person.panel).values() if f"{card}>" in sent)
    message = to_discord_message(night.env, person.panel)
    await person.actor.click(message, custom_id=sent)
    seat = night.session.seat_of(person.id)
    assert seat is not None
    column = int(sent.rpartition(">")[2])
    assert str(seat_cards(night.session, seat).row[column][-1]) == card
    assert label not in buttons(person.panel)


async def until_several(
    night: Evening, people: list[Person]
) -> tuple[Person, str, tuple[int, ...]]:
    """Turn cards until somebody has one that several columns take."""
    for _ in range(30):
        session = night.session
        for person in people:
            seat = session.seat_of(person.id)
            assert seat is not None
            for card in _tops(night, seat):
                moves = [str(m) for m in session.game.moves(session.in_play, seat)]
                columns = tuple(int(m[-1]) for m in moves if m.startswith(f"{card}>"))
                asked = session.game.half(session.in_play, seat, f"{card}>")
                if len(columns) > 1 and not isinstance(asked, Refused):
                    return person, card, columns
            await person.on_panel("Flip")
    raise AssertionError("nobody has a card for several columns")


def _tops(night: Evening, seat: Seat) -> list[str]:
    own = screens.view(ligretto_state(night.session), seat).own
    assert own is not None
    return [str(card) for card in (own.ligretto, own.discard) if card is not None]


async def test_a_round_that_hangs_is_ended_by_all(night: Evening) -> None:
    """After a minute without a card the panels offer it; the table tells who agrees."""
    anna, ben = await night.live("Anna", "Ben")
    assert "End round" not in buttons(anna.panel)
    await night.later(66)
    assert "Nothing has been laid for a minute" in words(night.board)
    assert "End round" in buttons(anna.panel)
    await anna.on_panel("End round")
    await night.later()
    assert "Anna wants to end the round" in words(night.board)
    assert "Anna wants to end the round" in words(ben.panel)
    await ben.on_board("End round")
    await night.later()
    assert "The round was stopped" in words(night.board)
    assert "Next round" in buttons(night.board)


async def test_the_others_release_somebody_who_is_away(night: Evening) -> None:
    anna, ben, cem = await night.live("Anna", "Ben", "Cem")
    for _ in range(4):
        await night.later(50)
        for person in (anna, ben):
            await person.on_panel("Flip")
    await night.later(6)
    assert "No press for 3 minutes: Cem" in words(night.board)
    await anna.on_board("Release Cem")
    await night.later()
    assert "Release Cem (1)" in buttons(night.board)
    await ben.on_board("Release Cem (1)")
    await night.later()
    assert night.session.seat_of(cem.id) is None
    assert "No press" not in words(night.board)
    assert "You are not at this table any more" in words(cem.panel)
