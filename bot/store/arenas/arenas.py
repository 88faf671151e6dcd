"""The journal of arenas, and the places of their people's panels, in SQLite."""

import sqlite3
from collections.abc import Sequence
from itertools import groupby
from typing import Any, get_args

import aiosqlite
import orjson
from pydantic import TypeAdapter

from bot.groups.numbers import after
from bot.ids import ArenaId, GuildId, MessageId, UserId
from bot.store.database.query import Statement, first, rows
from bot.store.database.writer import Writer
from bot.tables.arena import events as e
from bot.tables.arena.events import Event
from bot.tables.arenas.journal import ArenaLine, StoredArena
from bot.tables.state.journal import DuplicateError
from bot.tables.state.message_refs import TOKEN_LIFE, Token

KINDS: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}
"""The form of each kind of event, by the name under which it is stored."""

_LINE = (
    "INSERT INTO arena_journal (arena, seq, at, kind, body, interaction, lived) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_ARENA = (
    "INSERT INTO arenas (id, guild, channel, application, token, game, began) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_OPEN = """
    SELECT j.arena, j.seq, j.at, j.kind, j.body, j.lived
    FROM arenas a JOIN arena_journal j ON j.arena = a.id
    WHERE a.put_away = 0 AND coalesce(a.application, :application) IS :application
    ORDER BY j.arena, j.seq
"""
# The secret of an arena that is over comes from its journal, which is deleted soon after.
_TELL = """
    UPDATE arenas SET ended = ?, secret = (
        SELECT body ->> 'secret' FROM arena_journal WHERE arena = arenas.id AND kind = 'Opened')
    WHERE id = ?
"""
_PANEL = (
    "INSERT INTO arena_panels (arena, user, message, token, born, locale) "
    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET message = excluded.message, "
    "token = excluded.token, born = excluded.born, locale = excluded.locale"
)


class SqliteArenas:
    """The store of arenas. `application`: the one under which they are opened and read.

    `group`: the number of the group that gives their numbers.
    """

    def __init__(self, db: aiosqlite.Connection, writer: Writer, group: int = 0) -> None:
        self.application: int | None = None
        self._group = group
        self._db = db
        self._writer = writer

    async def append(self, lines: Sequence[ArenaLine], *, durable: bool) -> None:
        """Write lines together. Raises DuplicateError for a press that is in the journal."""
        steps = [statement for line in lines for statement in self._statements(line)]
        try:
            await self._writer.write(steps, durable=durable, overtakes=True)
        except sqlite3.IntegrityError as error:
            if "arena_journal.interaction" in str(error):
                raise DuplicateError from error
            raise

    async def read_open(self) -> list[StoredArena]:
        """Return each arena of this application that isn't put away."""
        found = await rows(self._db, _OPEN, {"application": self.application})
        return [
            StoredArena(ArenaId(arena), [_line(row) for row in group])
            for arena, group in groupby(found, key=lambda row: int(row[0]))
        ]

    async def next_id(self) -> int:
        """Return an id that no arena has had."""
        row = await first(self._db, "SELECT coalesce(max(id), 0) FROM arenas", ())
        assert row is not None
        return after(row[0], self._group)

    def put_away(self, arena: ArenaId) -> None:
        """Note that its message shows its end, and delete all but the arena itself."""
        self._writer.later(
            [
                ("UPDATE arenas SET put_away = 1, token = NULL WHERE id = ?", (arena,)),
                ("DELETE FROM arena_journal WHERE arena = ?", (arena,)),
                ("DELETE FROM arena_panels WHERE arena = ?", (arena,)),
            ]
        )

    async def secret(self, guild: GuildId, arena: ArenaId) -> tuple[str, bytes] | None:
        """Return the end of the link to an arena's first message, and its secret.

        None for one that isn't over, or never had a message.
        """
        sql = (
            "SELECT channel, message, secret FROM arenas "
            "WHERE id = ? AND guild = ? AND secret IS NOT NULL AND message IS NOT NULL"
        )
        row = await first(self._db, sql, (arena, guild))
        return None if row is None else (f"{row[0]}/{row[1]}", bytes.fromhex(row[2]))

    async def token(self, arena: ArenaId) -> str | None:
        """Return the token of the command that opened it, while its message isn't known."""
        row = await first(self._db, "SELECT token FROM arenas WHERE id = ?", (arena,))
        return None if row is None else row[0]

    async def message(self, arena: ArenaId) -> MessageId | None:
        """Return the message that shows it now, which may be another than its first."""
        sql = "SELECT coalesce(shown, message) FROM arenas WHERE id = ?"
        row = await first(self._db, sql, (arena,))
        return None if row is None or row[0] is None else MessageId(row[0])

    def shown_at(self, arena: ArenaId, message: MessageId) -> None:
        """Store the message that shows it from now on, since the one before was deleted."""
        sql = "UPDATE arenas SET shown = ? WHERE id = ?"
        self._writer.later([(sql, (message, arena))], durable=True)

    # -- panels -----------------------------------------------------------------------------

    def panel_at(
        self, arena: ArenaId, user: UserId, token: Token, locale: str, *, is_known: bool = False
    ) -> None:
        """Store where a panel is, without waiting: losing it costs a press.

        `is_known`: the message is stored already; its newer token is written behind.
        """
        values = (arena, user, token.message, token.token, token.born, locale)
        if is_known:
            self._writer.replace((_PANEL, arena, user), (_PANEL, values))
        else:
            self._writer.later([(_PANEL, values)])

    def panel_gone(self, arena: ArenaId, user: UserId) -> None:
        sql = "DELETE FROM arena_panels WHERE arena = ? AND user = ?"
        self._writer.later([(sql, (arena, user))])

    async def panels(self, arena: ArenaId, now: float) -> list[tuple[UserId, Token, str]]:
        """Return each person's living token and language.

        `now`: Unix seconds by Discord's clock.
        """
        sql = (
            "SELECT user, locale, token, message, born FROM arena_panels "
            "WHERE arena = ? AND born > ?"
        )
        found = await rows(self._db, sql, (arena, now - TOKEN_LIFE))
        return [(UserId(user), Token(*rest), locale) for user, locale, *rest in found]

    def _statements(self, line: ArenaLine) -> list[Statement]:
        event = line.event
        kind = type(event).__name__
        body = orjson.dumps(event).decode()
        values = (line.arena, line.seq, line.at, kind, body, line.interaction, line.lived)
        written: Statement = (_LINE, values)
        match event:
            case e.Opened(guild=guild, channel=channel, game=game):
                of_it = (line.arena, guild, channel, self.application, line.token, game, line.at)
                return [(_ARENA, of_it), written]
            case e.Published(message):
                sql = "UPDATE arenas SET message = ?, token = NULL WHERE id = ?"
                return [written, (sql, (message, line.arena))]
            case e.Ended():
                return [written, (_TELL, (line.at, line.arena))]
            case _:
                return [written]


def _line(row: Sequence[Any]) -> ArenaLine:
    arena, seq, at, kind, body, lived = row
    return ArenaLine(ArenaId(arena), seq, at, KINDS[kind].validate_json(body), lived=lived)
