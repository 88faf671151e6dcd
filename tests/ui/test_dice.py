"""Ligretto Dice on the screen: what fits, what stays in its place, what the board shows."""

import re
from dataclasses import replace

import pytest

from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.screen import Row
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.state.session import Phase
from tests.games.states import dice_state, seat_dice
from tests.tables.views import panel, public
from tests.ui.limits import fits
from tests.ui.matches import HOST, PEOPLE, accepted, live, lobby, moments, plays, screens
from tests.ui.test_components import WIDE, text_of


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_screen_of_a_match_with_dice_fits(players: int) -> None:
    for session in moments(lobby(PEOPLE[:players], game="dice", rounds="2"), 4):
        for screen in screens(session):
            fits(screen)


def test_twenty_three_dice_in_one_hand_fit() -> None:
    """The largest handicap there can be: one die for the other."""
    session = lobby(WIDE[:2], game="dice")
    session = accepted(session, in_lobby.set_seat_option(session, HOST, 0, "dice", "1"))
    session = accepted(session, in_lobby.set_seat_option(session, HOST, 1, "dice", "22"))
    for screen in screens(live(session)):
        fits(screen)


def test_dice_keep_their_places_between_two_rolls() -> None:
    """A placed die leaves a gap; only the player's own Roll closes the others up."""
    session = live(lobby(PEOPLE[:3], game="dice"))
    order, rolls = list[int](), -1
    for later in plays(session):
        if later.phase is not Phase.LIVE:
            break
        screen = panel(later, HOST, 0)
        rows = [block.choices for block in screen.blocks if isinstance(block, Row)]
        slots = [choice for row in rows[1:] for choice in row]
        numbers = [int(re.split("[#:]", choice.word)[-1]) for choice in slots]
        own = seat_dice(later, 0)
        if own.rolls != rolls:
            order, rolls = numbers, own.rolls
        assert numbers == order
        assert rows[0][0].word.startswith("roll:")
    assert rolls > 0


def test_the_board_shows_what_lies_and_what_comes_next() -> None:
    session = live(lobby(PEOPLE[:2], game="dice"))
    red, *others = dice_state(session).board
    owners = replace(red, owners=(Seat(0), Seat(1), Seat(1)))
    session = replace(session, state=replace(dice_state(session), board=(owners, *others)))
    text = text_of(public(session, 0))
    assert "🔴 `R 1 2 3 – · ·`\n" in text
    assert "🔶 `Y – · · · · ·`\n" in text
    assert re.search("^▰.* \\*\\*12\\*\\* Anna", text, re.MULTILINE)


def test_a_handicap_the_bag_cannot_give_is_refused_in_words() -> None:
    session = lobby(PEOPLE[:2], game="dice")
    session = accepted(session, in_lobby.set_seat_option(session, HOST, 0, "dice", "20"))
    refused = in_lobby.set_seat_option(session, HOST, 1, "dice", "20")
    assert isinstance(refused, Refused)
    assert dict(refused.values) == {"n": 40, "most": 24}


def test_a_handicap_moves_along_with_its_seat() -> None:
    session = lobby(PEOPLE[:3], game="dice", extra="3")
    session = accepted(session, in_lobby.set_seat_option(session, HOST, 2, "dice", "child"))
    session = accepted(session, d.leave(session, UserId(HOST + 1)))
    assert dict(session.chairs[1].choices) == {"dice": "child"}
    assert list(session.game.left(live(session).in_play)) == [13, 10]


def test_three_rounds_a_player_unless_the_host_wants_fewer() -> None:
    assert lobby(PEOPLE[:4], game="dice").rounds == 12
    assert lobby(PEOPLE[:2], game="dice", rounds="5").rounds == 5
    assert lobby(PEOPLE[:2], game="dice", rounds="9").rounds == 6


def test_a_round_of_dice_that_is_stopped_is_dropped() -> None:
    """Nobody gets points and the round does not count."""
    session = live(lobby(PEOPLE[:2], game="dice"))
    session = accepted(session, d.leave(session, HOST))
    assert session.phase is Phase.OVER
    assert session.history == ()
    assert session.totals == (0, 0)
