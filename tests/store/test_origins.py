"""A database knows which tables it has had, and where they were born."""

from pathlib import Path

from bot.groups.numbers import number
from bot.store.database.file import open_database
from bot.store.tables.origins import SqliteOrigins
from bot.tables.state.journal import TableId


async def test_tables_are_known_open_or_closed_with_their_birthplaces(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "a.db")
    try:
        for table, closed in ((17, 0), (number(1, 3), 1), (number(900, 5), 0), (number(2, 3), 0)):
            await database.writing.execute(
                "INSERT INTO tables (id, guild, channel, closed) VALUES (?, 1, 1, ?)",
                (table, closed),
            )
        await database.writing.commit()
        origins = SqliteOrigins(database.reading)
        assert await origins.origins() == {0, 3, 5}
        assert await origins.has(TableId(number(1, 3)))
        assert not await origins.has(TableId(number(3, 3)))
    finally:
        await database.close()
