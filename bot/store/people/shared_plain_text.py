"""The users who chose plain text or took it back, with what other groups have to know of it."""

from collections.abc import Sequence

import aiosqlite

from bot.groups.people.switches import Switch
from bot.ids import UserId
from bot.store.database.query import rows
from bot.store.database.writer import Writer

SWITCHES = "SELECT user, plain, at, told FROM plain_text"
_KEEP = """
    INSERT INTO plain_text (user, plain, at, told) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET plain = excluded.plain, at = excluded.at, told = excluded.told
"""


class SqlitePlainText:
    """The SQLite implementation of `bot.groups.people.switches.SwitchStore`."""

    def __init__(self, reader: aiosqlite.Connection, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def switches(self) -> list[Switch]:
        found = await rows(self._reader, SWITCHES)
        return [
            Switch(UserId(user), bool(on), max(at, 1), bool(told)) for user, on, at, told in found
        ]

    async def keep(self, switches: Sequence[Switch]) -> None:
        values = [(one.user, one.is_on, one.at, one.is_told) for one in switches]
        await self._writer.write([(_KEEP, one) for one in values])

    async def drop(self, user: UserId) -> None:
        await self._writer.write([("DELETE FROM plain_text WHERE user = ?", (user,))])
