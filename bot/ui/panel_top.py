"""What lies on top of a player's panel, as far as anybody can know: pure values.

Answers and pushes travel at once, and Discord does not tell in which order it has carried them
out. Only what is sent once an earlier one has been heard of is sure to lie above that.
"""

from dataclasses import dataclass, replace

from bot.tables.session import Session
from bot.ui.panel_state import Delivery


@dataclass(frozen=True, slots=True)
class Top:
    """The tables of which the player sees one, older ones first: None for no picture. The number
    of each says when its fate was known, and `heard` is the last of these numbers. `under_way`:
    what was sent and not heard of; it may come to lie on top at any moment.
    """

    maybe: tuple[tuple[int, Session | None], ...] = ((0, None),)
    heard: int = 0
    under_way: tuple[Delivery, ...] = ()


def sent(top: Top, delivery: Delivery) -> Top:
    """It is on its way from now on."""
    return replace(top, under_way=(*top.under_way, delivery))


def taken(top: Top, delivery: Delivery) -> Top:
    """Discord has taken it: it lies on all whose fate was known when it was sent."""
    beside = tuple(one for one in top.maybe if one[0] > delivery.heard)
    return lost(replace(top, maybe=beside), delivery)


def lost(top: Top, delivery: Delivery) -> Top:
    """Nobody knows what has become of it: it lies on anything, or is nowhere."""
    heard = top.heard + 1
    older = (one for one in top.maybe if _age(one[1]) < _age(delivery.session))
    after = Top((*older, (heard, delivery.session)), heard, top.under_way)
    return refused(after, delivery)


def refused(top: Top, delivery: Delivery) -> Top:
    """It is nowhere: Discord has not taken it, or it was never sent."""
    return replace(top, under_way=tuple(one for one in top.under_way if one is not delivery))


def unsent(top: Top) -> Top:
    """Nobody will tell what has become of those under way."""
    return replace(top, under_way=())


def shown(top: Top) -> Session | None:
    """The table as the player sees it, if they do not see a newer one. None for no picture."""
    on_top = top.maybe[0][1]
    return min((on_top, *(one.session for one in top.under_way)), key=_age)


def _age(session: Session | None) -> tuple[int, int]:
    return (-1, -1) if session is None else (session.round, session.moves)
