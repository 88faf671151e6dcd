"""A person's place on a leaderboard by rating, counted rather than sorted."""

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import Place
from bot.records.ratings import NEWCOMER, SURE, shown
from bot.store.database.query import first

# The order is that of a leaderboard by rating (`leaderboards.LEADERBOARD`). The index holds all
# that is read: tens of thousands of people take a few ms.
_KEY = f"iif(coalesce(margin, :margin) > {SURE}, coalesce(margin, :margin), 0)"
PLACE = f"""
    WITH own AS (
        SELECT coalesce(r.shown, :shown) - {_KEY} AS key
        FROM players p JOIN places r ON r.player = p.id AND r.game = :game
        WHERE p.user = :user AND p.guild = :guild
    )
    SELECT 1 + coalesce(sum(coalesce(shown, :shown) - {_KEY} > (SELECT key FROM own)), 0), count(*)
    FROM places WHERE guild = :guild AND game = :game AND EXISTS (SELECT 1 FROM own)
"""  # noqa: S608 numbers of our own


async def place(db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str) -> Place | None:
    """Return a person's place on the leaderboard by rating here; None if they aren't on it."""
    new = shown(NEWCOMER, game)
    key = {"guild": guild, "user": user, "game": game}
    row = await first(db, PLACE, key | {"shown": new.points, "margin": new.margin})
    return Place(*row) if row is not None and row[1] else None
