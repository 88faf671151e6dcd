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
    ALONE_AT_ANOTHER = "alone_other"
    """Play a game that `/learn` doesn't teach against robots alone."""

    @property
    def is_alone(self) -> bool:
        """True if nobody waits for this player: there are hints, though the table has none."""
        return self is not First.TABLE


def doing(session: Session, user: UserId) -> First | None:
    """Return what a player does at this table now that could be a first time, or None."""
    if session.seat_of(user) is None:
        return None
    taught = session.game.is_taught
    match session.phase:
        case Phase.LOBBY | Phase.READY if session.state is None and not session.history:
            return First.TABLE if taught else None
        case Phase.COUNT | Phase.LIVE if sum(chair.human for chair in session.chairs) == 1:
            return First.ALONE if taught else First.ALONE_AT_ANOTHER
        case _:
            return None


def offer() -> tuple[Block, ...]:
    """Offer the lesson: a line and a button, which a panel has at a player's first table."""
    return (Words((sentence("learn.offer", look=Look.SMALL),)), Row((learn(),)))


def hints_are_on() -> Block:
    """Say why this panel points out what fits though the table doesn't have hints."""
    return Words((sentence("learn.hints", look=Look.SMALL),))
