"""A database is split by server and merged again: nothing is lost, doubled, or seen to change."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.ids import GuildId
from bot.ops.moving import drafts
from bot.ops.moving import split as splitting
from bot.ops.moving.division import DIVISIONS, NUMBERED, OfEveryFile, OfServer
from bot.ops.moving.merge import merge
from bot.ops.moving.split import Part, split
from bot.store.database.errors import DatabaseError
from bot.store.database.lock import only_process
from bot.store.database.schema import scripts
from bot.store.groups.part import PART
from tests.ops.moving.bots import SERVERS, differs, dumped, exports, made, seen
from tests.store.conftest import opened
from tests.store.test_kept_leaderboards import RECOUNTED


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot's database that tests copy: making one takes a moment."""
    path = tmp_path_factory.mktemp("bot") / "ligretto.sqlite3"
    asyncio.run(made(path, Random(1)))
    return path


@pytest.fixture
def whole(stopped: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(stopped, tmp_path))


async def empty(path: Path) -> None:
    async with opened(path):
        pass


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(sql)


def servers(path: Path, name: str) -> set[object]:
    return {guild for (guild,) in rows(path, f"SELECT guild FROM {name}")}  # noqa: S608 our own


def part_of(parts: Sequence[Part], guild: GuildId) -> Path:
    (path,) = (one.path for one in parts if one.has(guild))
    return path


# -- the list of tables ----------------------------------------------------------------------


def test_every_table_says_how_it_is_divided() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in scripts().values():
            db.executescript(script)
        names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    assert {name for (name,) in names if not name.startswith("sqlite_")} == set(DIVISIONS)


def test_every_id_that_is_given_anew_is_mapped_wherever_it_is() -> None:
    """A column that names a player or a leaderboard, by its name or by a foreign key."""
    named = {"player": "players", "other": "players", "leaderboard": "leaderboards"}
    with closing(sqlite3.connect(":memory:")) as db:
        for script in scripts().values():
            db.executescript(script)
        for name, division in DIVISIONS.items():
            columns = {column for _, column, *_ in db.execute(f"PRAGMA table_info({name})")}
            wanted = {column: of for column, of in named.items() if column in columns}
            references = db.execute(f"PRAGMA foreign_key_list({name})")
            wanted |= {column: of for _, _, of, column, *_ in references if of not in NUMBERED}
            keys = division.keys if isinstance(division, OfServer) else {}
            assert {column: of for column, of in keys.items() if column != "id"} == wanted, name


# -- there and back --------------------------------------------------------------------------


@pytest.mark.parametrize(("into", "count"), [(1, 1), (2, 8), (3, 3), (4, 12)])
def test_split_and_merged_bot_looks_as_before(into: int, count: int, tmp_path: Path) -> None:
    whole, again = tmp_path / "ligretto.sqlite3", tmp_path / "again.sqlite3"
    asyncio.run(made(whole, Random(into)))
    before, rows_before = seen(lambda _: whole), dumped(whole)
    parts = split(whole, into, count)
    assert len(parts) == into
    split_rows = [dumped(one.path) for one in parts]
    for name, division in DIVISIONS.items():
        if isinstance(division, OfServer):
            both = sorted((row for rows in split_rows for row in rows[name]), key=repr)
            assert both == rows_before[name], name
        elif isinstance(division, OfEveryFile) and name != "used_groups":
            copied = [[row for row in rows[name] if row[0] != PART] for rows in split_rows]
            assert all(rows == rows_before[name] for rows in copied), name
    given = exports([whole])
    assert differs(before, seen(lambda guild: part_of(parts, guild))) == []
    assert exports([one.path for one in parts]) == given
    assert merge([one.path for one in reversed(parts)], again) == (len(SERVERS), 40)
    assert differs(before, seen(lambda _: again)) == []
    assert exports([again]) == given
    rows_after = dumped(again)
    for name in rows_before.keys() - {"used_groups", "own_group", "counts"}:
        assert len(rows_after[name]) == len(rows_before[name]), name


def test_part_has_its_servers_alone(whole: Path) -> None:
    for one in split(whole, 2, 8):
        here = {guild for guild in SERVERS if (guild >> 22) % 8 in one.layout.ids}
        assert here
        for name in ("guilds", "matches", "seats", "tables", "settings", "moderation"):
            assert servers(one.path, name) <= here
        assert servers(one.path, "guilds") == here
        assert one.servers == len(here)


def test_leaderboards_are_counted_as_if_they_had_been_kept(whole: Path) -> None:
    parts = split(whole, 2, 2)
    again = whole.with_name("again.sqlite3")
    _ = merge([one.path for one in parts], again)
    for path in (again, *(one.path for one in parts)):
        counts = rows(path, "SELECT kind, list, shift, bucket, n FROM counts ORDER BY 1, 2, 3, 4")
        assert counts
        assert counts == rows(path, RECOUNTED)


def test_leaderboard_that_is_being_filled_goes_on_after_a_merge(whole: Path) -> None:
    before = seen(lambda _: whole)
    changed(
        whole,
        """
        DELETE FROM standings WHERE player > 20;
        UPDATE leaderboards SET filled = 20;
        """,
    )
    again = whole.with_name("again.sqlite3")
    _ = merge([one.path for one in split(whole, 3, 3)][::-1], again)
    beyond = (
        "SELECT 1 FROM standings s JOIN leaderboards b ON b.id = leaderboard WHERE player > filled"
    )
    assert rows(again, beyond) == []
    assert differs(before, seen(lambda _: again)) == []


def test_no_id_is_given_again_and_no_group_number(whole: Path) -> None:
    """A deleted match was the newest. The file's own group number is used up as well."""
    parts = split(whole, 2, 2)
    again = whole.with_name("again.sqlite3")
    _ = merge([one.path for one in parts], again)
    newest = "SELECT seq FROM sqlite_sequence WHERE name = 'matches'"
    assert rows(whole, newest) > rows(whole, "SELECT max(id) FROM matches")
    for path in (again, *(one.path for one in parts)):
        assert rows(path, newest) == rows(whole, newest)
        assert rows(path, "SELECT number FROM used_groups ORDER BY 1") == [(2,), (5,), (7,)]
        assert rows(path, "SELECT * FROM own_group") == []


def test_what_people_did_in_two_files_is_theirs_in_one(whole: Path) -> None:
    """Of two rounds of the same daily the finished one counts, else the longer one."""
    one, other = (part.path for part in split(whole, 2, 2))
    changed(
        one,
        """
        INSERT INTO daily_rounds VALUES (1, 7, 'dice', 1, 'a ', 1, 5),
            (2, 7, 'dice', 1, 'a ', 1, NULL);
        INSERT INTO plain_text VALUES (1, 1, 5, 0), (2, 1, 5, 0);
        INSERT INTO orders_done VALUES ('both', 5), ('one', 5);
        INSERT INTO firsts VALUES (1, 'table', 900);
        UPDATE daily_published SET day = 20900;
    """,
    )
    changed(
        other,
        """
        INSERT INTO daily_rounds VALUES (1, 7, 'dice', 1, 'a b ', 2, NULL),
            (2, 7, 'dice', 1, 'a b ', 2, NULL);
        INSERT INTO plain_text VALUES (1, 0, 4, 0), (2, 0, 6, 0);
        INSERT INTO orders_done VALUES ('both', 5), ('other', 5);
        INSERT INTO firsts VALUES (1, 'table', 800);
    """,
    )
    again = whole.with_name("again.sqlite3")
    _ = merge([one, other], again)
    assert rows(again, "SELECT user, presses, points FROM daily_rounds WHERE day = 7") == [
        (1, 1, 5),
        (2, 2, None),
    ]
    assert rows(again, "SELECT table_id FROM firsts WHERE user = 1") == [(800,)]
    assert rows(again, "SELECT day FROM daily_published") == [(20900,)]
    newest = "SELECT user, plain FROM plain_text WHERE user < 3 ORDER BY 1"
    assert rows(again, newest) == [(1, 1), (2, 0)]
    done = rows(again, "SELECT id FROM orders_done")
    assert done == [("both",)], "what isn't deleted in one file is deleted in the new one"


def test_result_of_another_groups_server_comes_home(whole: Path) -> None:
    """A person has finished a daily in a server that is in the other file."""
    one, other = (part.path for part in split(whole, 2, 2))
    server = next(guild for guild in SERVERS if (guild >> 22) % 2)
    place = "INSERT INTO daily_places VALUES ({}, 7, 'dice', {}, 'Anna', {}, {}, {})"
    changed(one, place.format(server, 1, 9, 2, 1) + ";" + place.format(server, 2, 9, 2, 2))
    changed(other, place.format(server, 2, "NULL", "NULL", 0))
    again = whole.with_name("again.sqlite3")
    _ = merge([one, other], again)
    found = rows(again, "SELECT user, points, away FROM daily_places WHERE day = 7 ORDER BY 1")
    assert found == [(1, 9, 0), (2, 9, 0)]


# -- refused ---------------------------------------------------------------------------------


def left_in(folder: Path) -> set[str]:
    return {
        file.name for file in folder.iterdir() if not file.name.endswith((".lock", "-wal", "-shm"))
    }


def test_nothing_is_split_while_the_bot_runs(whole: Path) -> None:
    with only_process(whole), pytest.raises(DatabaseError, match="stop the bot there first"):
        _ = split(whole, 2, 2)
    assert left_in(whole.parent) == {whole.name}


@pytest.mark.parametrize(("into", "count"), [(0, 8), (3, 8), (2, 0), (2, 10**6)])
def test_groups_of_different_sizes_are_refused(whole: Path, into: int, count: int) -> None:
    with pytest.raises(DatabaseError, match=r"--(into|shard-count): "):
        _ = split(whole, into, count)


def test_no_file_is_overwritten(whole: Path) -> None:
    taken = whole.with_name("ligretto.shards-1.sqlite3")
    taken.write_text("mine")
    with pytest.raises(DatabaseError, match="already exists"):
        _ = split(whole, 2, 2)
    with pytest.raises(DatabaseError, match="already exists"):
        _ = merge([whole], taken)
    assert left_in(whole.parent) == {whole.name, taken.name}
    assert taken.read_text() == "mine"


def test_failed_split_leaves_nothing(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last name can't be given: the first is taken back."""
    give, named = drafts._name, list[Path]()

    def once(part: Path, target: Path) -> None:
        if named:
            raise OSError(28, "No space left on device")
        named.append(target)
        give(part, target)

    monkeypatch.setattr(drafts, "_name", once)
    with pytest.raises(DatabaseError, match="No space left"):
        _ = split(whole, 2, 2)
    assert left_in(whole.parent) == {whole.name}


@pytest.mark.parametrize(
    "wrong",
    [
        "DELETE FROM seats WHERE rowid IN (SELECT 1)",
        "UPDATE settings SET language = 'xx'",
        "INSERT INTO plain_text (user) VALUES (1)",
    ],
)
def test_part_with_a_wrong_row_is_never_published(
    whole: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = splitting._write

    def falsely(part: Part, *more: object) -> None:
        write(part, *more)  # type: ignore[arg-type]
        changed(part.path, wrong.replace("rowid IN (SELECT 1)", "seat = 0"))

    monkeypatch.setattr(splitting, "_write", falsely)
    with pytest.raises(DatabaseError, match="that belong there"):
        _ = split(whole, 2, 2)
    assert left_in(whole.parent) == {whole.name}


def test_tables_of_somebody_else_are_not_lost_in_silence(whole: Path) -> None:
    changed(whole, "CREATE TABLE mine (id INTEGER); CREATE TABLE _litestream_seq (id INTEGER);")
    with pytest.raises(DatabaseError, match=r"would be lost: mine"):
        _ = split(whole, 2, 2)
    changed(whole, "DROP TABLE mine")
    assert len(split(whole, 2, 2)) == 2


def test_server_in_two_databases_is_refused(whole: Path) -> None:
    one, other = (part.path for part in split(whole, 2, 2))
    changed(other, f"INSERT INTO deletions VALUES ({SERVERS[0]})")  # noqa: S608 our own
    with pytest.raises(DatabaseError, match=f"both in .*: {SERVERS[0]}"):
        _ = merge([one, other], whole.with_name("again.sqlite3"))


def test_deleted_servers_are_no_clash(whole: Path) -> None:
    """Their tables stay as those of server 0, so that no number is given again."""
    parts = [part.path for part in split(whole, 2, 2)]
    for n, path in enumerate(parts):
        sql = f"INSERT INTO tables (id, guild, channel, closed) VALUES ({90 + n}, 0, 0, 1)"  # noqa: S608
        changed(path, sql)
    _ = merge(parts, again := whole.with_name("again.sqlite3"))
    assert rows(again, "SELECT id FROM tables WHERE guild = 0") == [(90,), (91,)]


def test_databases_of_two_bots_are_refused(tmp_path: Path) -> None:
    """Both have given the same id to a table, in different servers."""
    paths = [tmp_path / name for name in ("one.sqlite3", "other.sqlite3")]
    for guild, path in enumerate(paths, 1):
        asyncio.run(empty(path))
        changed(path, f"INSERT INTO tables (id, guild, channel) VALUES (1, {guild}, 1)")  # noqa: S608
    with pytest.raises(DatabaseError, match="not of one bot: 1"):
        _ = merge(paths, tmp_path / "again.sqlite3")


def test_two_keys_of_the_same_day_are_refused(whole: Path) -> None:
    one, other = (part.path for part in split(whole, 2, 2))
    changed(other, "UPDATE daily_keys SET key = x'dd'")
    with pytest.raises(DatabaseError, match=r"differ in daily_keys .* deal is over"):
        _ = merge([one, other], whole.with_name("again.sqlite3"))


def test_the_same_database_twice_is_refused(whole: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(whole, copy)
    with pytest.raises(DatabaseError, match="both in"):
        _ = merge([whole, copy], tmp_path / "again.sqlite3")
    link = tmp_path / "link.sqlite3"
    link.symlink_to(whole)
    with pytest.raises(DatabaseError):
        _ = merge([whole, link], tmp_path / "again.sqlite3")


# -- owners ----------------------------------------------------------------------------------


def test_new_files_have_the_mode_of_the_old_one(whole: Path) -> None:
    whole.chmod(0o640)
    for one in split(whole, 2, 2):
        assert one.path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files")
def test_new_files_belong_to_whoever_runs_the_bot(whole: Path) -> None:
    os.chown(whole, 1234, 1234)
    parts = [one.path for one in split(whole, 2, 2)]
    _ = merge(parts, again := whole.with_name("again.sqlite3"))
    assert {path.stat().st_uid for path in (*parts, again)} == {1234}
