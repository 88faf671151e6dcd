"""Whom a group has forgotten it knows only for as long as others may tell of them."""

from bot.groups.people.forgotten import Forgotten
from bot.ids import UserId

ANNA, BEN = UserId(1), UserId(2)


def test_somebody_is_known_until_their_order_is_over_for_one_more_look() -> None:
    """What was told before its end may come a little later."""
    forgotten = Forgotten()
    forgotten.add(ANNA, 7)
    forgotten.add(BEN, 8)
    forgotten.add(ANNA, 5)
    forgotten.keep({BEN})
    assert (forgotten.until(ANNA), forgotten.until(BEN)) == (7, 8)
    forgotten.keep({BEN})
    assert (forgotten.until(ANNA), forgotten.until(BEN)) == (0, 8)


def test_another_order_begins_anew() -> None:
    forgotten = Forgotten()
    forgotten.add(ANNA, 5)
    forgotten.keep([])
    forgotten.add(ANNA, 9)
    forgotten.keep([])
    assert forgotten.until(ANNA) == 9
