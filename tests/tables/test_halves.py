"""A move made in two presses: which card, then on which column."""

from dataclasses import replace

import pytest

from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.router import PressRefusal
from bot.tables.running.table import Table
from bot.tables.state import events as e
from tests.games.states import ligretto_state, seat_cards
from tests.tables.registry import Server, why
from tests.tables.table import cards, own

ANNA, BEN = UserId(101), UserId(102)


@pytest.fixture
async def server() -> Server:
    """Anna's green two can go on the red nine or the blue eight, her yellow ten nowhere."""
    server = Server()
    table = await server.live(ANNA, BEN, variant="expert")
    anna = own("r9 b8 g7", "g2 g3", "y1 y2 y3", discard="y10")
    seats = (anna, seat_cards(table.session, 1))
    state = replace(ligretto_state(table.session), seats=seats)
    table.session = replace(table.session, state=state)
    return server


def row(table: Table) -> tuple[object, ...]:
    columns: tuple[object, ...] = seat_cards(table.session, 0).row
    return columns


async def test_the_first_press_asks_and_the_second_lays(server: Server) -> None:
    table = server.table
    asked = await server.press(ANNA, "g2>", round_=1)
    assert asked.said.key == "ligretto.which_column"
    assert table.half(ANNA) == "g2>"
    assert e.Moved(0, "g2>") not in server.entries, "half a move is no move"
    laid = await server.press(ANNA, "g2>1", round_=1)
    assert laid.said.key == "ligretto.covered"
    assert row(table) == (cards("r9"), cards("b8 g2"), cards("g7"))
    assert table.half(ANNA) is None


@pytest.mark.parametrize("elsewhere", ["panel", "flip:0", "r9", "nonsense", "end"])
async def test_any_other_press_of_his_takes_it_back(server: Server, elsewhere: str) -> None:
    await server.press(ANNA, "g2>", round_=1)
    await server.press(ANNA, elsewhere, round_=1)
    assert server.table.half(ANNA) is None


async def test_what_others_do_does_not(server: Server) -> None:
    """Pushes go on while he chooses; his question stays on his panel."""
    await server.press(ANNA, "g2>", round_=1)
    await server.press(BEN, "flip:0", round_=1)
    assert server.table.half(ANNA) == "g2>"
    assert server.table.half(BEN) is None


async def test_a_half_that_leads_nowhere_is_refused_and_not_kept(server: Server) -> None:
    assert why(await server.press(ANNA, "y10>", round_=1)) is MoveRefusal.NEEDS_GAP
    assert why(await server.press(ANNA, "r1>", round_=1)) is MoveRefusal.NOT_OPEN
    assert server.table.half(ANNA) is None
    assert why(await server.press(ANNA, "g2>", round_=9)) is PressRefusal.OLD_PANEL
    assert why(await server.press(UserId(109), "g2>", round_=1)) is TableRefusal.WATCHING


async def test_a_half_is_over_with_its_round(server: Server) -> None:
    await server.press(ANNA, "g2>", round_=1)
    await server.press(BEN, "leave.yes")
    assert server.table.half(ANNA) == "g2>"
    assert why(await server.press(ANNA, "g2>", round_=1)) is TableRefusal.MATCH_OVER


async def test_the_seat_of_another_has_its_own(server: Server) -> None:
    own_seat = server.table.session.seat_of(ANNA)
    assert own_seat == Seat(0)
    await server.press(BEN, "g2>", round_=1)
    assert server.table.half(ANNA) is None


async def test_there_is_no_half_of_a_move_in_the_standard_game() -> None:
    """Two gaps and one card: its panel would have a button twice, and Discord would refuse it."""
    server = Server()
    table = await server.live(ANNA, BEN)
    anna = replace(own("r9", "g2", "y1 y2 y3"), row=((), (), cards("r9")))
    seats = (anna, seat_cards(table.session, 1))
    state = replace(ligretto_state(table.session), seats=seats)
    table.session = replace(table.session, state=state)
    assert why(await server.press(ANNA, "g2>", round_=1)) is PressRefusal.UNKNOWN
    assert table.half(ANNA) is None
