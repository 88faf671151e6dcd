"""No statement of the store reads a big table from end to end."""

import sqlite3
from pathlib import Path

from bot.bench.data import Size, build
from bot.bench.moves import held
from bot.bench.plans import scans, statements
from bot.records.models import Order
from bot.store.database.query import rows
from bot.store.records.leaderboards import leaderboard_sql
from tests.store.conftest import Store


async def test_every_statement_finds_its_rows_by_an_index(store: Store) -> None:
    assert len(statements()) > 60, "the statements are found where they are"
    assert await scans(store.db) == []


async def test_a_leaderboard_reads_its_index_and_nothing_else_of_seats(store: Store) -> None:
    for order in Order:
        for period in (False, True):
            names = {"guild", "game", "size", "page", "user", "start", "end"}
            names |= {"shown", "margin"}
            sql = f"EXPLAIN QUERY PLAN {leaderboard_sql(order, period=period)}"
            plan = [step for *_, step in await rows(store.db, sql, dict.fromkeys(names))]
            (seats,) = [step for step in plan if "seats" in step]
            read = "seats_on_board (guild=? AND game=? AND rated=?"
            if period:
                read = "seats_by_end (guild=? AND ended>? AND ended<?)"
            assert f"USING COVERING INDEX {read}" in seats


async def test_a_scan_is_noticed(store: Store) -> None:
    await store.db.execute("DROP INDEX matches_of_guild")
    await store.db.execute("DROP INDEX matches_by_number")
    await store.db.execute("DROP INDEX matches_by_end")
    assert any("matches" in sql for sql in await scans(store.db))


async def test_moves_are_timed_while_an_old_match_is_voided(path: Path, store: Store) -> None:
    """Every one is in the journal, and its time was taken; nothing is said of how long."""
    build(path, Size(seats=2000, servers=3, big=1500))
    reader = store.archive._reader
    waits = await held(store.archive, store.db, reader, store.writer)
    assert all(wait >= 0 for wait in waits)
    moves = await store.one("SELECT count(*) FROM journal WHERE kind = 'Moved'")
    assert moves in {len(waits), len(waits) + 1}, "the last one may be on its way"
    assert len(waits) > 5
    assert await store.rows("SELECT * FROM ratings_due") == []
    assert await store.one("SELECT count(*) FROM matches WHERE standing = 'void'") == 1


async def test_the_data_set_is_what_it_says(path: Path, store: Store) -> None:
    seats = build(path, Size(seats=2000, servers=10, big=500))
    assert 2000 <= seats < 2010
    with sqlite3.connect(path) as db:
        ((big,),) = db.execute("SELECT count(*) FROM seats WHERE guild = 1")
        ((servers,),) = db.execute("SELECT count(DISTINCT guild) FROM seats")
    db.close()
    assert (400 < big < 600, servers) == (True, 10)
