"""Leaderboards and statistics."""

from datetime import UTC, datetime

import pytest

from bot.ids import GuildId, UserId
from bot.records.models import PAGE, LeaderboardPage, Order, RatedAt, Wanted
from bot.records.periods import Bounds, Period, bounds
from bot.records.ratings import NEWCOMER, rate, shown
from bot.tables.decisions.rated_or_practice import Standing
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, DAN, GUILD, NOON, match, play

NOBODY = UserId(999)


async def leaderboard(
    store: Store,
    order: Order = Order.WINS,
    *,
    within: Bounds | None = None,
    page: int = 0,
    user: UserId = NOBODY,
    guild: GuildId = GUILD,
) -> LeaderboardPage:
    return await store.archive.leaderboard(Wanted(guild, "ligretto", order, within, page), user)


def places(found: LeaderboardPage) -> list[tuple[int, int | None]]:
    return [(row.place, row.person.user) for row in found.rows]


async def crowd(store: Store, players: int) -> None:
    """Players 1, 2, 3 and so on, in pairs; each odd one wins against his neighbour."""
    for user in range(1, players + 1, 2):
        await play(store, match({UserId(user): 10, UserId(user + 1): 5}))


async def test_an_empty_board_has_one_empty_page(store: Store) -> None:
    assert await leaderboard(store, user=ANNA) == LeaderboardPage((), 0, 1, 0, None)


@pytest.mark.parametrize("order", Order)
async def test_equals_share_a_place(store: Store, order: Order) -> None:
    """Anna and Ben share the win: 1, 1, 3."""
    await play(store, match({ANNA: 20, BEN: 20, CHLOE: 5}))
    assert places(await leaderboard(store, order)) == [(1, ANNA), (1, BEN), (3, CHLOE)]


async def test_each_order_is_by_its_own_figure(store: Store) -> None:
    """Anna wins narrowly and often, Ben once and high; Chloe beats Dan, who loses all the time."""
    for _ in range(3):
        await play(store, match({ANNA: 6, DAN: 3}))
    await play(store, match({BEN: 60, DAN: 3}))
    wins = await leaderboard(store, Order.WINS)
    assert [(row.person.user, row.wins) for row in wins.rows] == [(ANNA, 3), (BEN, 1), (DAN, 0)]
    points = await leaderboard(store, Order.POINTS)
    assert [(row.person.user, row.points) for row in points.rows] == [
        (BEN, 20.0),
        (ANNA, 2.0),
        (DAN, 1.0),
    ]
    ratings = [
        row.rating.points - row.rating.margin
        for row in (await leaderboard(store, Order.RATING)).rows
    ]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0] > ratings[-1]


async def test_negative_points_are_below_none_at_all(store: Store) -> None:
    await play(store, match({ANNA: -30, BEN: 0, CHLOE: -12}))
    found = await leaderboard(store, Order.POINTS)
    assert [(row.person.user, row.points) for row in found.rows] == [
        (BEN, 0.0),
        (CHLOE, -4.0),
        (ANNA, -10.0),
    ]


async def test_exactly_one_page_is_one_page(store: Store) -> None:
    await crowd(store, PAGE)
    found = await leaderboard(store)
    assert (len(found.rows), found.page, found.pages, found.players) == (PAGE, 0, 1, PAGE)


async def test_one_player_more_is_a_second_page(store: Store) -> None:
    await crowd(store, PAGE + 2)
    first, second = await leaderboard(store), await leaderboard(store, page=1)
    assert (first.pages, second.pages, len(first.rows), len(second.rows)) == (2, 2, PAGE, 2)
    users = [row.person.user for row in (*first.rows, *second.rows)]
    assert sorted(user or 0 for user in users) == list(range(1, PAGE + 3)), "everybody once"


@pytest.mark.parametrize("page", [2, 99, -1])
async def test_past_an_end_is_the_page_at_that_end(store: Store, page: int) -> None:
    await crowd(store, PAGE + 2)
    found = await leaderboard(store, page=page)
    assert found.page == (1 if page > 0 else 0)
    assert found == await leaderboard(store, page=found.page)


async def test_ones_own_row_is_there_on_every_page(store: Store) -> None:
    await crowd(store, PAGE + 2)
    for page in (0, 1):
        own = (await leaderboard(store, page=page, user=UserId(2))).own
        assert own is not None
        assert (own.place, own.person.user, own.wins) == (7, 2, 0), "six winners come first"
    assert (await leaderboard(store, user=NOBODY)).own is None


async def test_a_board_counts_rated_matches_of_its_server_and_game_only(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.DROPPED))
    await play(store, match({ANNA: 9, BEN: 5}, game="dice"))
    await play(store, match({ANNA: 9, BEN: 5}, guild=GuildId(78)))
    found = await leaderboard(store)
    assert [(row.person.user, row.matches) for row in found.rows] == [(ANNA, 1), (BEN, 1)]


async def test_a_computer_player_is_on_no_board_but_can_keep_a_human_from_winning(
    store: Store,
) -> None:
    await play(store, match({None: 30, ANNA: 20, BEN: 10}))
    found = await leaderboard(store)
    assert places(found) == [(1, ANNA), (1, BEN)]
    assert [row.wins for row in found.rows] == [0, 0]
    rating = {row.person.user: row.rating for row in found.rows}
    anna, ben = rate([NEWCOMER, NEWCOMER], [1, 2], "ligretto")
    assert rating == {ANNA: shown(anna, "ligretto"), BEN: shown(ben, "ligretto")}, (
        "places among the humans"
    )


async def test_who_has_a_new_name_is_shown_with_it_everywhere(store: Store) -> None:
    """Also somebody who has left the server keeps his last name."""
    await play(store, match({ANNA: 9, BEN: 5}))
    await play(store, match({ANNA: 9, BEN: 5}, names={ANNA: "Anna II", BEN: "Ben"}))
    found = await leaderboard(store)
    assert [row.person.name for row in found.rows] == ["Anna II", "Ben"]
    assert len(found.rows) == 2


async def test_a_period_counts_the_matches_that_ended_in_it(store: Store) -> None:
    week = bounds(Period.WEEK, NOON, "Europe/Zurich")
    assert week is not None
    for at in (week.start - 1, week.start, week.end - 1, week.end):
        await play(store, match({ANNA: 9, BEN: 5}, at=at))
    found = await leaderboard(store, within=week)
    assert [row.matches for row in found.rows] == [2, 2]
    assert [row.matches for row in (await leaderboard(store)).rows] == [4, 4]


async def test_a_period_without_a_match_is_an_empty_board(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    past = bounds(Period.YEAR, int(datetime(2020, 6, 1, tzinfo=UTC).timestamp() * 1000), "UTC")
    assert await leaderboard(store, within=past, user=ANNA) == LeaderboardPage((), 0, 1, 0, None)


async def test_statistics_of_somebody(store: Store) -> None:
    """Anna: two wins in a row, a defeat, a win; Ben was late for her card four times."""
    for anna, ben in ((30, 9), (12, 9), (-15, 9), (21, 9)):
        await play(store, match({ANNA: anna, BEN: ben}))
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.DROPPED))
    found = await store.archive.stats(GUILD, ANNA, "ligretto")
    assert (found.person.user, found.person.name) == (ANNA, "Anna")
    assert (found.matches, found.practice, found.wins, found.win_share) == (4, 1, 3, 0.75)
    assert found.points == 48 / 12
    assert found.laid == 10.0, "120 cards in 12 minutes"
    assert (found.firsts, found.firsts_ms, found.lates, found.lates_ms) == (4, 40.0, 0, None)
    assert found.worst == -15
    assert (found.streak, found.best_streak) == (1, 2)
    history = await store.archive.rating_history(GUILD, ANNA, "ligretto")
    assert found.rating == history[-1].rating
    late = await store.archive.stats(GUILD, BEN, "ligretto")
    assert (late.lates, late.lates_ms, late.streak, late.best_streak) == (4, 40.0, 0, 1)


async def test_statistics_of_somebody_who_never_played(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    found = await store.archive.stats(GUILD, CHLOE, "ligretto")
    assert (found.person.user, found.person.name, found.matches, found.rating) == (
        CHLOE,
        None,
        0,
        None,
    )
    dice = await store.archive.stats(GUILD, ANNA, "dice")
    assert (dice.matches, dice.win_share, dice.points, dice.worst, dice.streak) == (
        0,
        None,
        None,
        None,
        0,
    )


async def test_the_rating_over_time(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}, at=NOON))
    await play(store, match({ANNA: 5, BEN: 9}, at=NOON + 1))
    both = rate([NEWCOMER, NEWCOMER], [1, 2], "ligretto")
    first, second = both[0], rate(both, [2, 1], "ligretto")[0]
    assert await store.archive.rating_history(GUILD, ANNA, "ligretto") == (
        RatedAt(1, NOON, shown(first, "ligretto")),
        RatedAt(2, NOON + 1, shown(second, "ligretto")),
    )
    assert await store.archive.rating_history(GUILD, CHLOE, "ligretto") == ()
