"""The dailies in SQLite."""

import aiosqlite

from bot.daily.chain import EVER, Chain
from bot.daily.dates import DayNumber
from bot.daily.result import Result
from bot.daily.store import Began, GameRecap, Leaderboard, RoundKey, StoredRound, Where
from bot.ids import GuildId, UserId
from bot.store.daily import leaderboards, rounds
from bot.store.database.query import Statement, first, rows
from bot.store.database.writer import Writer

CHAINS = "SELECT first_day, final, links, since FROM daily_chains ORDER BY since, first_day"
LEADERBOARDS_KEPT = 30
"""Days for which a leaderboard is kept after its secret is published."""
_CHAIN = "INSERT INTO daily_chains (first_day, final, links, since) VALUES (?, ?, ?, ?)"
_NO_CHAIN = "DELETE FROM daily_chains"
_PUBLISH = """
    INSERT INTO daily_published (one, day) VALUES (1, ?)
    ON CONFLICT DO UPDATE SET day = max(day, excluded.day)
"""
_OVER = (
    "DELETE FROM daily_marks WHERE day <= ?",
    "DELETE FROM daily_keys WHERE day <= ?",
)
_OLD_LEADERBOARDS = "DELETE FROM daily_places WHERE day < ?"


class SqliteDaily:
    """The SQLite implementation of `bot.daily.store.DailyStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def chains(self) -> tuple[Chain, ...]:
        found = await rows(self._reader, CHAINS)
        return tuple(
            Chain(day, final, links, since if since > day else EVER)
            for day, final, links, since in found
        )

    async def add(self, chain: Chain) -> None:
        await self._writer.write([_added(chain)], durable=True)

    async def replace(self, chains: tuple[Chain, ...]) -> None:
        await self._writer.write([(_NO_CHAIN, ()), *map(_added, chains)], durable=True)

    async def published(self) -> DayNumber | None:
        row = await first(self._reader, rounds.PUBLISHED)
        return None if row is None else DayNumber(row[0])

    async def publish(self, day: DayNumber) -> None:
        steps = [(sql, (day,)) for sql in (_PUBLISH, *_OVER)]
        await self._writer.write(
            [*steps, (_OLD_LEADERBOARDS, (day - LEADERBOARDS_KEPT,))], durable=True
        )

    async def begin(self, key: RoundKey, version: int, where: Where | None) -> Began:
        step = rounds.Beginning(key, version, where)
        await self._writer.write([step], durable=True)
        return step.became

    async def press(
        self, key: RoundKey, number: int, word: str, where: Where | None, end: Result | None
    ) -> bool:
        step = rounds.Pressing(key, number, word, where, end)
        await self._writer.write([step], durable=end is not None)
        return step.done

    async def round(self, key: RoundKey) -> StoredRound | None:
        return await rounds.stored(self._reader, key)

    async def of_day(self, user: UserId, day: DayNumber) -> tuple[StoredRound, ...]:
        return await rounds.of_day(self._reader, user, day)

    async def used(self, user: UserId, day: DayNumber) -> frozenset[str]:
        return await rounds.used(self._reader, user, day)

    async def finished(self, user: UserId) -> frozenset[DayNumber]:
        return await rounds.finished(self._reader, user)

    async def past(self, user: UserId, until: DayNumber, limit: int) -> tuple[StoredRound, ...]:
        return await rounds.past(self._reader, user, until, limit)

    async def leaderboard(self, guild: GuildId, key: RoundKey) -> Leaderboard:
        return await leaderboards.leaderboard(self._reader, guild, key)

    async def recap(self, guild: GuildId, day: DayNumber) -> tuple[GameRecap, ...]:
        return await leaderboards.recap(self._reader, guild, day)


def _added(chain: Chain) -> Statement:
    since = max(chain.first, chain.since)
    return _CHAIN, (chain.first, chain.final, chain.links, since)
