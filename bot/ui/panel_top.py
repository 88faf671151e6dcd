"""What lies on top of a player's panel, as far as anybody can know: pure values.

Answers and pushes travel at once, and Discord does not tell in which order it has carried them
out. Only what is sent once an earlier one has been heard of is sure to lie above that.
"""

from dataclasses import dataclass

from bot.tables.session import Session
from bot.ui.panel_state import Delivery


@dataclass(frozen=True, slots=True)
class Top:
    """The tables of which the player sees one, older ones first: None for no picture. The number
    of each says when its fate was known, and `heard` is the last of these numbers.
    """

    maybe: tuple[tuple[int, Session | None], ...] = ((0, None),)
    heard: int = 0


def taken(top: Top, delivery: Delivery) -> Top:
    """Discord has taken it: it lies on all whose fate was known when it was sent."""
    beside = tuple(one for one in top.maybe if one[0] > delivery.heard)
    return lost(Top(beside, top.heard), delivery)


def lost(top: Top, delivery: Delivery) -> Top:
    """Nobody knows what has become of it: it lies on anything, or is nowhere."""
    heard = top.heard + 1
    older = (one for one in top.maybe if _age(one[1]) < _age(delivery.session))
    return Top((*older, (heard, delivery.session)), heard)


def shown(top: Top) -> Session | None:
    """The table as the player sees it, if they do not see a newer one. None for no picture."""
    return top.maybe[0][1]


def _age(session: Session | None) -> tuple[int, int]:
    return (-1, -1) if session is None else (session.round, session.moves)
