"""References to the messages of tables and panels, and the bot's notes on itself, in SQLite."""

import aiosqlite

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.store.database.query import first, rows
from bot.store.database.writer import Writer
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import TOKEN_LIFE, Direct, PicturePlace, TablePlace, Token

_PANEL = (
    "INSERT INTO panels (table_id, user, message, token, born, locale) "
    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET message = excluded.message, "
    "token = excluded.token, born = excluded.born, locale = excluded.locale"
)
_DIRECT = (
    "INSERT INTO direct_panels (table_id, user, channel, message, locale) "
    "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET channel = excluded.channel, "
    "message = excluded.message, locale = excluded.locale"
)


class SqliteMessageRefs:
    """The store of message references, notes and lessons.

    Most is written behind: losing the last write costs an edit. A reference that nobody could guess
    is written before its message is shown: a posting's nonce here, the token of a command with the
    table that it opens (`bot.store.tables.journal`).
    """

    def __init__(self, db: aiosqlite.Connection, writer: Writer) -> None:
        self._db = db
        self._writer = writer

    def message_at(self, table: TableId, message: MessageId | None) -> None:
        """Store a table's message in a durable commit, without waiting for it.

        Otherwise a power cut could leave a message in the channel that looks like the table's and
        is no longer edited. The token that would find it again is no longer needed.
        """
        sql = "UPDATE tables SET message = ?, nonce = NULL, token = NULL WHERE id = ?"
        self._writer.later([(sql, (message, table))], durable=True)

    async def posting(self, table: TableId, nonce: str) -> None:
        """Store a posting's nonce, on the disk before the message is posted.

        After a crash, and after a power cut, the same nonce finds the message again.
        """
        sql = "UPDATE tables SET nonce = ? WHERE id = ?"
        await self._writer.write([(sql, (nonce, table))], durable=True)

    async def place(self, table: TableId) -> TablePlace:
        sql = "SELECT message, token, nonce FROM tables WHERE id = ?"
        row = await first(self._db, sql, (table,))
        return TablePlace(*row) if row is not None else TablePlace()

    def panel_at(
        self, table: TableId, user: UserId, token: Token, locale: str, *, is_known: bool = False
    ) -> None:
        """Store where a panel is, without waiting.

        `is_known`: the message is stored already, and only its token is newer. That is written
        behind: a kill before then leaves an older token of the same message, and costs a press on
        the panel if that one has died.
        """
        values = (table, user, token.message, token.token, token.born, locale)
        if is_known:
            self._writer.replace((_PANEL, table, user), (_PANEL, values))
        else:
            self._writer.later([(_PANEL, values)])

    def panel_gone(self, table: TableId, user: UserId) -> None:
        self._writer.later([("DELETE FROM panels WHERE table_id = ? AND user = ?", (table, user))])

    def panels_gone(self, table: TableId) -> None:
        self._writer.later(
            [
                ("DELETE FROM panels WHERE table_id = ?", (table,)),
                ("DELETE FROM direct_panels WHERE table_id = ?", (table,)),
                ("DELETE FROM pictures WHERE table_id = ?", (table,)),
                ("DELETE FROM mentions WHERE table_id = ?", (table,)),
            ]
        )

    def tidy(self, now: float) -> None:
        """Delete what the last process left of closed tables, and tokens that have died.

        Called at the start. `now`: Unix seconds by Discord's clock.
        """
        closed = "table_id IN (SELECT id FROM tables WHERE closed = 1)"
        self._writer.later(
            [
                (f"DELETE FROM panels WHERE {closed}", ()),  # noqa: S608 our own words
                (f"DELETE FROM direct_panels WHERE {closed}", ()),  # noqa: S608 our own words
                (f"DELETE FROM pictures WHERE {closed}", ()),  # noqa: S608 our own words
                (f"DELETE FROM mentions WHERE {closed}", ()),  # noqa: S608 our own words
                ("DELETE FROM panels WHERE born < ?", (now - TOKEN_LIFE,)),
                ("UPDATE tables SET token = NULL WHERE token IS NOT NULL AND closed = 1", ()),
            ]
        )

    def direct_at(
        self, table: TableId, user: UserId, direct: Direct, locale: str, *, is_known: bool = False
    ) -> None:
        """Store where a panel in direct messages is. `is_known`: as in `panel_at`."""
        values = (table, user, direct.channel, direct.message, locale)
        if is_known:
            self._writer.replace((_DIRECT, table, user), (_DIRECT, values))
        else:
            self._writer.later([(_DIRECT, values)])

    def direct_gone(self, table: TableId, user: UserId) -> None:
        sql = "DELETE FROM direct_panels WHERE table_id = ? AND user = ?"
        self._writer.later([(sql, (table, user))])

    async def direct_panels(self, table: TableId) -> list[tuple[UserId, Direct, str | None]]:
        """Return each user's direct message and language.

        The language is None in rows from before it was stored.
        """
        sql = "SELECT user, locale, channel, message FROM direct_panels WHERE table_id = ?"
        found = await rows(self._db, sql, (table,))
        return [(UserId(user), Direct(*rest), locale) for user, locale, *rest in found]

    async def panels(self, table: TableId) -> list[tuple[UserId, Token, str | None]]:
        """Return each user's token and language.

        The language is None in rows from before it was stored.
        """
        sql = "SELECT user, locale, token, message, born FROM panels WHERE table_id = ?"
        found = await rows(self._db, sql, (table,))
        return [(UserId(user), Token(*rest), locale) for user, locale, *rest in found]

    async def picture(self, table: TableId) -> PicturePlace | None:
        sql = "SELECT rounds, channel, message FROM pictures WHERE table_id = ?"
        row = await first(self._db, sql, (table,))
        return PicturePlace(*row) if row is not None else None

    def picture_at(self, table: TableId, place: PicturePlace) -> None:
        sql = "REPLACE INTO pictures (table_id, rounds, channel, message) VALUES (?, ?, ?, ?)"
        self._writer.later([(sql, (table, place.rounds, place.channel, place.message))])

    def mention_at(
        self, table: TableId, user: UserId, channel: ChannelId, message: MessageId
    ) -> None:
        """Store a mention in a durable commit, without waiting for it: it has to be deleted."""
        sql = "REPLACE INTO mentions (table_id, user, channel, message) VALUES (?, ?, ?, ?)"
        self._writer.later([(sql, (table, user, channel, message))], durable=True)

    def mention_gone(self, table: TableId, user: UserId, message: MessageId) -> None:
        """Forget a mention. A newer one of the same person stays."""
        sql = "DELETE FROM mentions WHERE table_id = ? AND user = ? AND message = ?"
        self._writer.later([(sql, (table, user, message))])

    async def mentions(self, table: TableId) -> list[tuple[UserId, ChannelId, MessageId]]:
        """Return whom a table has mentioned, and the messages that do."""
        sql = "SELECT user, channel, message FROM mentions WHERE table_id = ?"
        found = await rows(self._db, sql, (table,))
        return [(UserId(u), ChannelId(c), MessageId(m)) for u, c, m in found]

    async def lessons(self) -> list[tuple[GuildId, str, float]]:
        """Return what was learned in each server: server, lesson, Unix seconds."""
        found = await rows(self._db, "SELECT guild, lesson, at FROM learned")
        return [(GuildId(guild), str(lesson), float(at)) for guild, lesson, at in found]

    def learn(self, guild: GuildId, lesson: str, at: float) -> None:
        sql = "REPLACE INTO learned (guild, lesson, at) VALUES (?, ?, ?)"
        self._writer.later([(sql, (guild, lesson, at))])

    def unlearn(self, guild: GuildId, lesson: str) -> None:
        sql = "DELETE FROM learned WHERE guild = ? AND lesson = ?"
        self._writer.later([(sql, (guild, lesson))])

    async def note(self, key: str) -> str | None:
        row = await first(self._db, "SELECT value FROM notes WHERE key = ?", (key,))
        return str(row[0]) if row is not None else None

    async def remember(self, key: str, value: str) -> None:
        sql = (
            "INSERT INTO notes (key, value) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET value = excluded.value"
        )
        await self._writer.write([(sql, (key, value))])
