"""The rounds of dailies in SQLite: one row each, to which every accepted press is added."""

from dataclasses import dataclass

import aiosqlite

from bot.daily.dates import DayNumber
from bot.daily.marks import mark
from bot.daily.result import Result
from bot.daily.store import Began, RoundKey, StoredRound, Where
from bot.games import GAMES
from bot.ids import UserId
from bot.store.database.query import Row, first, rows

_COLUMNS = "user, day, game, version, moves, points"
ROUND = f"""
    SELECT {_COLUMNS} FROM daily_rounds WHERE user = ? AND day = ? AND game = ?
"""  # noqa: S608 this module's own
OF_DAY = f"SELECT {_COLUMNS} FROM daily_rounds WHERE user = ? AND day = ?"  # noqa: S608 this module's own
PAST = f"""
    SELECT {_COLUMNS} FROM daily_rounds WHERE user = ? AND day <= ?
    ORDER BY day DESC, game DESC LIMIT ?
"""  # noqa: S608 this module's own
FINISHED = "SELECT DISTINCT day FROM daily_rounds WHERE user = ? AND points IS NOT NULL"
PUBLISHED = "SELECT day FROM daily_published"
KEY = "SELECT key FROM daily_keys WHERE day = ?"
MARK = "SELECT 1 FROM daily_marks WHERE day = ? AND game = ? AND mark = ?"

_BEGIN = """
    INSERT INTO daily_rounds (user, day, game, version) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
_PRESS = """
    UPDATE daily_rounds SET moves = moves || ? || ' ', presses = ?, points = ?
    WHERE user = ? AND day = ? AND game = ? AND presses = ? AND points IS NULL
"""
_PLACE = """
    INSERT INTO daily_places (guild, day, game, user, name, away) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET name = excluded.name
"""
_ENDED = """
    UPDATE daily_places SET points = ?, presses = ? WHERE user = ? AND day = ? AND game = ?
"""


@dataclass(slots=True, eq=False)
class Beginning:
    """A step of the writer that begins a round. `became`: what became of it, once committed."""

    key: RoundKey
    version: int
    where: Where | None
    became: Began = Began.USED

    async def __call__(self, db: aiosqlite.Connection) -> None:
        user, day, game = self.key
        if await is_published(db, day):
            self.became = Began.PUBLISHED
            return
        if await _is_used(db, self.key):
            self.became = Began.USED
            return
        begun = await db.execute(_BEGIN, (user, day, game, self.version))
        self.became = Began.NOW if begun.rowcount else Began.BEFORE
        if begun.rowcount:
            await _place(db, self.key, self.where)


@dataclass(slots=True, eq=False)
class Pressing:
    """A step of the writer that adds an accepted press. `done`: False if the round is gone."""

    key: RoundKey
    number: int
    word: str
    where: Where | None
    end: Result | None
    done: bool = False

    async def __call__(self, db: aiosqlite.Connection) -> None:
        points = None if self.end is None else self.end.points
        added = (self.word, self.number, points, *self.key, self.number - 1)
        self.done = False
        if await is_published(db, self.key.day):
            return
        self.done = bool((await db.execute(_PRESS, added)).rowcount)
        if not self.done:
            return
        await _place(db, self.key, self.where)
        if self.end is not None:
            await db.execute(_ENDED, (self.end.points, self.end.presses, *self.key))


async def is_published(db: aiosqlite.Connection, day: DayNumber) -> bool:
    row = await first(db, PUBLISHED)
    return row is not None and day <= row[0]


async def _is_used(db: aiosqlite.Connection, one: RoundKey) -> bool:
    """Return whether this round was begun before its player was forgotten."""
    key = await first(db, KEY, (one.day,))
    if key is None:
        return False
    return await first(db, MARK, (one.day, one.game, mark(key[0], one.user))) is not None


async def used(db: aiosqlite.Connection, user: UserId, day: DayNumber) -> frozenset[str]:
    """Return the games of a date that somebody began before they were forgotten."""
    return frozenset({game for game in GAMES if await _is_used(db, RoundKey(user, day, game))})


async def _place(db: aiosqlite.Connection, key: RoundKey, where: Where | None) -> None:
    if where is not None:
        values = (where.guild, key.day, key.game, key.user, where.name, int(where.is_away))
        await db.execute(_PLACE, values)


async def stored(db: aiosqlite.Connection, key: RoundKey) -> StoredRound | None:
    row = await first(db, ROUND, key)
    return None if row is None else _stored(row)


async def of_day(db: aiosqlite.Connection, user: UserId, day: DayNumber) -> tuple[StoredRound, ...]:
    return tuple(map(_stored, await rows(db, OF_DAY, (user, day))))


async def past(
    db: aiosqlite.Connection, user: UserId, until: DayNumber, limit: int
) -> tuple[StoredRound, ...]:
    return tuple(map(_stored, await rows(db, PAST, (user, until, limit))))


async def finished(db: aiosqlite.Connection, user: UserId) -> frozenset[DayNumber]:
    return frozenset(DayNumber(day) for (day,) in await rows(db, FINISHED, (user,)))


def _stored(row: Row) -> StoredRound:
    user, day, game, version, moves, points = row
    key = RoundKey(UserId(user), DayNumber(day), game)
    return StoredRound(key, version, tuple(moves.split()), points)
