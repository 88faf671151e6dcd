"""Servers come and go; what is kept of one goes 30 days after it."""

import asyncio
import zlib

import aiosqlite
import pytest

from bot.clock import SystemClock
from bot.groups.layout import Layout
from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.records.models import Settings
from bot.store.people.deletion import ServerDeletion
from bot.store.people.guilds import DAY, KEPT_FOR
from bot.store.records.archive import SqliteArchive
from bot.tables.state.message_refs import Direct, PicturePlace
from tests.records.played import PlayedMatches
from tests.store.conftest import Store, purged
from tests.store.matches import ANNA, BEN, GUILD, NOON, match, play

APP, OTHER_APP = 1, 2
LOG = zlib.compress(b"{}\n")


async def matches_of(store: Store) -> list[object]:
    return [guild for (guild,) in await store.rows("SELECT guild FROM matches ORDER BY guild")]


async def two_servers(store: Store) -> None:
    for guild in map(GuildId, (77, 78)):
        await store.archive.joined(guild, APP)
        await play(store, match({ANNA: 9, BEN: 5}, guild=guild), LOG)


async def test_a_server_that_removed_the_bot_keeps_its_data_for_thirty_days(store: Store) -> None:
    await two_servers(store)
    await store.archive.left(GuildId(77), APP, NOON)
    await purged(store, APP, NOON + KEPT_FOR - 1)
    assert await matches_of(store) == [77, 78]
    await purged(store, APP, NOON + KEPT_FOR)
    assert await matches_of(store) == [78]


async def test_who_comes_back_while_old_servers_are_deleted_keeps_everything(
    store: Store,
) -> None:
    """The deletion is decided on, and waits; the news that the server is back is before it."""
    await two_servers(store)
    await store.archive.left(GuildId(77), APP, NOON)
    held, let_go = asyncio.Event(), asyncio.Event()

    async def hold(_: aiosqlite.Connection) -> None:
        held.set()
        await let_go.wait()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(store.writer.write([hold]))
        await held.wait()
        group.create_task(store.archive.joined(GuildId(77), APP))
        purging = group.create_task(purged(store, APP, NOON + KEPT_FOR))
        while len(store.writer._waiting) < 2:  # noqa: ASYNC110 it tells nobody
            await asyncio.sleep(0.01)
        assert not purging.done()
        let_go.set()
    assert await matches_of(store) == [77, 78]


async def test_who_comes_back_in_time_finds_everything(store: Store) -> None:
    await two_servers(store)
    await store.archive.left(GuildId(77), APP, NOON)
    await store.archive.joined(GuildId(77), APP)
    await purged(store, APP, NOON + 10 * KEPT_FOR)
    assert await matches_of(store) == [77, 78]


async def test_a_removal_while_the_bot_was_away_is_found_at_the_start(store: Store) -> None:
    await two_servers(store)
    await store.archive.compare(APP, {GuildId(78)}, NOON)
    await store.archive.compare(APP, {GuildId(78)}, NOON + DAY)
    await purged(store, APP, NOON + KEPT_FOR)
    assert await matches_of(store) == [78], "thirty days from when it was first missed"


async def test_an_outage_is_no_removal(store: Store) -> None:
    """A server that is unavailable is still listed at the start."""
    await two_servers(store)
    await store.archive.compare(APP, {GuildId(77), GuildId(78)}, NOON)
    await purged(store, APP, NOON + 10 * KEPT_FOR)
    assert await matches_of(store) == [77, 78]


async def test_another_application_deletes_nothing(store: Store) -> None:
    """Neither at its first start nor later, whatever servers it is in."""
    await two_servers(store)
    await store.archive.left(GuildId(77), APP, NOON)
    for day in range(3):
        await store.archive.compare(OTHER_APP, {GuildId(500)}, NOON + day * DAY)
    await store.archive.left(GuildId(78), OTHER_APP, NOON)
    await purged(store, OTHER_APP, NOON + 10 * KEPT_FOR)
    assert await matches_of(store) == [77, 78]


async def test_a_server_the_new_application_was_in_can_leave_it(store: Store) -> None:
    await two_servers(store)
    await store.archive.compare(OTHER_APP, {GuildId(77)}, NOON)
    await store.archive.compare(OTHER_APP, {GuildId(500)}, NOON + DAY)
    await purged(store, OTHER_APP, NOON + DAY + KEPT_FOR)
    assert await matches_of(store) == [78]


async def test_nothing_of_a_deleted_server_is_left(store: Store) -> None:
    await two_servers(store)
    played = PlayedMatches(store.journal)
    await played.tables.resume((), 9000)
    sat = await played.sit("ligretto", (ANNA, BEN), guild=GuildId(77))
    store.places.direct_at(sat.id, ANNA, Direct(ChannelId(500), MessageId(12)), "de")
    store.places.picture_at(sat.id, PicturePlace(1, ChannelId(500), MessageId(13)))
    store.places.mention_at(sat.id, ANNA, ChannelId(500), MessageId(14))
    store.places.learn(GuildId(77), "pictures apart", 1.0)
    await store.archive.set(GuildId(77), Settings("de"))
    await store.archive.void(GuildId(77), 1, moderator=UserId(900), at=NOON)
    await store.archive.delete(GuildId(77))
    for table in (
        "matches",
        "players",
        "seats",
        "settings",
        "guilds",
        "moderation",
        "tables",
        "leaderboards",
        "deletions",
    ):
        assert await store.one(f"SELECT count(*) FROM {table} WHERE guild = 77") == 0  # noqa: S608
    left = {"seats": 2, "rounds": 3, "logs": 1, "ratings": 2, "players": 2, "journal": 0}
    left |= {"direct_panels": 0, "pictures": 0, "mentions": 0, "learned": 0}
    for table, rows in left.items():
        assert await store.one(f"SELECT count(*) FROM {table}") == rows  # noqa: S608
    assert await store.journal.read_open() == []
    assert await store.journal.next_table() == 9001, "its number is not given again"


async def test_a_deletion_is_made_of_small_transactions_and_goes_on_after_a_kill(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches at a time. The bot is back before it is over: what comes after it stays."""
    monkeypatch.setattr("bot.store.people.deletion.BATCH", 2)
    await two_servers(store)
    for points in range(10):
        await play(store, match({UserId(200 + points): points, BEN: 5}, guild=GuildId(77)), LOG)
    await store.archive.left(GuildId(77), APP, NOON)
    await store.archive.purge(APP, NOON + KEPT_FOR)
    steps = 0

    class Killed(SystemClock):
        async def sleep(self, seconds: float) -> None:
            nonlocal steps
            assert seconds < 1, "nothing has failed"
            steps += 1
            if steps == 27:
                raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await ServerDeletion(store.db, store.writer, Killed()).run()
    assert 0 < await store.one("SELECT count(*) FROM matches WHERE guild = 77") < 11  # type: ignore[operator]
    await store.archive.joined(GuildId(77), APP)
    await ServerDeletion(store.db, store.writer, Killed()).run()
    assert steps > 35
    for table in ("matches", "seats", "players", "leaderboards", "tables"):
        assert await store.one(f"SELECT count(*) FROM {table} WHERE guild = 77") == 0  # noqa: S608
    assert await store.rows("SELECT guild FROM guilds WHERE left_at IS NULL") == [(77,), (78,)]
    await play(store, match({ANNA: 9, BEN: 5}, guild=GuildId(77)))
    await ServerDeletion(store.db, store.writer, Killed()).run()
    assert await matches_of(store) == [77, 78]


async def test_logs_are_kept_as_long_as_a_server_says(store: Store) -> None:
    for guild in (GUILD, GuildId(78)):
        for age in (10, 9):
            await play(store, match({ANNA: 9, BEN: 5}, guild=guild, at=NOON - age * DAY), LOG)
    await store.archive.set(GUILD, Settings(keep_logs=9))
    await purged(store, APP, NOON)
    assert await store.rows("SELECT match_id FROM logs ORDER BY match_id") == [(2,), (3,), (4,)]
    (newest, oldest) = (await store.archive.history(GUILD, 0)).matches
    assert (newest.has_log, oldest.has_log) == (True, False)
    assert await store.archive.match_log(GUILD, 1, "?") is None


async def test_a_server_that_moved_to_another_group_has_not_left(store: Store) -> None:
    """Discord lists it elsewhere. Nothing of it is deleted here, even if it had left before."""
    here, moved, gone = (GuildId(n << 22) for n in (2, 3, 4))
    for guild in (here, moved, gone):
        await store.archive.joined(guild, APP)
        await play(store, match({ANNA: 9, BEN: 5}, guild=guild), LOG)
    half = SqliteArchive(store.db, store.writer, Layout(2, (0,)))
    for day in range(3):
        await half.compare(APP, {here}, NOON + day * DAY)
    left = await store.rows("SELECT guild FROM guilds WHERE left_at IS NOT NULL")
    assert left == [(gone,)]
    await store.archive.left(moved, APP, NOON)
    await half.purge(APP, NOON + KEPT_FOR)
    await ServerDeletion(store.db, store.writer, SystemClock()).run()
    assert await matches_of(store) == [here, moved]
