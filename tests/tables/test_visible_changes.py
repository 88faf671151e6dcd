"""Moves of which others hear, and those that only their player's panel shows."""

from dataclasses import replace

from bot.games.values import Seat
from bot.tables.decisions.decide import Done
from tests.tables.table import ANNA, BEN, CHLOE, own, race, table


async def heard(seat: Seat, move: str) -> bool:
    """Return whether the watchers of a table hear of this move: Anna has a gap to fill herself."""
    before = race()
    anna = replace(own("r2 b3", "g7 g8", "y1 y2 y3"), row=((), *own("r2 b3", "g7").row))
    one = table(replace(before, seats=(anna, *before.seats[1:]), refill=False))
    changed: list[object] = []
    one.on_change = changed.append
    decision = await one.move(seat, move, 0.0)
    assert isinstance(decision, Done)
    return bool(changed)


async def test_others_hear_of_a_card_played() -> None:
    assert await heard(BEN, "r2")


async def test_others_hear_of_a_gap_filled_as_fewer_are_left() -> None:
    assert await heard(ANNA, "g7>0")


async def test_only_their_player_sees_cards_flipped() -> None:
    assert not await heard(CHLOE, "flip:0")
