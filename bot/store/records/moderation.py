"""Voiding a match, and the log of moderators' actions."""

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import Moderated
from bot.store.database.query import Statement, first, rows
from bot.store.feats.entries import remove
from bot.store.records.rewriting import AGAIN, has_few_later
from bot.store.records.stored_ratings import Forecast, forecast, is_due, rerate, restore
from bot.store.seasons.seasons import crown_again

DONE = """
    SELECT at, moderator, action, subject FROM moderation WHERE guild = ? ORDER BY id DESC LIMIT ?
"""
_NOTE = "INSERT INTO moderation (guild, at, moderator, action, subject) VALUES (?, ?, ?, ?, ?)"
_MATCH = """
    SELECT id, game, standing, coalesce(rated_rounds, '[]') != '[]', ended FROM matches
    WHERE guild = ? AND number = ?
"""
_VOID = "UPDATE matches SET standing = 'void' WHERE id = ?"
_UNRATED = "UPDATE seats SET rated = 0, mu = NULL, sigma = NULL WHERE match_id = ?"
_UNRATED_SINCE = """
    SELECT s.player FROM seats s WHERE s.match_id = ? AND s.player IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM seats l WHERE l.player = s.player AND l.game = s.game
          AND l.match_id > s.match_id AND l.mu IS NOT NULL)
"""
_PLAYERS = "SELECT player FROM seats WHERE match_id = ? AND player IS NOT NULL"


async def foreseen(db: aiosqlite.Connection, guild: GuildId, number: int) -> Forecast | None:
    """Return the ratings as they would be without a match, by its number in the server.

    None if no rating would change, or if that takes long: then it is done in the background.
    Called outside a transaction: others may write meanwhile.
    """
    row = await first(db, _MATCH, (guild, number))
    if row is None or row[2] == "void" or not row[3]:
        return None
    match, game, *_ = row
    if await is_due(db, guild, game) or not await has_few_later(db, guild, match):
        return None
    return await forecast(db, guild, game, match, without=match)


async def void(
    db: aiosqlite.Connection,
    guild: GuildId,
    number: int,
    ready: Forecast | None = None,
    *,
    moderator: UserId,
    at: int,
) -> bool:
    """Void a match, inside a transaction: ratings and feats are as without it.

    So is the champion of its season, even if that is over. If many matches follow it, ratings are
    due instead: they are worked out in the background.

    Return False if there is nothing to void: no such match here, or it is void already.
    `at`: Unix ms. `ready`: the result of `foreseen`; without it, ratings are calculated inside
    the transaction.
    """
    row = await first(db, _MATCH, (guild, number))
    if row is None or row[2] == "void" or (row[2] == "dropped" and not row[3]):
        return False
    match, game, _, has_rated, ended = row
    await db.execute(_VOID, (match,))
    await db.execute(_UNRATED, (match,))
    await remove(db, match)
    await crown_again(db, guild, game, ended)
    if has_rated:
        await _rate_without(db, guild, game, match, ready)
    await db.execute(*noted(guild, at, moderator, "void", number))
    return True


async def _rate_without(
    db: aiosqlite.Connection, guild: GuildId, game: str, match: int, ready: Forecast | None
) -> None:
    at_once = not await is_due(db, guild, game) and await has_few_later(db, guild, match)
    found = await rows(db, _PLAYERS if at_once else _UNRATED_SINCE, (match,))
    await restore(db, game, match, [player for (player,) in found])
    if at_once:
        await rerate(db, ready or await forecast(db, guild, game, match))
    else:
        await db.execute(AGAIN, (guild, game, match))


def noted(guild: GuildId, at: int, moderator: UserId, action: str, subject: int) -> Statement:
    return _NOTE, (guild, at, moderator, action, subject)


async def moderated(db: aiosqlite.Connection, guild: GuildId, limit: int) -> tuple[Moderated, ...]:
    """Return the latest moderators' actions here, newest first, at most `limit`."""
    return tuple(Moderated(*row) for row in await rows(db, DONE, (guild, limit)))
