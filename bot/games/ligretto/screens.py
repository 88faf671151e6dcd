"""The screens of a round of Ligretto: the centre, and a player's panel below it."""

from functools import lru_cache

from bot.games.contract import Frame
from bot.games.ligretto.hand import Hand
from bot.games.ligretto.model import TOP, Colour
from bot.games.ligretto.view import View
from bot.screen import Block, Line, Look, Piles, Words, rows_of

KEPT = 4096
"""Lines of the centre in the cache."""
SIDE_BY_SIDE = 4
"""The most players whose piles of two colours fit in one line on a phone, in large."""
HUGE_UP_TO = 2
"""The most players whose piles fit in the largest type."""


def centre(view: View) -> tuple[Line, ...]:
    """Draw every pile in a place of its own: the order in which those of its colour were opened.

    With few players all places are there from the start, two colours in a line. With many there is
    a line per colour, with the piles that there are.
    """
    tops, players = view.tops, view.players
    if players > SIDE_BY_SIDE:
        return tuple(_line((one,), 1, Look.PLAIN) for one in tops)
    look = Look.HUGE if players <= HUGE_UP_TO else Look.TITLE
    return _line(tops[:2], players, look), _line(tops[2:], players, look)


@lru_cache(KEPT)
def _line(tops: tuple[tuple[Colour, tuple[int, ...]], ...], places: int, look: Look) -> Piles:
    groups = tuple(
        (
            *(f"{colour}{n}" if n < TOP else f"{colour}full" for n in numbers),
            *(f"{colour}0",) * (places - len(numbers)),
        )
        for colour, numbers in tops
    )
    return Piles(groups, look)


def panel(view: View, frame: Frame) -> tuple[Block, ...]:
    """Draw a player's own cards as buttons, below the centre and the news."""
    above = Words((frame.head, *centre(view)))
    if view.own is None:
        return (above, frame.told())
    hand = Hand(view, view.own, frame)
    row = hand.row()
    return (
        above,
        frame.told(hand.note()),
        Words(hand.above_row()),
        *rows_of(row, places=True),
        Words((hand.ligretto_label(),)),
        hand.ligretto(),
        Words((hand.discard_label(),)),
        hand.discard(),
    )
