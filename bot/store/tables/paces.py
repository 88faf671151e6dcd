"""Paces that Discord has taught for calls in a channel, kept across a restart."""

import aiosqlite

from bot.ids import ChannelId, GuildId
from bot.store.database.writer import Writer


class SqlitePaces:
    """The store of learned paces. Written behind: a lost one is learned again."""

    def __init__(self, db: aiosqlite.Connection, writer: Writer) -> None:
        self._db = db
        self._writer = writer

    async def paces(self) -> list[tuple[ChannelId | GuildId, float, bool]]:
        """Return each channel's or server's calls a minute, and whether Discord refused more."""
        async with self._db.execute("SELECT channel, per_minute, is_limited FROM paces") as cursor:
            rows = await cursor.fetchall()
        return [(ChannelId(place), float(most), bool(limited)) for place, most, limited in rows]

    def pace_at(
        self, place: ChannelId | GuildId, guild: GuildId, per_minute: float, *, is_limited: bool
    ) -> None:
        sql = (
            "INSERT INTO paces (channel, guild, per_minute, is_limited) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET per_minute = excluded.per_minute, "
            "is_limited = excluded.is_limited"
        )
        self._writer.later([(sql, (place, guild, per_minute, is_limited))])
