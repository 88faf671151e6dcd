"""A database of every version there has been, with rows in all of its tables, is upgraded."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.records.feat_models import Feat
from bot.records.feats import Category
from bot.records.models import Order, Place, Wanted
from bot.store.database.backup import inspected
from bot.store.database.errors import DatabaseError
from bot.store.database.file import connect
from bot.store.database.schema import MIGRATIONS, newest_schema, scripts
from bot.store.feats.backfill import FeatsBackfill
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.leaderboards.kept import EVERYBODY
from bot.tables.state.events import Moved, Opened, Seated
from tests.store.conftest import opened
from tests.store.matches import match, play

VERSIONS = tuple(scripts())
RATED_BY_ROUNDS = 7
"""From this version on ratings are shown on another scale."""
FEATS = 16
"""The first version with feats."""
LEADERBOARDS = 21
"""The first version that keeps leaderboards rather than sorting them."""
NOBODY_WON = 27
"""From this version on nobody wins a match that everybody was away from."""
ENTRY = "INSERT INTO journal (table_id, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)"
NUMBERS = 30
"""The first version in which a match has a number in its server."""
Rows: TypeAlias = dict[str, list[dict[str, object]]]

WRITTEN = {
    1: """
        INSERT INTO tables (id, guild, channel, closed, message, token, nonce)
            VALUES (1, 77, 88, 0, 99, 'token', NULL), (2, 77, 89, 1, NULL, NULL, NULL);
        INSERT INTO journal (table_id, seq, at, kind, body, interaction) VALUES
            (1, 0, 1800000000000, 'Opened', '{"game":"ligretto","rules_version":1,"guild":77,
                "channel":88,"host":1001,"locale":"de","options":{"rounds":"3"}}', 501),
            (1, 1, 1800000000001, 'Seated', '{"user":1001,"name":"Anna"}', 502),
            (1, 2, 1800000000002, 'Moved', '{"seat":0,"move":"r5"}', 503);
        INSERT INTO panels (table_id, user, message, token, born) VALUES (1, 1001, 98, 't', 1.5);
        INSERT INTO notes (key, value) VALUES ('commands', 'abc');
    """,
    2: """
        INSERT INTO direct_panels (table_id, user, channel, message) VALUES (1, 1002, 97, 96);
    """,
    3: """
        INSERT INTO players (id, guild, user, name)
            VALUES (1, 77, 1001, 'Anna'), (2, 77, NULL, NULL);
        INSERT INTO matches (id, table_id, guild, game, began, ended, options, standing)
            VALUES (1, 2, 77, 'ligretto', 1800000000000, 1800000100000, '{}', 'rated');
        INSERT INTO rounds
            (match_id, round, reason, by_seat, lasted, plus, minus, laid, duels)
            VALUES (1, 1, 'ligretto', 0, 100000, '[9,4]', '[0,2]', '[9,4]', '[[0,1,40]]');
        INSERT INTO seats (match_id, seat, player, name, guild, game, ended, rated, place, rank,
                won, gone, points, rounds, lasted, laid, best, worst, firsts, firsts_ms, lates,
                lates_ms, mu, sigma)
            VALUES
            (1, 0, 1, NULL, 77, 'ligretto', 1800000100000, 1, 1, 1, 1, 0, 9, 1, 100000, 9, 9, 9,
                1, 40, 0, 0, 26.0, 8.0),
            (1, 1, 2, NULL, 77, 'ligretto', 1800000100000, 1, 2, 2, 0, 0, 2, 1, 100000, 4, 2, 2,
                0, 0, 1, 40, 24.0, 8.0);
        INSERT INTO ratings (player, game, mu, sigma, shown)
            VALUES (1, 'ligretto', 26.0, 8.0, 1000);
        INSERT INTO logs (match_id, log) VALUES (1, x'789c');
        INSERT INTO settings (guild, language, time_zone, keep_logs, defaults)
            VALUES (77, 'de', 'Europe/Berlin', 30, '{}');
        INSERT INTO guilds (guild, application, left_at) VALUES (77, 5, NULL);
        INSERT INTO moderation (id, guild, at, moderator, action, subject)
            VALUES (1, 77, 1800000200000, 1001, 'close', 2);
    """,
    4: """
        INSERT INTO plain_text (user) VALUES (1001);
    """,
    5: """
        INSERT INTO panels (table_id, user, message, token, born, locale)
            VALUES (1, 1003, 95, 't', 1.5, 'fr');
    """,
    9: """
        INSERT INTO pictures (table_id, rounds, channel, message) VALUES (1, 2, 88, 94);
        INSERT INTO learned (guild, lesson, at) VALUES (77, 'pictures apart', 1.5);
    """,
    14: """
        INSERT INTO firsts (user, what, table_id) VALUES (1009, 'table', 1);
    """,
    16: """
        INSERT INTO feats (match_id, seat, player, guild, game, variant, category, won, points,
            stop, duel, come_back, streak)
            VALUES (1, 0, 1, 77, 'ligretto', 'standard', 'ranked', 1, 9, 100000, 40, NULL, 1);
    """,
    17: """
        INSERT INTO badges (player, badge, match_id) VALUES (1, 'blink', 1);
        INSERT INTO rivals (player, game, other, matches, ahead, points, firsts, firsts_ms)
            VALUES (1, 'ligretto', 2, 1, 1, 9, 1, 40);
    """,
    18: """
        INSERT INTO open_seasons (guild, month, began) VALUES (77, '2027-02', 1801436400000);
        INSERT INTO seasons (guild, month, began, ended)
            VALUES (77, '2027-01', 1798758000000, 1801436400000);
        INSERT INTO champions (guild, month, game, player, matches, wins, points)
            VALUES (77, '2027-01', 'ligretto', 1, 1, 1, 9.0);
    """,
    19: """
        INSERT INTO posts (guild, what, period, channel, nonce, at, outcome)
            VALUES (77, 'season', '2027-01', 88, 'season1', 1801436465.5, 'posted');
    """,
}
"""What the bot of that version may have left, beside what those before it did."""


def rows(path: Path) -> Rows:
    """All that a file holds, by table and column."""
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        names = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        return {
            name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")]  # noqa: S608 ours
            for (name,) in names.fetchall()
        }


def kept(before: Rows, after: Rows) -> Rows:
    """The tables and columns of `before`, with what stands in them after."""
    return {
        name: [
            {column: row[column] for column in before[name][0]} if before[name] else row
            for row in after[name]
        ]
        for name in before
    }


async def left_by(version: int, path: Path) -> None:
    """A file as the bot of this version left it."""
    folder = path.parent / "migrations"
    folder.mkdir()
    for script in MIGRATIONS.glob("*.sql"):
        if int(script.name[:4]) <= version:
            shutil.copy(script, folder)
    db = await connect(path, folder)
    for number in range(1, version + 1):
        await db.executescript(WRITTEN.get(number, ""))
    await db.close()


@pytest.mark.parametrize("version", VERSIONS)
async def test_nothing_is_lost_and_the_table_goes_on(version: int, path: Path) -> None:
    await left_by(version, path)
    before = rows(path)
    assert len(before["journal"]) == 3
    async with opened(path) as store:
        store.journal.application = 5
        (table,) = await store.journal.read_open()
        entries = [line.entry for line in table.lines]
        assert [type(entry) for entry in entries] == [Opened, Seated, Moved]
        assert await store.rows("PRAGMA foreign_key_check") == []
    assert inspected(path) == newest_schema()
    before.pop("places", None)  # they are counted by their leaderboards now
    if version < RATED_BY_ROUNDS:
        assert [one.pop("shown") for one in before.get("ratings", ())] == [1000] * (version > 2)
    assert kept(before, rows(path)) == before
    copy = path.with_name(f"{path.name}.v{version}")
    if version < newest_schema():
        assert inspected(copy) == version
        assert kept(before, rows(copy)) == before
    else:
        assert before["moderation"]


@pytest.mark.parametrize("version", VERSIONS[:-1])
async def test_a_damaged_one_is_not_upgraded(version: int, path: Path) -> None:
    """The copy made before an upgrade is looked through: if it will not do, nothing is changed."""
    await left_by(version, path)
    with closing(sqlite3.connect(path)) as db:
        page, size = db.execute(
            "SELECT rootpage, (SELECT * FROM pragma_page_size) FROM sqlite_schema "
            "WHERE name = 'sqlite_autoindex_journal_1'"
        ).fetchone()
    _spoil(path, (page - 1) * size)
    with pytest.raises(DatabaseError, match="damaged"):
        await (await connect(path)).close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)


def _spoil(path: Path, offset: int) -> None:
    """A page that has lost what was on it: an index without entries."""
    data = bytearray(path.read_bytes())
    data[offset + 3 : offset + 5] = (0).to_bytes(2, "big")
    path.write_bytes(data)


async def test_older_entries_get_their_tables_life_from_their_times(path: Path) -> None:
    """Counted from the first entry of each table. It never decreases, whatever the clock did."""
    await left_by(11, path)
    times = ((0, 1000), (1, 4000), (2, 3500), (3, 9000))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO tables (id, guild, channel) VALUES (9, 77, 90)")
        for seq, at in times:
            values = (9, seq, at, "Readied", '{"seat": 0}')
            db.execute(ENTRY, values)
    async with opened(path) as store:
        found = await store.rows("SELECT table_id, lived FROM journal ORDER BY table_id, seq")
    lives = [(1, 0), (1, 1), (1, 2), (9, 0), (9, 3000), (9, 3000), (9, 8000)]
    assert [tuple(row) for row in found] == lives


async def test_dropped_matches_with_a_rated_round_become_practice(path: Path) -> None:
    await left_by(7, path)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript("""
            INSERT INTO matches
                (id, table_id, guild, game, began, ended, options, standing, rated_rounds)
                VALUES (2, 3, 77, 'dice', 1, 2, '{}', 'dropped', '[{"ranks":[1,2],"idle":[]}]'),
                (3, 4, 77, 'dice', 1, 2, '{}', 'dropped', '[]'),
                (4, 5, 77, 'dice', 1, 2, '{}', 'dropped', NULL);
        """)
    async with opened(path) as store:
        found = await store.rows("SELECT standing FROM matches ORDER BY id")
    assert [standing for (standing,) in found][1:] == ["practice", "dropped", "dropped"]


async def test_matches_of_one_human_alone_become_practice(path: Path) -> None:
    """Older versions dropped them; what had no finished round stays dropped."""
    await left_by(5, path)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript("""
            INSERT INTO matches (id, table_id, guild, game, began, ended, options, standing)
                VALUES (2, 3, 77, 'dice', 1, 2, '{}', 'dropped'), (3, 4, 77, 'dice', 1, 2, '{}',
                'dropped');
            INSERT INTO rounds
                (match_id, round, reason, by_seat, lasted, plus, minus, laid, duels)
                VALUES (2, 1, 'dice', 0, 1000, '[9,4]', '[0,2]', '[9,4]', '[]');
        """)
    async with opened(path) as store:
        found = await store.rows("SELECT standing FROM matches ORDER BY id")
    assert [standing for (standing,) in found] == ["rated", "practice", "dropped"]


async def test_matches_keep_the_number_that_people_know(path: Path) -> None:
    """It was their id. The next match of a server is one more than its highest."""
    await left_by(NUMBERS - 1, path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("""
            INSERT INTO matches (id, table_id, guild, game, began, ended, options, standing)
            VALUES (5, 5, 78, 'dice', 1, 2, '{}', 'rated'), (8, 8, 77, 'dice', 1, 2, '{}', 'rated')
        """)
    async with opened(path) as store:
        for guild in (GuildId(77), GuildId(78), GuildId(79)):
            await play(store, match({UserId(1): 9, UserId(2): 5}, guild=guild))
        found = {
            guild: [one.number for one in (await store.archive.history(GuildId(guild), 0)).matches]
            for guild in (77, 78, 79)
        }
    assert found == {77: [9, 8, 1], 78: [6, 5], 79: [1]}


@pytest.mark.parametrize("version", [3, LEADERBOARDS - 1])
async def test_whoever_was_on_a_leaderboard_has_a_place_on_it(version: int, path: Path) -> None:
    """At once. Its counts are what the triggers would have made of it."""
    await left_by(version, path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("""
            INSERT INTO matches (id, table_id, guild, game, began, ended, options, standing)
            VALUES (2, 3, 77, 'dice', 1, 2, '{}', 'dropped')
        """)
    async with opened(path) as store:
        assert await store.rows("SELECT DISTINCT filled FROM leaderboards") == [(EVERYBODY,)]
        assert await store.archive.place(GuildId(77), UserId(1001), "ligretto") == Place(1, 2)
        assert len((await store.archive.history(GuildId(77), 0)).matches) == 1
        assert await store.one("SELECT n FROM counts WHERE kind = 'match' AND shift = 7") == 1
        kept_ones = ("SELECT * FROM standings", "SELECT * FROM counts")
        by_migration = [await store.rows(sql) for sql in kept_ones]
        await store.db.execute("DELETE FROM standings")
        await store.db.execute("UPDATE leaderboards SET filled = 0")
        await LeaderboardFilling(store.db, store.writer, SystemClock()).run()
        filled = [await store.rows(sql) for sql in kept_ones]
        assert (len(filled[0]), filled) == (2, by_migration)


async def test_a_match_that_all_were_away_from_loses_its_winner(path: Path) -> None:
    """Everywhere: in the history, on the leaderboard, among feats. One that was too short is no
    practice any more.
    """
    await left_by(NOBODY_WON - 1, path)
    with closing(sqlite3.connect(path)) as db, db:
        for number, standing, why in ((2, "rated", None), (3, "practice", "too_short")):
            db.execute(
                "INSERT INTO matches (id, table_id, guild, game, began, ended, options, standing, "
                "unranked, rated_rounds) VALUES (?, ?, 77, 'ligretto', 1, 2, '{}', ?, ?, '[]')",
                (number, number + 1, standing, why),
            )
            db.execute(
                "INSERT INTO seats SELECT ?, seat, player, name, guild, game, 2, ?, place, rank, "
                "won, 1, points, rounds, lasted, laid, best, worst, firsts, firsts_ms, lates, "
                "lates_ms, NULL, NULL FROM seats WHERE match_id = 1",
                (number, standing == "rated"),
            )
            db.execute(
                "INSERT INTO feats (match_id, seat, player, guild, game, variant, category, won) "
                "VALUES (?, 0, 1, 77, 'ligretto', 'standard', ?, 1)",
                (number, "ranked" if standing == "rated" else "practice"),
            )
    guild, anna = GuildId(77), UserId(1001)
    async with opened(path) as store:
        await FeatsBackfill(store.db, store.writer, SystemClock()).run()
        row = (await store.archive.leaderboard(Wanted(guild, "ligretto", Order.WINS), anna)).own
        assert row is not None
        assert (row.matches, row.wins) == (2, 1)
        stats = await store.archive.stats(guild, anna, "ligretto")
        assert (stats.matches, stats.wins, stats.practice) == (2, 1, 0)
        (bests,) = await store.archive.personal_bests(guild, anna, "ligretto")
        assert (bests.category, bests.matches, bests.wins) == (Category.RANKED, 2, 1)
        page = await store.archive.history(guild, 0)
        won = {match.number: any(seat.won for seat in match.seats) for match in page.matches}
        assert won == {1: True, 2: False, 3: False}


async def test_matches_of_versions_without_feats_get_them(path: Path) -> None:
    """From their stored rounds. Its log can't be read: no badge is worth the match."""
    await left_by(FEATS - 1, path)
    async with opened(path) as store:
        await FeatsBackfill(store.db, store.writer, SystemClock()).run()
        found = await store.archive.server_records(GuildId(77), "ligretto", "standard")
        assert {one.feat: (one.value, one.holder.name) for one in found} == {
            Feat.STOP: (100_000, "Anna"),
            Feat.POINTS: (9, "Anna"),
            Feat.DUEL: (40, "Anna"),
        }
        assert await store.one("SELECT count(*) FROM feats_due") == 0
