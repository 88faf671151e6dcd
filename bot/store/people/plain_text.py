"""The users who chose plain text."""

import aiosqlite

from bot.ids import UserId
from bot.store.database.query import Statement, rows

PLAIN = "SELECT user FROM plain_text WHERE plain = 1"


async def plain(db: aiosqlite.Connection) -> frozenset[UserId]:
    return frozenset(UserId(user) for (user,) in await rows(db, PLAIN))


def chosen(user: UserId, *, plain: bool) -> Statement:
    """Return a statement that stores a user's choice."""
    if plain:
        sql = "INSERT INTO plain_text (user) VALUES (?) ON CONFLICT DO UPDATE SET plain = 1"
        return sql, (user,)
    return "DELETE FROM plain_text WHERE user = ?", (user,)
