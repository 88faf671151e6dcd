"""A round of an arena is rated and sets records of a round, but it is no match played or won."""

from dataclasses import replace
from itertools import count

from bot.ids import UserId
from bot.records.feat_models import Feat
from bot.records.feats import Category
from bot.records.models import Order, Wanted
from bot.records.periods import Bounds
from bot.records.results import MatchResult
from bot.records.seasons.season import OpenSeason
from bot.tables.state.options import ARENA
from bot.text import Month
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, NOON, match, play

_tables = count(1)


def in_arena(points: dict[UserId | None, int]) -> MatchResult:
    """One round of an arena, which is recorded as a match of one round."""
    one = match(points)
    return replace(
        one,
        options={"rounds": "1", ARENA: f"88/9/{next(_tables)}"},
        rounds=one.rounds[:1],
        seats=tuple(replace(seat, rounds=1) for seat in one.seats),
    )


async def evening(store: Store) -> list[int]:
    """Anna wins a match before and one after an arena, in which Ben wins three rounds."""
    won = match({ANNA: 12, BEN: 6})
    rounds = [in_arena({BEN: 40, ANNA: 0, CHLOE: 1}) for _ in range(3)]
    return [await play(store, one) for one in (won, *rounds, match({ANNA: 12, BEN: 6}))]


async def test_nobody_wins_a_match_by_rounds_of_an_arena(store: Store) -> None:
    await evening(store)
    found = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.WINS, None, 0), ANNA)
    told = {row.person.user: (row.place, row.matches, row.wins) for row in found.rows}
    assert told == {ANNA: (1, 2, 2), BEN: (2, 2, 0), CHLOE: (2, 0, 0)}
    points = {row.person.user: row.points for row in found.rows}
    assert points[BEN] == round((6 + 3 * 40 + 6) / 9, 2), "but its points count"
    ben = await store.archive.stats(GUILD, BEN, "ligretto")
    assert (ben.matches, ben.wins) == (2, 0)
    assert await store.rows("SELECT count(*) FROM ratings") == [(3,)], "and everybody is rated"


async def test_a_streak_of_matches_goes_on_through_an_arena(store: Store) -> None:
    await evening(store)
    held = {
        one.feat: one for one in await store.archive.server_records(GUILD, "ligretto", "standard")
    }
    assert (held[Feat.STREAK].holder.user, held[Feat.STREAK].value) == (ANNA, 2)
    assert (held[Feat.POINTS].holder.user, held[Feat.POINTS].value) == (BEN, 40)
    anna = await store.archive.stats(GUILD, ANNA, "ligretto")
    assert (anna.streak, anna.best_streak) == (2, 2)
    (bests,) = await store.archive.personal_bests(GUILD, BEN, "ligretto")
    assert (bests.category, bests.matches, bests.wins) == (Category.RANKED, 2, 0)
    assert bests.best.points == 40


async def test_a_champion_has_won_matches(store: Store) -> None:
    """Nor is a season told in which only arenas were played."""
    numbers = await evening(store)
    for number in (numbers[0], numbers[-1]):
        await store.archive.void(GUILD, number, moderator=UserId(900), at=NOON)
    assert not await store.archive.seasons.played(GUILD, Bounds(NOON - 1, NOON + 1))
    await play(store, match({CHLOE: 7, BEN: 6}))
    season = OpenSeason(Month(2027, 1), NOON - 1)
    await store.archive.seasons.close(GUILD, season, NOON + 1)
    assert await store.rows(
        "SELECT h.user, matches, wins FROM champions c JOIN players h ON h.id = c.player"
    ) == [(CHLOE, 1, 1)]


async def test_a_void_round_of_an_arena_takes_back_what_it_brought(store: Store) -> None:
    numbers = await evening(store)
    for number in numbers[1:4]:
        await store.archive.void(GUILD, number, moderator=UserId(900), at=NOON)
    found = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.WINS, None, 0), ANNA)
    told = {row.person.user: (row.matches, row.wins, row.points) for row in found.rows}
    assert told == {ANNA: (2, 2, 4.0), BEN: (2, 0, 2.0)}
