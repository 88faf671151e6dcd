"""Seasons, weeks and posts in the database: each once, and for ever."""

from dataclasses import replace

import pytest

from bot.ids import ChannelId, GuildId, UserId
from bot.records.feat_models import Feat
from bot.records.models import Order, Settings, Wanted
from bot.records.periods import Bounds
from bot.records.post_settings import Posts
from bot.records.seasons.posts import Outcome, Post, PostKey
from bot.records.seasons.season import OpenSeason
from bot.tables.decisions.rated_or_practice import Standing
from bot.text import Month
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, DAN, GUILD, NOON, match, play

JANUARY = OpenSeason(Month(2027, 1), NOON - 14 * 24 * 3600 * 1000)
OVER = NOON + 17 * 24 * 3600 * 1000
ALL = Bounds(JANUARY.began, OVER)


async def champions(store: Store, order: str = "player") -> list[tuple[object, ...]]:
    sql = "SELECT month, game, player, matches, wins, points FROM champions ORDER BY "
    return await store.rows(sql + order)


async def test_most_wins_then_most_points_decide_and_equals_share(store: Store) -> None:
    """Anna is player 1, Ben 2, Chloe 3. Only Chloe has won twice at cards."""
    await play(store, match({ANNA: 9, BEN: 5, CHLOE: 6}))
    await play(store, match({CHLOE: 9, BEN: 8}))
    await play(store, match({CHLOE: 7, ANNA: 1}))
    await play(store, match({ANNA: 9, BEN: 3}, game="dice"))
    await play(store, match({BEN: 9, ANNA: 3}, game="dice"))
    assert await store.archive.seasons.close(GUILD, JANUARY, OVER) == OpenSeason(
        Month(2027, 2), OVER
    )
    assert await champions(store) == [
        ("2027-01", "dice", 1, 2, 1, 2.0),
        ("2027-01", "dice", 2, 2, 1, 2.0),
        ("2027-01", "ligretto", 3, 3, 2, 2.44),
    ]
    assert await store.archive.seasons.champions(GUILD) == {
        ("dice", ANNA),
        ("dice", BEN),
        ("ligretto", CHLOE),
    }
    wanted = Wanted(GUILD, "ligretto", Order.SEASON, ALL)
    board = await store.archive.leaderboard(wanted, ANNA)
    assert [(row.place, row.person.user) for row in board.rows] == [(1, CHLOE), (2, ANNA), (3, BEN)]


@pytest.mark.parametrize("is_kept", [True, False])
async def test_a_lead_of_a_hundredth_of_a_point_makes_a_champion(
    store: Store, *, is_kept: bool
) -> None:
    """Anna has 2.06 points per round and Ben 2.05, whether their leaderboard is kept or read."""
    results: tuple[dict[UserId | None, int], ...] = ({ANNA: 201, BEN: 5}, {BEN: 200, ANNA: 5})
    for found in map(match, results):
        seats = tuple(replace(seat, rounds=50) for seat in found.seats)
        await play(store, replace(found, seats=seats))
    if not is_kept:
        await store.writer.write([("DELETE FROM standings", ()), ("DELETE FROM leaderboards", ())])
    await store.archive.seasons.close(GUILD, JANUARY, OVER)
    assert await champions(store) == [("2027-01", "ligretto", 1, 2, 1, 2.06)]


async def test_practice_void_matches_robots_and_other_servers_crown_nobody(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    await play(store, match({None: 9, ANNA: 5, BEN: 3}))
    await play(store, match({ANNA: 9, BEN: 5}, guild=GuildId(78)))
    await play(store, match({ANNA: 9, BEN: 5}, at=OVER))
    await play(store, match({ANNA: 9, BEN: 5}, at=JANUARY.began - 1))
    await store.archive.seasons.close(GUILD, JANUARY, OVER)
    assert await champions(store) == []
    (game,) = await store.archive.seasons.played(GUILD, ALL)
    assert (game.matches, game.players, game.champions) == (1, 2, ())


async def test_a_season_is_closed_once(store: Store) -> None:
    """By a process that read the open seasons before another closed one."""
    await play(store, match({ANNA: 9, BEN: 5}))
    after = await store.archive.seasons.close(GUILD, JANUARY, OVER)
    await play(store, match({BEN: 9, ANNA: 5}))
    assert await store.archive.seasons.close(GUILD, JANUARY, OVER + 1) == after
    assert await store.archive.seasons.open_seasons() == {GUILD: after}
    assert [row[2] for row in await champions(store)] == [1]
    assert await store.rows("SELECT month, began, ended FROM seasons") == [
        ("2027-01", JANUARY.began, OVER)
    ]


async def test_the_first_match_opens_a_servers_first_season(store: Store) -> None:
    for guild in (GUILD, GuildId(78), GuildId(79)):
        await store.archive.joined(guild, 1)
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    await play(store, match({ANNA: 9, BEN: 5}, at=NOON + 5))
    await play(store, match({ANNA: 9, BEN: 5}, guild=GuildId(78)))
    await store.archive.seasons.close(GuildId(78), JANUARY, OVER)
    assert await store.archive.seasons.unopened(1) == {GUILD: NOON + 5}
    assert await store.archive.seasons.unopened(2) == {}


async def test_a_void_match_of_a_past_season_changes_its_champion_alone(store: Store) -> None:
    void = await play(store, match({ANNA: 9, BEN: 5}))
    await play(store, match({BEN: 9, ANNA: 5}, game="dice"))
    await store.archive.seasons.close(GUILD, JANUARY, OVER)
    await play(store, match({CHLOE: 9, BEN: 5}, at=OVER))
    await store.archive.seasons.close(GUILD, OpenSeason(Month(2027, 2), OVER), OVER + 1)
    assert await store.archive.void(GUILD, void, moderator=BEN, at=OVER)
    assert [row[:3] for row in await champions(store, "month")] == [
        ("2027-01", "dice", 2),
        ("2027-02", "ligretto", 3),
    ]
    assert await store.archive.seasons.months(GUILD) == (Month(2027, 2), Month(2027, 1))


async def test_a_champion_is_exported_and_forgotten(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    await store.archive.seasons.close(GUILD, JANUARY, OVER)
    (server,) = (await store.archive.export(ANNA))["servers"]
    assert server["champion"] == [{"month": "2027-01", "game": "ligretto"}]
    await store.archive.forget(ANNA)
    assert await store.archive.seasons.champions(GUILD) == frozenset()
    assert await store.archive.seasons.every_champion() == {}
    (game,) = await store.archive.seasons.played(GUILD, ALL)
    assert [one.person.user for one in game.champions] == [None]
    assert len(await champions(store)) == 1, "nobody else moves up"


async def test_nothing_of_a_deleted_servers_seasons_is_left(store: Store) -> None:
    for guild in (GUILD, GuildId(78)):
        await play(store, match({ANNA: 9, BEN: 5}, guild=guild))
        await store.archive.seasons.close(guild, JANUARY, OVER)
        await store.archive.posts.sends(Post(PostKey(guild, "week", "1"), ChannelId(1), "n", 1.0))
    await store.archive.delete(GUILD)
    for table in ("champions", "seasons", "open_seasons", "posts"):
        assert await store.rows(f"SELECT guild FROM {table}") == [(78,)]  # noqa: S608


async def test_a_week_tells_the_closest_race_between_people_and_the_best_round(
    store: Store,
) -> None:
    """A robot was in the first match's race."""
    await play(store, match({None: 5, BEN: 3, ANNA: 2}))
    first = await play(store, match({ANNA: 9, BEN: 12}))
    await play(store, match({BEN: 12, ANNA: 9}, game="dice"))
    week = await store.archive.week(GUILD, Bounds(NOON, NOON + 1))
    assert (week.matches, week.players) == (3, 2)
    assert week.race is not None
    assert (week.race.match, week.race.first.user, week.race.late.user) == (first, ANNA, BEN)
    assert week.best is not None
    assert (week.best.match, week.best.person.user, week.best.points) == (first, BEN, 12)
    nothing = await store.archive.week(GUILD, Bounds(NOON + 1, NOON + 2))
    assert (nothing.matches, nothing.race, nothing.best) == (0, None, None)


async def week_of(store: Store, start: int, end: int) -> list[tuple[object, ...]]:
    """The records that fell between two moments: what, whose, its value, and the one before."""
    found = (await store.archive.week(GUILD, Bounds(start, end))).records
    return [
        (one.game, now.variant, now.feat, now.holder.user, now.value, one.fallen.before.value)
        for one in found
        for now in (one.fallen.now,)
    ]


async def test_a_week_tells_the_records_that_fell_in_it(store: Store) -> None:
    """Each once, as it stood at the week's end, with the value before it began."""
    await play(store, match({ANNA: 20, BEN: 5}))
    await play(store, match({ANNA: 22, BEN: 5}, at=NOON + 10))
    await play(store, match({BEN: 25, ANNA: 5}, at=NOON + 11))
    best = await play(store, match({CHLOE: 29, BEN: 5}, at=NOON + 12))
    await play(store, match({ANNA: 40, BEN: 5}, game="dice", at=NOON + 13))
    await play(store, match({ANNA: 31, BEN: 5}, at=NOON + 20))
    points = "ligretto", "standard", Feat.POINTS
    streak = "ligretto", "standard", Feat.STREAK
    assert await week_of(store, NOON + 10, NOON + 20) == [(*points, CHLOE, 29, 20)]
    assert await week_of(store, NOON, NOON + 20) == [], "nothing stood before it to be broken"
    assert await week_of(store, NOON + 20, NOON + 30) == [(*points, ANNA, 31, 29)]
    assert await week_of(store, NOON + 30, NOON + 40) == []
    await store.archive.void(GUILD, best, moderator=DAN, at=NOON)
    assert await week_of(store, NOON + 10, NOON + 20) == [(*points, BEN, 25, 20)]
    for _ in range(2):
        await play(store, match({BEN: 9, ANNA: 5}, at=NOON + 40))
    await play(store, match({BEN: 9, ANNA: 5}, at=NOON + 50))
    assert await week_of(store, NOON + 50, NOON + 60) == [(*streak, BEN, 3, 2)]
    await store.archive.forget(BEN)
    assert (await week_of(store, NOON + 50, NOON + 60))[0][3:] == (None, 3, 2)
    await store.writer.write([("INSERT INTO feats_due VALUES (1)", ())])
    assert await week_of(store, NOON + 50, NOON + 60) == [], "older matches are still being read"


async def test_a_week_tells_no_round_that_all_but_one_had_left(store: Store) -> None:
    left = match({ANNA: 30, BEN: 5})
    left = replace(left, rounds=tuple(replace(one, gone=(1,)) for one in left.rounds))
    await play(store, left)
    week = await store.archive.week(GUILD, Bounds(NOON, NOON + 1))
    assert (week.matches, week.race, week.best) == (1, None, None)


async def test_a_post_is_noted_before_it_is_sent_and_ends_once(store: Store) -> None:
    posts, key = store.archive.posts, PostKey(GUILD, "season", "2027-01")
    sent = Post(key, ChannelId(88), "season1", 5.0)
    await posts.sends(sent)
    assert await posts.since(4.0) == (sent,)
    assert await posts.since(5.0) == ()
    await posts.ended(key, Outcome.REFUSED)
    assert await posts.refused_in(GUILD) == 88
    await posts.try_again(GUILD)
    assert (await posts.refused_in(GUILD), await posts.since(0.0)) == (None, ())
    await posts.sends(sent)
    await posts.ended(key, Outcome.POSTED)
    await posts.try_again(GUILD)
    assert [one.outcome for one in await posts.since(0.0)] == [Outcome.POSTED]
    await store.archive.purge(1, NOON)
    assert await posts.since(0.0) == (), "old notes go"


async def test_what_a_server_wants_posted_is_kept(store: Store) -> None:
    wanted = Settings("de", posts=Posts(ChannelId(88), False, 6, 9, 5, 7))  # noqa: FBT003
    await store.archive.set(GUILD, wanted)
    assert (await store.archive.settings(GUILD)).posts == wanted.posts
    assert (await store.archive.settings(GuildId(78))).posts == Posts()
