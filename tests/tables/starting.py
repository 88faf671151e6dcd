"""What Discord adds to a match: the id of the message that a table posts at Start."""

from functools import partial

from bot.ids import MessageId
from bot.tables.decisions import lobby
from bot.tables.decisions.decide import Decision
from bot.tables.running.table import Table
from bot.tables.state.session import Session

MESSAGE = MessageId(1_500_000_000_000_000_002)
LOBBY = MessageId(1_500_000_000_000_000_000)


def published(session: Session, message: MessageId = MESSAGE) -> Decision:
    """What follows when the message of a started table is there."""
    return lobby.publish(session, session.channel, message, LOBBY)


async def publish(table: Table, message: MessageId = MESSAGE) -> None:
    """The message of a table that was started is there."""
    await table.do(partial(published, message=message))
