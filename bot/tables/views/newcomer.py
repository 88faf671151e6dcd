"""The parts of a panel for newcomers: the offer of a lesson, and hints in a first match alone."""

from enum import StrEnum

from bot.ids import UserId
from bot.screen import Block, Look, Row, Words
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import learn, sentence


class First(StrEnum):
    """Something that a person does for the first time. The value is how it is stored."""

    TABLE = "table"
    """Sit at a table of a game that `/learn` teaches."""
    ALONE = "alone"
    """Play such a game against robots alone."""


def doing(session: Session, user: UserId) -> First | None:
    """Return what a player does at this table now that could be a first time, or None."""
    if not session.game.is_taught or session.seat_of(user) is None:
        return None
    match session.phase:
        case Phase.LOBBY | Phase.READY if session.state is None and not session.history:
            return First.TABLE
        case Phase.COUNT | Phase.LIVE if sum(chair.human for chair in session.chairs) == 1:
            return First.ALONE
        case _:
            return None


def offer() -> tuple[Block, ...]:
    """Offer the lesson: a line and a button, which a panel has at a player's first table."""
    return (Words((sentence("learn.offer", look=Look.SMALL),)), Row((learn(),)))


def hints_are_on() -> Block:
    """Say why this panel points out what fits though the table doesn't have hints."""
    return Words((sentence("learn.hints", look=Look.SMALL),))
