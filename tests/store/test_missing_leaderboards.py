"""A leaderboard that is not kept yet: little is sorted, much is made in the background."""

import asyncio
from dataclasses import replace

import pytest

from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.records.models import LeaderboardPage, Order, Settings, Wanted
from bot.records.periods import Bounds, Period, bounds
from bot.records.seasons.season import OpenSeason
from bot.store.leaderboards import standings
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.records import leaderboards
from bot.store.records.recounts import recounts
from bot.store.seasons.seasons import crown_filled
from bot.text import Month
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, NOON, match, play

DAY = 24 * 3600 * 1000
ZONE = "Pacific/Auckland"
OVER = 1_801_440_000_000
"""1 February 2027, 0:00 UTC."""
JANUARY = OpenSeason(Month(2027, 1), 1_798_761_600_000)
MISSING = LeaderboardPage((), 0, 1, 0, None, is_missing=True)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than two matches are much."""
    monkeypatch.setattr("bot.store.leaderboards.kept.FEW", 2)


async def fill(store: Store) -> None:
    await LeaderboardFilling(store.db, store.writer, SystemClock(), crown_filled).run()


async def evening(store: Store, at: int = NOON) -> None:
    for winner, loser in ((ANNA, BEN), (ANNA, CHLOE), (BEN, CHLOE)):
        await play(store, match({winner: 9, loser: 5}, at=at))


async def sorted_one(store: Store, wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> object:
    """What sorting everything gives."""
    with monkeypatch.context() as patched:
        patched.setattr("bot.store.leaderboards.kept.FEW", 10**6)
        patched.setattr(standings, "page", lambda *_: _nothing())
        return await leaderboards.leaderboard(store.db, wanted, ANNA)


async def _nothing() -> None:
    return None


@pytest.mark.parametrize("order", Order)
async def test_after_a_change_of_zone_it_is_made_as_soon_as_asked_for(
    order: Order, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening(store)
    await store.archive.set(GUILD, Settings(time_zone=ZONE))
    for period in (Period.YEAR, Period.MONTH, Period.WEEK):
        wanted = Wanted(GUILD, "ligretto", order, bounds(period, NOON, ZONE))
        assert await store.archive.leaderboard(wanted, ANNA) == MISSING
        assert await store.archive.leaderboard(wanted, ANNA) == MISSING, "asked for twice"
    await fill(store)
    for period in (Period.YEAR, Period.MONTH, Period.WEEK):
        wanted = Wanted(GUILD, "ligretto", order, bounds(period, NOON, ZONE))
        found = await store.archive.leaderboard(wanted, ANNA)
        assert (found.players, found) == (3, await sorted_one(store, wanted, monkeypatch))
    periods = await store.rows("SELECT period, count(*) FROM leaderboards GROUP BY 1 ORDER BY 1")
    assert periods == [("all", 1), ("month", 2), ("week", 2), ("year", 2)]


async def test_nobody_has_a_place_while_it_is_being_filled(store: Store) -> None:
    await evening(store)
    await store.db.execute("DELETE FROM standings")
    await store.db.execute("UPDATE leaderboards SET filled = 0")
    assert await store.archive.place(GUILD, ANNA, "ligretto") is None
    assert await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.WINS), ANNA) == MISSING
    await fill(store)
    place = await store.archive.place(GUILD, ANNA, "ligretto")
    assert place is not None
    assert (place.place, place.of) == (1, 3)


async def test_little_is_sorted_at_once_however_much_was_played_before(store: Store) -> None:
    """A new week in which nobody has played, and one with a match in another game."""
    await evening(store)
    now = NOON + 14 * DAY
    week = bounds(Period.WEEK, now, "UTC")
    for played in (0, 1):
        for order in Order:
            wanted = Wanted(GUILD, "dice", order, week)
            found = await store.archive.leaderboard(wanted, BEN)
            assert (found.is_missing, found.players) == (False, 2 * played)
        await play(store, match({BEN: 9, ANNA: 5}, game="dice", at=now))


async def test_this_month_is_kept_by_its_season_after_a_change_of_zone(store: Store) -> None:
    """January goes on until Auckland has February, and began when it did in UTC."""
    await evening(store)
    await store.archive.seasons.open({GUILD: JANUARY})
    await store.archive.set(GUILD, Settings(time_zone=ZONE))
    await evening(store, NOON + DAY)
    await fill(store)
    ends = JANUARY.ends(ZONE)
    assert ends == OVER - 13 * 3600 * 1000
    wanted = Wanted(GUILD, "ligretto", Order.SEASON, Bounds(JANUARY.began, ends))
    found = await store.archive.leaderboard(wanted, ANNA)
    assert (found.is_missing, found.rows[0].wins) == (False, 4)
    await evening(store, ends)
    after = replace(wanted, within=JANUARY.this_month(ZONE, ends))
    found = await store.archive.leaderboard(after, ANNA)
    assert (found.is_missing, found.rows[0].wins) == (False, 2), "February's is kept from its start"


async def test_a_past_season_is_crowned_anew_once_its_leaderboard_is_filled(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A leaderboard of it was never asked for before one of its matches was voided."""
    guild = GuildId(78)
    for where in (GUILD, guild):
        await play(store, match({ANNA: 9, BEN: 5}, guild=where))
        await play(store, match({BEN: 9, ANNA: 8}, guild=where))
        await play(store, match({CHLOE: 6, BEN: 5}, guild=where))
        await store.archive.seasons.close(where, JANUARY, OVER)
    await store.db.execute("DELETE FROM leaderboards WHERE period = 'month' AND guild = 77")
    monkeypatch.setattr("bot.store.seasons.seasons.PLAYED", "what was played isn't read")
    assert await store.archive.seasons.champions(GUILD) == {("ligretto", ANNA)}
    assert await store.archive.void(GUILD, 1, moderator=UserId(9), at=OVER)
    assert await store.archive.seasons.champions(GUILD) == {("ligretto", ANNA)}, "not known yet"
    marked: asyncio.Queue[GuildId] = asyncio.Queue()
    jobs = dict(recounts(store.db, store.writer, SystemClock(), marked.put))
    filling = asyncio.ensure_future(jobs["LeaderboardFilling"]())
    async with asyncio.timeout(60):
        assert await marked.get() == GUILD, "whoever shows marks reads them again"
    filling.cancel()
    assert await store.archive.seasons.champions(GUILD) == {("ligretto", BEN)}
    (game,) = await store.archive.seasons.played(GUILD, Bounds(JANUARY.began, OVER))
    assert (game.matches, game.players) == (2, 3)
    assert [one.person.user for one in game.champions] == [BEN]
    assert await store.archive.void(guild, 1, moderator=UserId(9), at=OVER)
    assert await store.archive.seasons.champions(guild) == {("ligretto", BEN)}, "kept: at once"
