"""Leaderboards that are kept: always what sorting everything would give, and as quick when big."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.records.models import Order, Settings, Wanted
from bot.records.periods import Bounds, Period, bounds
from bot.store.leaderboards import standings
from bot.store.leaderboards.counted import SHIFTS
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.records import leaderboards
from bot.store.records.recomputing import recompute
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.state.options import ARENA
from tests.store.conftest import Store, opened
from tests.store.matches import GUILD, NOON, match, play

Ask: TypeAlias = Callable[[Store], Awaitable[object]]
DAY = 24 * 3600 * 1000
MODERATOR = UserId(900)
USERS = [UserId(number) for number in range(1, 26)]
RECOUNTED = """
    SELECT s.kind, s.leaderboard, c.shift, s.key >> c.shift, count(*) FROM (
        SELECT 'rating' AS kind, leaderboard, by_rating AS key FROM standings
        UNION ALL SELECT 'points', leaderboard, by_points FROM standings
        UNION ALL SELECT 'wins', leaderboard, by_wins FROM standings
        UNION ALL SELECT 'match', guild, number FROM matches WHERE standing != 'dropped'
    ) s JOIN count_shifts c ON c.kind = s.kind GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
"""


async def fill(store: Store) -> None:
    await LeaderboardFilling(store.db, store.writer, SystemClock()).run()


async def agree(store: Store, monkeypatch: pytest.MonkeyPatch, zone: str, now: int) -> int:
    """Compare every page of every leaderboard with the sorted one. How many are kept."""
    kept = 0
    for within in (bounds(period, now, zone) for period in Period):
        for order in Order:
            for page in range(4):
                wanted = Wanted(GUILD, "ligretto", order, within, page)
                found = await standings.page(store.db, wanted, USERS[page])
                with monkeypatch.context() as patched:
                    patched.setattr(standings, "page", _nothing)
                    one = await leaderboards.leaderboard(store.db, wanted, USERS[page])
                assert found in (one, None), (order, within, page)
                kept += found is not None
    return kept


async def _nothing(*_: object) -> None:
    return None


async def counts_are_right(store: Store) -> None:
    assert await store.rows("SELECT * FROM counts") == await store.rows(RECOUNTED)


async def something(store: Store, luck: Random, now: int, step: int) -> None:
    """Play a match of one kind or another. At every ninth step two are voided."""
    some: list[UserId | None] = [*luck.sample(USERS, luck.randint(2, 5)), None]
    kind = luck.choice((*(Standing.RATED,) * 5, Standing.PRACTICE, Standing.DROPPED))
    guild = luck.choice((*(GUILD,) * 5, GuildId(78)))
    points = {user: luck.randint(-3, 9) for user in some}
    one = match(points, at=now, standing=kind, guild=guild)
    if step % 5 == 0:
        one = replace(one, options={**one.options, ARENA: f"88/9/{step}"})
    number = await play(store, one if luck.random() < 0.8 else replace(one, rated_rounds=()))
    if step % 9 == 8:
        for taken in (number - luck.randrange(9), number):
            await store.archive.void(GUILD, taken, moderator=MODERATOR, at=NOON)


@pytest.mark.parametrize("seed", range(3))
async def test_kept_leaderboards_are_the_sorted_ones_whatever_happens(
    seed: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches of two months, robots, practice, void matches, other servers, another zone, people
    forgotten, ratings made anew, and a server that leaves.
    """
    luck, now, zone = Random(seed), NOON, "UTC"
    for step in range(70):
        now += luck.randrange(DAY)
        await something(store, luck, now, step)
        if step == 20:
            zone = "Pacific/Auckland"
            await store.archive.set(GUILD, Settings(time_zone=zone))
        if step % 14 == 13:
            await counts_are_right(store)
            await fill(store)
            await counts_are_right(store)
            await play(store, match({USERS[0]: 5, USERS[1]: 4}, at=now))
            assert await agree(store, monkeypatch, zone, now) >= 48, "most are kept"
    await fill(store)
    await store.archive.forget(USERS[3])
    await recompute(store.db)
    assert await agree(store, monkeypatch, zone, now) == 64
    await counts_are_right(store)
    await store.archive.delete(GUILD)
    await counts_are_right(store)
    assert await store.one("SELECT count(*) FROM leaderboards WHERE guild = 77") == 0
    assert await store.one("SELECT count(DISTINCT guild) FROM leaderboards") == 1
    left = "SELECT count(*) FROM standings WHERE leaderboard NOT IN (SELECT id FROM leaderboards)"
    assert await store.one(left) == 0


async def test_a_leaderboard_that_is_being_filled_misses_nobody(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches end and are voided while it goes on in steps of four people."""
    monkeypatch.setattr("bot.store.leaderboards.filling.BATCH", 4)
    luck = Random(5)
    for _ in range(30):
        await play(store, match({user: luck.randint(-3, 9) for user in luck.sample(USERS, 4)}))
    await store.db.execute("DELETE FROM standings")
    await store.db.execute("UPDATE leaderboards SET filled = 0")

    class Meanwhile(SystemClock):
        async def sleep(self, seconds: float) -> None:
            assert seconds < 1
            number = await play(store, match(dict.fromkeys(luck.sample(USERS, 3), 5)))
            await store.archive.void(GUILD, luck.randint(1, number), moderator=MODERATOR, at=NOON)

    await LeaderboardFilling(store.db, store.writer, Meanwhile()).run()
    assert await agree(store, monkeypatch, "UTC", NOON) == 64
    await counts_are_right(store)


async def test_leaderboards_of_past_weeks_and_years_go_and_months_stay(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.leaderboards.filling.BATCH", 1)
    first = "SELECT * FROM standings WHERE leaderboard = 3"
    await play(store, match({USERS[0]: 5, USERS[1]: 4}))
    assert await store.rows("SELECT period FROM leaderboards WHERE id = 3") == [("month",)]
    month = await store.rows(first)
    for days in (400, 401):
        await play(store, match({USERS[0]: 5, USERS[1]: 4}, at=NOON + days * DAY))
    assert (len(month), await store.rows(first)) == (2, month), "nothing changes what is over"
    await fill(store)
    found = await store.rows("SELECT period, count(*) FROM leaderboards GROUP BY 1 ORDER BY 1")
    assert found == [("all", 1), ("month", 2), ("week", 1), ("year", 1)]
    assert await store.one("SELECT count(DISTINCT leaderboard) FROM standings") == 5
    await counts_are_right(store)
    then = Wanted(GUILD, "ligretto", Order.SEASON, bounds(Period.MONTH, NOON, "UTC"))
    assert await standings.page(store.db, then, USERS[0]) is not None
    past = replace(then, order=Order.RATING)
    assert await standings.page(store.db, past, USERS[0]) is None, "ratings have gone on since"
    found_now = await store.archive.leaderboard(past, USERS[0])
    assert found_now.own is not None


async def test_the_shifts_are_those_of_the_triggers(store: Store) -> None:
    found = await store.rows("SELECT kind, shift FROM count_shifts ORDER BY kind, shift DESC")
    assert found == [(kind, shift) for kind in sorted(SHIFTS) for shift in SHIFTS[kind]]


# -- as quick in a big server ---------------------------------------------------------------

CROWD = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {people} - 1)
    INSERT INTO players SELECT i + 1, 77, i + 1, 'Player' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {people} - 1)
    INSERT INTO ratings SELECT i + 1, 'ligretto', 25, 2, 700 + i * 7919 % 600, 40 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {people} / 2 - 1)
    INSERT INTO matches SELECT i + 1, i + 1, 77, 'ligretto', {at}, {at}, '{{}}', 'rated', '[]',
        NULL, 0, i + 1 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {people} - 1)
    INSERT INTO seats SELECT i / 2 + 1, i % 2, i + 1, NULL, 77, 'ligretto', {at}, 1, 1 + i % 2,
        1 + i % 2, 1 - i % 2, 0, i * 7907 % 200 - 50, 3, 9, 9, 9, 9, 0, 0, 0, 0, NULL, NULL, 0
    FROM n;
    INSERT INTO leaderboards (guild, game, period, start, until)
        VALUES (77, 'ligretto', 'all', -9223372036854775808, 9223372036854775807),
               (77, 'ligretto', 'week', {start}, {until});
"""
"""A server in which everybody has played once. Half have won, so that thousands share a place."""
WEEK = Bounds(NOON - DAY, NOON + DAY)


def leaderboard_page(order: Order, within: Bounds | None, page: int) -> Ask:
    wanted = Wanted(GUILD, "ligretto", order, within, page)
    return lambda store: store.archive.leaderboard(wanted, UserId(250))


LEADERLEADERBOARDS: dict[str, Ask] = {
    f"{order} {'week' if within else 'all'} {page}": leaderboard_page(order, within, page)
    for order in Order
    for within in (None, WEEK)
    for page in (0, 23, 10**6)
}
ASKED: dict[str, Ask] = {
    **LEADERLEADERBOARDS,
    "history": lambda store: store.archive.history(GUILD, 0),
    "history, far back": lambda store: store.archive.history(GUILD, 40),
    "history, last page": lambda store: store.archive.history(GUILD, 10**6),
    "place": lambda store: store.archive.place(GUILD, UserId(250), "ligretto"),
}


async def steps(path: Path, people: int) -> dict[str, int]:
    """Count the steps of SQLite's virtual machine that each answer takes in such a server."""
    async with opened(path) as store:
        crowd = CROWD.format(people=people, at=NOON, start=WEEK.start, until=WEEK.end)
        await store.db.executescript(crowd)
        await LeaderboardFilling(store.db, store.writer, Unresting()).run()
        taken = Counter[str]()
        for name, ask in ASKED.items():
            await ask(store)  # statements are read once

            def step(name: str = name) -> int:
                taken[name] += 1
                return 0

            await store.archive._reader.set_progress_handler(step, 1)
            await ask(store)
            await store.archive._reader.set_progress_handler(step, 0)
    return taken


class Unresting(SystemClock):
    async def sleep(self, seconds: float) -> None:
        assert seconds < 1, "nothing has failed"


async def test_a_server_ten_times_as_big_is_answered_in_as_many_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.leaderboards.filling.BATCH", 1000)
    small = await steps(tmp_path / "small", 500)
    big = await steps(tmp_path / "big", 5_000)
    assert max(*small.values(), *big.values()) < 2_000, "sorting 500 people takes 30,000"
    assert sum(big.values()) < 1.1 * sum(small.values())
