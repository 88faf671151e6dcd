"""Voiding a match, and the log of moderators' actions."""

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import Moderated
from bot.store.database.query import first, rows
from bot.store.database.writer import Statement
from bot.store.feats.entries import remove
from bot.store.records.stored_ratings import Forecast, forecast, is_due, rerate, restore
from bot.store.seasons.seasons import crown_again

DONE = """
    SELECT at, moderator, action, subject FROM moderation WHERE guild = ? ORDER BY id DESC LIMIT ?
"""
_NOTE = "INSERT INTO moderation (guild, at, moderator, action, subject) VALUES (?, ?, ?, ?, ?)"
_MATCH = """
    SELECT game, standing, coalesce(rated_rounds, '[]') != '[]', ended FROM matches
    WHERE id = ? AND guild = ?
"""
_VOID = "UPDATE matches SET standing = 'void' WHERE id = ?"
_UNRATED = "UPDATE seats SET rated = 0, mu = NULL, sigma = NULL WHERE match_id = ?"
_PLAYERS = "SELECT player FROM seats WHERE match_id = ? AND player IS NOT NULL"


async def foreseen(db: aiosqlite.Connection, guild: GuildId, match: int) -> Forecast | None:
    """Return the ratings as they would be without a match; None if no rating would change.

    Called outside a transaction: others may write meanwhile.
    """
    row = await first(db, _MATCH, (match, guild))
    if row is None or row[1] == "void" or not row[2]:
        return None
    return await forecast(db, guild, row[0], match, without=match)


async def void(
    db: aiosqlite.Connection,
    guild: GuildId,
    match: int,
    ready: Forecast | None = None,
    *,
    moderator: UserId,
    at: int,
) -> bool:
    """Void a match, inside a transaction: ratings and feats are as without it.

    So is the champion of its season, even if that is over.

    Return False if there is nothing to void: no such match here, or it is void already.
    `at`: Unix ms. `ready`: the result of `foreseen`; without it, ratings are calculated inside
    the transaction.
    """
    row = await first(db, _MATCH, (match, guild))
    if row is None or row[1] == "void" or (row[1] == "dropped" and not row[2]):
        return False
    game, _, has_rated, ended = row
    await db.execute(_VOID, (match,))
    await db.execute(_UNRATED, (match,))
    await remove(db, match)
    await crown_again(db, guild, ended)
    await db.execute(*noted(guild, at, moderator, "void", match))
    if has_rated and not await is_due(db, guild, game):
        players = [player for (player,) in await rows(db, _PLAYERS, (match,))]
        await restore(db, game, match, players)
        await rerate(db, ready or await forecast(db, guild, game, match))
    return True


def noted(guild: GuildId, at: int, moderator: UserId, action: str, subject: int) -> Statement:
    return _NOTE, (guild, at, moderator, action, subject)


async def moderated(db: aiosqlite.Connection, guild: GuildId, limit: int) -> tuple[Moderated, ...]:
    """Return the latest moderators' actions here, newest first, at most `limit`."""
    return tuple(Moderated(*row) for row in await rows(db, DONE, (guild, limit)))
