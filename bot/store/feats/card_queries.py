"""Queries for a person's card: the rival they have met most, and their best moment."""

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.feat_models import RAREST, FavouriteRival, Feat, Highlight
from bot.records.feats import variants
from bot.records.models import Person
from bot.store.database.query import first
from bot.store.feats.queries import rivalry, server_records

FAVOURITE = """
    SELECT o.user, o.name FROM rivals r JOIN players o ON o.id = r.other
    WHERE r.player = (SELECT id FROM players WHERE user = ? AND guild = ?) AND r.game = ?
      AND r.matches > 1
    ORDER BY r.matches DESC, r.other LIMIT 1
"""
_BEST = """
    SELECT f.{column}, m.number, m.ended FROM feats f JOIN matches m ON m.id = f.match_id
    WHERE f.player = (SELECT id FROM players WHERE user = ? AND guild = ?) AND f.game = ?
      AND f.category = 'ranked' AND f.{column} >= ?
    ORDER BY f.{column} DESC, f.match_id LIMIT 1
"""
COME_BACK = _BEST.format(column="come_back")
POINTS = _BEST.format(column="points")
LEAST_COME_BACK = 10
"""The points from which a comeback is worth more than the best round."""


async def favourite_rival(
    db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str
) -> FavouriteRival | None:
    """Return whom a person has met most in one game here, twice at least; None if nobody."""
    row = await first(db, FAVOURITE, (user, guild, game))
    if row is None:
        return None
    return FavouriteRival(Person(*row), await rivalry(db, guild, user, row[0], game))


async def highlight(
    db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str
) -> Highlight | None:
    """Return a record of the server that a person holds, else their biggest comeback or best round.

    None for somebody without any in matches that count for leaderboards.
    """
    found = [
        one
        for variant in variants(game)
        for one in await server_records(db, guild, game, variant)
        if one.holder.user == user
    ]
    if found:
        one = min(found, key=lambda one: RAREST.index(one.feat))
        return Highlight(one.feat, one.value, one.match, one.at, is_record=True)
    own = (user, guild, game)
    if (row := await first(db, COME_BACK, (*own, LEAST_COME_BACK))) is not None:
        return Highlight(Feat.COME_BACK, *row)
    row = await first(db, POINTS, (*own, 1))
    return None if row is None else Highlight(Feat.POINTS, *row)
