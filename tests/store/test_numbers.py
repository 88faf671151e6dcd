"""Ids hold the number of the group that gave them; people see a number that counts in a server."""

from functools import partial

from bot.groups.numbers import number
from bot.ids import ArenaId, GuildId, UserId
from bot.records.feat_models import Feat
from bot.records.models import Moderated
from bot.records.periods import Bounds
from bot.store.arenas.arenas import SqliteArenas
from bot.store.records.result_writing import Report, write
from bot.store.tables.journal import SqliteJournal
from bot.tables.arena import events as e
from bot.tables.arenas.journal import ArenaLine
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.state.events import Closed
from tests.store.conftest import Store
from tests.store.lines import OPENED, lines
from tests.store.matches import ANNA, BEN, GUILD, NOON, match
from tests.store.test_arenas import OPENED as ARENA_OPENED

ELSEWHERE = GuildId(78)
MODERATOR = UserId(9)


async def written(store: Store, anna: int, guild: GuildId = GUILD, group: int = 0) -> None:
    report = Report(match({ANNA: anna, BEN: 5}, guild=guild), None)
    await store.writer.write([partial(write, report=report, group=group)])


async def numbers(store: Store, guild: GuildId) -> list[int]:
    return [one.number for one in await store.archive.listed(guild, 100)]


async def test_each_server_counts_its_own_matches(store: Store) -> None:
    for guild in (GUILD, ELSEWHERE, ELSEWHERE, GUILD):
        await written(store, 9, guild)
    assert await numbers(store, GUILD) == await numbers(store, ELSEWHERE) == [2, 1]
    assert await store.rows("SELECT id FROM matches ORDER BY id") == [(1,), (2,), (3,), (4,)]


async def test_ids_of_a_group_follow_the_old_ones(store: Store) -> None:
    await written(store, 9)
    await written(store, 9, group=3)
    await written(store, 9, group=8)
    assert await store.rows("SELECT id, number FROM matches ORDER BY number") == [
        (1, 1),
        (number(2, 3), 2),
        (number(3, 8), 3),
    ]


async def test_id_of_a_deleted_match_is_not_given_again(store: Store) -> None:
    await written(store, 9, group=3)
    await store.archive.delete(GUILD)
    await written(store, 9, group=3)
    assert await store.one("SELECT id FROM matches") == number(2, 3)


async def test_tables_and_arenas_of_a_group_have_its_numbers(store: Store) -> None:
    journal = SqliteJournal(store.db, store.writer, group=5)
    assert await journal.next_table() == number(1, 5)
    table = number(7, 2)
    await journal.append(lines(table, OPENED, Closed("table.closed.over")), durable=False)
    assert await journal.next_table() == number(8, 5)
    assert await store.journal.next_table() == number(8, 0), "the groups were merged into one bot"
    arenas = SqliteArenas(store.db, store.writer, group=5)
    assert await arenas.next_id() == number(1, 5)
    opened = ArenaLine(ArenaId(number(4, 2)), 0, NOON, ARENA_OPENED, 1, 0, token="token")
    await arenas.append(
        [opened, ArenaLine(opened.arena, 1, NOON, e.Joined(ANNA, "Anna"))], durable=True
    )
    assert await arenas.next_id() == number(5, 5)


async def test_number_outlives_voiding_forgetting_and_the_log(store: Store) -> None:
    for anna in (9, 8, 7):
        await written(store, anna, group=3)
    assert await store.archive.void(GUILD, 3, moderator=MODERATOR, at=NOON)
    await store.archive.forget(ANNA)
    await store.writer.write([("DELETE FROM logs", ())])
    await written(store, 9, group=3)
    assert await numbers(store, GUILD) == [4, 3, 2, 1]
    assert await store.archive.moderated(GUILD, 9) == (Moderated(NOON, MODERATOR, "void", 3),)


async def test_void_takes_the_match_of_its_own_server(store: Store) -> None:
    await written(store, 9, ELSEWHERE, group=3)
    await written(store, 9, group=3)
    assert await store.archive.void(GUILD, 1, moderator=MODERATOR, at=NOON)
    assert not await store.archive.void(GUILD, 2, moderator=MODERATOR, at=NOON)
    voided = [
        (guild, standing)
        for guild, standing in await store.rows(
            "SELECT guild, standing FROM matches ORDER BY guild"
        )
    ]
    assert voided == [(GUILD, Standing.VOID), (ELSEWHERE, Standing.RATED)]


async def test_records_and_the_week_name_matches_by_their_number(store: Store) -> None:
    await written(store, 30, ELSEWHERE, group=3)
    await written(store, 10, group=3)
    await written(store, 20, group=3)
    found = await store.archive.server_records(GUILD, "ligretto", "standard")
    assert {one.feat: one.match for one in found}[Feat.POINTS] == 2
    fallen = await store.archive.fallen_records(GUILD, 2)
    assert [(one.now.match, one.before.match) for one in fallen if one.now.feat is Feat.POINTS] == [
        (2, 1)
    ]
    assert (await store.archive.bests_before(GUILD, 2))[ANNA].points == 10
    highlight = await store.archive.highlight(GUILD, ANNA, "ligretto")
    assert highlight is not None
    assert highlight.match == 1, "her fastest stop"
    week = await store.archive.week(GUILD, Bounds(NOON, NOON + 1))
    assert week.race is not None
    assert week.best is not None
    assert (week.race.match, week.best.match) == (1, 2)


async def test_export_of_a_person_names_matches_by_their_number(store: Store) -> None:
    await written(store, 9, ELSEWHERE, group=3)
    await written(store, 9, group=3)
    for server in (await store.archive.export(ANNA))["servers"]:
        assert [one["number"] for one in server["matches"]] == [1]
        assert {one["match"] for one in (*server["rounds"], *server["feats"])} == {1}


async def test_history_has_pages_however_far_apart_ids_are(store: Store) -> None:
    for _ in range(12):
        await written(store, 9, group=3)
        await written(store, 9, ELSEWHERE, group=4)
    pages = [await store.archive.history(GUILD, page) for page in range(4)]
    shown = [[one.number for one in page.matches] for page in pages]
    assert shown == [[12, 11, 10, 9, 8], [7, 6, 5, 4, 3], [2, 1], [2, 1]]
