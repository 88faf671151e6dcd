"""What is kept of dailies: each press once, and nobody twice."""

import random

import pytest

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber
from bot.daily.result import Result
from bot.daily.store import Began, RoundKey, Where
from bot.ids import GuildId, UserId
from bot.store.daily.daily import SqliteDaily
from tests.daily.played import DAY
from tests.store.conftest import Store

HERE, THERE = GuildId(7), GuildId(8)
ANNA, BEN = UserId(1), UserId(2)
KEY = RoundKey(ANNA, DAY, "dice")
AT = Where(HERE, "Anna")
MANY = 10_000


@pytest.fixture
def daily(store: Store) -> SqliteDaily:
    return SqliteDaily(store.db, store.writer)


async def test_a_round_is_begun_once(daily: SqliteDaily) -> None:
    assert await daily.begin(KEY, 1, AT) is Began.NOW
    assert await daily.begin(KEY, 1, Where(THERE, "Anna")) is Began.BEFORE
    assert await daily.begin(KEY._replace(game="ligretto"), 1, None) is Began.NOW
    assert await daily.begin(KEY._replace(user=BEN), 1, None) is Began.NOW


async def test_each_press_is_stored_once_and_in_order(daily: SqliteDaily) -> None:
    _ = await daily.begin(KEY, 1, AT)
    assert await daily.press(KEY, 1, "roll:0", AT, None)
    assert not await daily.press(KEY, 1, "roll:0", AT, None), "it is there"
    assert not await daily.press(KEY, 3, "roll:2", AT, None), "one is missing"
    assert await daily.press(KEY, 2, "roll:1", Where(THERE, "A."), Result(5, 2))
    assert not await daily.press(KEY, 3, "roll:2", AT, None), "it is over"
    stored = await daily.round(KEY)
    assert stored is not None
    assert (stored.words, stored.points) == (("roll:0", "roll:1"), 5)
    for guild in (HERE, THERE):
        (row,) = (await daily.leaderboard(guild, KEY)).rows
        assert (row.place, row.user, row.result) == (1, ANNA, Result(5, 2))


async def test_a_published_day_is_closed_for_ever(daily: SqliteDaily) -> None:
    _ = await daily.begin(KEY, 1, AT)
    await daily.publish(DAY)
    await daily.publish(DayNumber(DAY - 5))
    assert await daily.published() == DAY, "it never goes back"
    assert await daily.begin(KEY, 1, AT) is Began.PUBLISHED
    assert not await daily.press(KEY, 1, "roll:0", AT, None)


async def test_a_forgotten_player_leaves_a_mark_that_names_nobody(
    store: Store, daily: SqliteDaily
) -> None:
    _ = await daily.begin(KEY, 1, AT)
    _ = await daily.press(KEY, 1, "roll:0", AT, None)
    assert (await store.archive.export(ANNA))["daily"] == {
        "rounds": [{"day": "2026-11-30", "game": "dice", "moves": ["roll:0"], "points": None}],
        "leaderboards": [{"server": HERE, "day": "2026-11-30", "game": "dice", "name": "Anna"}],
    }
    await store.archive.forget(ANNA)
    assert (await store.archive.export(ANNA))["daily"] == {"rounds": [], "leaderboards": []}
    assert not await daily.press(KEY, 2, "roll:1", AT, None)
    assert await daily.begin(KEY, 1, AT) is Began.USED
    assert await daily.begin(KEY._replace(user=BEN), 1, None) is Began.NOW
    assert await daily.begin(KEY._replace(game="ligretto"), 1, None) is Began.NOW
    await store.archive.forget(ANNA)
    await store.archive.forget(ANNA)
    assert await daily.begin(KEY, 1, AT) is Began.USED
    await daily.publish(DAY)
    async with store.db.execute("SELECT 1 FROM daily_marks UNION SELECT 1 FROM daily_keys") as rows:
        assert not await rows.fetchall()


async def test_a_chain_is_kept(daily: SqliteDaily) -> None:
    chain = Chain(DAY, bytes(range(32)), 9)
    await daily.add(chain)
    assert await daily.chains() == (chain,)


async def test_a_deleted_server_keeps_no_leaderboard(store: Store, daily: SqliteDaily) -> None:
    _ = await daily.begin(KEY, 1, AT)
    _ = await daily.press(KEY, 1, "roll:0", Where(THERE, "Anna"), Result(1, 1))
    await store.archive.delete(HERE)
    assert not (await daily.leaderboard(HERE, KEY)).rows
    assert (await daily.leaderboard(THERE, KEY)).rows


async def test_old_leaderboards_go(daily: SqliteDaily) -> None:
    _ = await daily.begin(KEY, 1, AT)
    _ = await daily.press(KEY, 1, "roll:0", AT, Result(1, 1))
    await daily.publish(DayNumber(DAY + 30))
    assert (await daily.leaderboard(HERE, KEY)).rows
    await daily.publish(DayNumber(DAY + 31))
    assert not (await daily.leaderboard(HERE, KEY)).rows
    assert await daily.finished(ANNA) == {DAY}, "streaks and logs stay"


async def many(store: Store) -> list[Result]:
    """Ten thousand people on one leaderboard, with many equal results."""
    rng = random.Random(5)
    results = [Result(rng.randint(-8, 16), rng.randint(8, 90)) for _ in range(MANY)]
    sql = (
        "INSERT INTO daily_places (guild, day, game, user, name, points, presses) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    await store.writer.write(
        [
            (sql, (HERE, DAY, "dice", number, f"P{number}", one.points, one.presses))
            for number, one in enumerate(results, 1)
        ]
    )
    return results


async def test_places_among_ten_thousand(store: Store, daily: SqliteDaily) -> None:
    """Right, and without a look at more than the index: nothing is sorted."""
    results = await many(store)
    order = sorted(results, key=lambda one: (-one.points, one.presses))
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1000
        return 0

    await store.db.set_progress_handler(count, 1000)
    (recap,) = await daily.recap(HERE, DAY)
    read = steps
    await store.db.set_progress_handler(None, 0)  # type: ignore[arg-type]
    assert recap.players == MANY
    assert [one.place for one in recap.winners] == [
        order.index(one.result) + 1 for one in recap.winners
    ]
    assert recap.winners[0].result == order[0]
    assert recap.winners[0].count == order.count(order[0])
    assert len(recap.winners[0].names) == min(3, recap.winners[0].count)
    assert read < 12 * MANY, "one step through the index per row, a few instructions each"
    board = await daily.leaderboard(HERE, RoundKey(UserId(77), DAY, "dice"))
    assert board.own is not None
    assert board.own.place == order.index(results[76]) + 1
    assert [row.result for row in board.rows] == order[:10]
