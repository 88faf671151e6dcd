"""The part of dailies that is about a person: exporting it, and deleting it."""

import secrets
from typing import Any

import aiosqlite

from bot.daily.dates import DayNumber, iso
from bot.daily.marks import mark
from bot.ids import UserId
from bot.store.daily.rounds import KEY, is_published
from bot.store.database.query import first, rows

KEY_BYTES = 32
ROUNDS = """
    SELECT day, game, moves, presses, points FROM daily_rounds WHERE user = ? ORDER BY day, game
"""
PLACES = """
    SELECT guild, day, game, name FROM daily_places WHERE user = ? ORDER BY day, game, guild
"""
BEGUN = "SELECT day, game FROM daily_rounds WHERE user = ?"
_KEY = "INSERT INTO daily_keys (day, key) VALUES (?, ?) ON CONFLICT DO NOTHING"
_MARK = "INSERT INTO daily_marks (day, game, mark) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


async def export(db: aiosqlite.Connection, user: UserId) -> dict[str, Any]:
    """Return somebody's rounds, and the servers on whose leaderboards they are."""
    played = [
        {"day": iso(DayNumber(day)), "game": game, "moves": moves.split(), "points": points}
        for day, game, moves, _, points in await rows(db, ROUNDS, (user,))
    ]
    places = [
        {"server": guild, "day": iso(DayNumber(day)), "game": game, "name": name}
        for guild, day, game, name in await rows(db, PLACES, (user,))
    ]
    return {"rounds": played, "leaderboards": places}


async def forget(db: aiosqlite.Connection, user: UserId) -> None:
    """Delete somebody's rounds, inside a transaction.

    Of a round whose secret isn't published, a mark stays until it is, so that nobody plays twice.
    """
    for day, game in await rows(db, BEGUN, (user,)):
        if await is_published(db, DayNumber(day)):
            continue
        await db.execute(_KEY, (day, secrets.token_bytes(KEY_BYTES)))
        key = await first(db, KEY, (day,))
        assert key is not None, "the day has a key now"
        await db.execute(_MARK, (day, game, mark(key[0], user)))
    await db.execute("DELETE FROM daily_rounds WHERE user = ?", (user,))
    await db.execute("DELETE FROM daily_places WHERE user = ?", (user,))
