"""A database whose servers were moved to other files: nobody starts it by mistake."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.cli.offline import moved
from bot.cli.parser import read
from bot.clock import SystemClock
from bot.composition.membership import membership
from bot.groups.lease.refusals import GroupError
from bot.ops.check.machine import database as checked
from bot.ops.moving.merge import merge
from bot.ops.moving.split import split
from bot.settings.config import Config
from bot.store.database.errors import DatabaseError
from bot.store.database.file import open_database
from bot.store.database.lock import only_process
from bot.store.groups.moved import KEY
from tests.ops.moving.bots import made

ALONE: dict[str, object] = {}
GROUP: dict[str, object] = {
    "shard_count": 2,
    "shard_ids": (0,),
    "valkey_url": "redis://127.0.0.1:1",
}
ONE_AND_TWO = "ligretto.shards-0.sqlite3, ligretto.shards-1.sqlite3"


@pytest.fixture
def parts(tmp_path: Path) -> Sequence[Path]:
    """The old file, and the two that it was split into."""
    whole = tmp_path / "ligretto.sqlite3"
    asyncio.run(made(whole, Random(1), matches=3))
    return (whole, *(one.path for one in split(whole, 2, 2)))


def starts(path: Path, group: Mapping[str, object], *, takes_over: bool = False) -> None:
    """Join, as a start does. Raises what it raises."""

    async def start() -> None:
        config = Config.model_validate(
            {"discord_token": "a.b.c", "database_path": path, "_env_file": None, **group}
        )
        async with membership(config, SystemClock(), takes_over=takes_over) as member:
            database = await open_database(path)
            try:
                await member.join(database)
            finally:
                await database.close()

    asyncio.run(start())


def write(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def is_marked(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT 1 FROM notes WHERE key = ?", (KEY,)).fetchone() is not None


def test_database_that_was_split_is_not_started_beside_its_parts(parts: Sequence[Path]) -> None:
    """Discord would send both every press of a server."""
    whole = parts[0]
    for group in (ALONE, GROUP):
        with pytest.raises(DatabaseError) as refused:
            starts(whole, group)
        said = str(refused.value)
        assert said.startswith(f"{whole} was moved to {ONE_AND_TWO} in {whole.parent} on 20")
        assert said.endswith(
            ": start those. To go on with this file instead, stop them, and start it once with "
            "--take-over"
        )
        assert checked(whole).said == said
    assert [is_marked(one) for one in parts] == [True, False, False]


def test_database_that_was_split_is_used_again_if_told_so(parts: Sequence[Path]) -> None:
    starts(parts[0], ALONE, takes_over=True)
    starts(parts[0], ALONE)
    with pytest.raises(GroupError, match="this bot is one process"):
        starts(parts[0], ALONE, takes_over=True)


def test_databases_that_were_merged_are_not_started_beside_the_new_one(
    parts: Sequence[Path],
) -> None:
    merged = parts[0].with_name("merged.sqlite3")
    _ = merge(parts[1:], merged)
    for part in parts[1:]:
        with pytest.raises(DatabaseError, match=r"was moved to merged\.sqlite3 in \S+ on "):
            starts(part, GROUP)
    starts(merged, ALONE)


def test_database_of_a_group_is_not_started_as_one_process(parts: Sequence[Path]) -> None:
    """A line is missing in the settings. Discord would send it every press of all servers."""
    _, one, _ = parts
    write(one, "INSERT INTO own_group (number, start, holder, released) VALUES (2, 7, 'here', 1)")
    with pytest.raises(GroupError) as refused:
        starts(one, ALONE)
    said = str(refused.value)
    assert said.startswith(f"{one} is the database of group 2, and this bot would be one process")
    assert "set SHARD_COUNT, SHARD_IDS and VALKEY_URL" in said
    assert checked(one).said == said
    assert checked(one, is_group=True).said.endswith("is intact")
    starts(one, ALONE, takes_over=True)
    starts(one, ALONE)
    with pytest.raises(GroupError, match="this bot is one process"):
        starts(one, ALONE, takes_over=True)


def test_database_that_was_split_is_split_again_if_told_so(parts: Sequence[Path]) -> None:
    """The new files were thrown away: there should be four. None of them has the note."""
    for part in parts[1:]:
        part.unlink()
    with pytest.raises(DatabaseError) as refused:
        _ = split(parts[0], 4, 4)
    said = str(refused.value)
    assert said.startswith(f"{parts[0]} was moved to {ONE_AND_TWO} in {parts[0].parent} on 20")
    assert said.endswith("no longer count, delete them and repeat the command with --again")
    again = [one.path for one in split(parts[0], 4, 4, again=True)]
    assert len(again) == 4
    assert not any(map(is_marked, again))


def test_databases_that_were_merged_are_merged_again_if_told_so(parts: Sequence[Path]) -> None:
    one, more = (parts[0].with_name(name) for name in ("one.sqlite3", "more.sqlite3"))
    _ = merge(parts[1:], one)
    with pytest.raises(DatabaseError, match=r"was moved to one\.sqlite3 in .* --again"):
        _ = merge(parts[1:], more)
    assert not more.exists()
    _ = merge(parts[1:], more, again=True)
    assert more.exists()


def test_database_of_a_running_bot_is_not_moved(parts: Sequence[Path]) -> None:
    _, one, other = parts
    with only_process(other), pytest.raises(DatabaseError) as refused:
        _ = merge([one, other], one.with_name("merged.sqlite3"))
    assert str(refused.value) == f"another process is using {other}: stop the bot there first"


def test_database_whose_group_was_started_elsewhere_is_not_merged_or_split(
    parts: Sequence[Path],
) -> None:
    """The newer one has more. Its own file says so."""
    _, one, other = parts
    with closing(sqlite3.connect(one)) as db, db:
        db.execute(
            "INSERT INTO own_group (number, start, holder, released) VALUES (1, 2, 'another', 0)"
        )
    said = "may lack what was played last: group 1 was started elsewhere since"
    with pytest.raises(DatabaseError, match=said):
        merge([one, other], other.with_name("merged.sqlite3"))
    with pytest.raises(DatabaseError, match=said):
        split(one, 1, 2)


def test_command_says_how_many_shards_nobody_asked_for(
    parts: Sequence[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    whole, *halves = parts
    words = ["split", str(whole), "--into", "2"]
    assert moved(read(words)) == 2
    assert "--again" in capsys.readouterr().err
    for half in halves:
        half.unlink()
    assert moved(read([*words, "--again"])) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("SHARD_COUNT=2, since --shard-count was not given: ")
    for half in halves:
        half.unlink()
    assert moved(read([*words, "--again", "--shard-count", "2"])) == 0
    assert "was not given" not in capsys.readouterr().out
