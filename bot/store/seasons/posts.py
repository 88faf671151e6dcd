"""Posts that the bot makes by itself in SQLite, each noted before it is sent."""

import aiosqlite

from bot.ids import ChannelId, GuildId
from bot.records.seasons.posts import Outcome, Post, PostKey
from bot.store.database.query import rows
from bot.store.database.writer import Writer

POSTS = "SELECT guild, what, period, channel, nonce, at, outcome FROM posts WHERE at > ?"
REFUSED = """
    SELECT channel FROM posts WHERE guild = ? AND outcome = 'refused' ORDER BY at DESC LIMIT 1
"""
_SENDS = """
    INSERT INTO posts (guild, what, period, channel, nonce, at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET channel = excluded.channel, nonce = excluded.nonce,
        at = excluded.at, outcome = NULL
"""
_ENDED = "UPDATE posts SET outcome = ? WHERE guild = ? AND what = ? AND period = ?"
_WAITS = "DELETE FROM posts WHERE guild = ? AND outcome = 'refused'"


class SqlitePosts:
    """The SQLite implementation of `bot.records.archive.PostStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def since(self, at: float) -> tuple[Post, ...]:
        found = await rows(self._reader, POSTS, (at,))
        return tuple(
            Post(PostKey(guild, what, period), channel, nonce, sent, outcome and Outcome(outcome))
            for guild, what, period, channel, nonce, sent, outcome in found
        )

    async def sends(self, post: Post) -> None:
        """Note a post on the disk, before it is sent."""
        values = (*post.key, post.channel, post.nonce, post.at)
        await self._writer.write([(_SENDS, values)], durable=True)

    async def ended(self, key: PostKey, outcome: Outcome) -> None:
        await self._writer.write([(_ENDED, (outcome, *key))], durable=True)

    async def refused_in(self, guild: GuildId) -> ChannelId | None:
        found = await rows(self._reader, REFUSED, (guild,))
        return ChannelId(found[0][0]) if found else None

    async def try_again(self, guild: GuildId) -> None:
        await self._writer.write([(_WAITS, (guild,))])
