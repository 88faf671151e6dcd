"""The picture on top of a player's panel, as far as the bot can know: pure values.

Answers and pushes travel at the same time, and Discord doesn't say in which order it carried them
out. A picture is certainly above another only if it was sent after the other's outcome was known.
Pictures sent to one message say nothing about another message.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.ids import MessageId
from bot.tables.state.session import Session
from bot.ui.panel_states.state import Delivery

UNKNOWN: tuple[int, Session | None] = (0, None)
"""The entry at the bottom: no picture is known."""


@dataclass(frozen=True, slots=True)
class Top:
    """The pictures of which one is on top of a panel.

    `message`: the panel. `maybe`: the tables, oldest first, of which the player sees one; None
    stands for no picture. The number of each says when its outcome became known, and `heard` is the
    last of these numbers. `under_way`: deliveries to any message whose outcome isn't known; those
    to this one may come out on top at any moment.
    """

    message: MessageId | None = None
    maybe: tuple[tuple[int, Session | None], ...] = (UNKNOWN,)
    heard: int = 0
    under_way: tuple[Delivery, ...] = ()


def moved(top: Top, message: MessageId) -> Top:
    """Return the top of a panel that is this message from now on.

    If it is another message than before, nothing is known about it.
    """
    return top if message == top.message else replace(top, message=message, maybe=(UNKNOWN,))


def sent(top: Top, delivery: Delivery) -> Top:
    """Return the top with a delivery that is on its way from now on."""
    return Top(top.message, top.maybe, top.heard, (*top.under_way, delivery))


def taken(top: Top, delivery: Delivery) -> Top:
    """Return the top after Discord has taken a delivery.

    It is above all whose outcome was known when it was sent.
    """
    if delivery.message != top.message:
        return refused(top, delivery)
    return _heard(top, delivery, [one for one in top.maybe if one[0] > delivery.heard])


def made(top: Top, delivery: Delivery, message: MessageId) -> Top:
    """Return the top after Discord has made this message from a delivery.

    It is below all that was sent there since.
    """
    there = moved(top, message)
    if there.maybe[0] == UNKNOWN:
        there = replace(there, maybe=((0, delivery.session), *there.maybe[1:]))
    return refused(there, delivery)


def lost(top: Top, delivery: Delivery) -> Top:
    """Return the top after the outcome of a delivery was lost: it may be anywhere, or nowhere."""
    if delivery.message != top.message:
        return refused(top, delivery)
    return _heard(top, delivery, top.maybe)


def refused(top: Top, delivery: Delivery) -> Top:
    """Return the top without a delivery that Discord has not taken, or that was never sent."""
    return Top(top.message, top.maybe, top.heard, _without(top, delivery))


def _heard(top: Top, delivery: Delivery, maybe: Sequence[tuple[int, Session | None]]) -> Top:
    """Return the top with one more outcome, whose picture may be above those of `maybe`."""
    heard, age = top.heard + 1, _age(delivery.session)
    older = (one for one in maybe if _age(one[1]) < age)
    seen = (*older, (heard, delivery.session))
    return Top(top.message, seen, heard, _without(top, delivery))


def _without(top: Top, delivery: Delivery) -> tuple[Delivery, ...]:
    return tuple([one for one in top.under_way if one is not delivery])


def shown(top: Top) -> Session | None:
    """Return the table as the player sees it, unless they see a newer one; None for no picture."""
    on_top = top.maybe[0][1]
    coming = (one.session for one in top.under_way if one.message == top.message)
    return min((on_top, *coming), key=_age)


def _age(session: Session | None) -> tuple[int, int]:
    return (-1, -1) if session is None else (session.round, session.moves)
