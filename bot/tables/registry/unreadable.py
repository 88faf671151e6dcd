"""The part of a stored table that is known even if this version can't read its moves."""

from collections.abc import Sequence

from bot.games import GAMES
from bot.tables.state import events as e
from bot.tables.state.evolve import apply, begin
from bot.tables.state.journal import JournalLine
from bot.tables.state.session import Session


def known_session(lines: Sequence[JournalLine]) -> Session | None:
    """Return the session from which the message of a closed table is drawn.

    It has the table's channel, its language, and the reason for closing. None if the message stays
    as it is: it shows the result of a match that has ended, or the bot no longer has the game.
    """
    first, entries = lines[0], [line.entry for line in lines]
    if not isinstance(first.entry, e.Opened) or first.entry.game not in GAMES:
        return None
    if any(isinstance(entry, e.MatchEnded) for entry in entries):
        return None
    session = begin(first.entry, first.at)
    for entry in entries:
        if isinstance(entry, e.ChannelChanged | e.Closed):
            session = apply(session, entry, lines[-1].at, lived=lines[-1].lived)
    return session
