"""An old match is void at once; the ratings that follow are worked out in small transactions."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

import pytest

from bot.clock import SystemClock
from bot.ids import UserId
from bot.records.models import Order, Wanted
from bot.records.ratings import Rated, RatedMatch, Skill, rate_all
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.records import stored_ratings
from bot.store.records.recomputing import recompute
from bot.store.records.rerating import Rerating
from bot.tasks import OwnedTasks
from tests.store.conftest import Store
from tests.store.matches import GUILD, NOON, match, play

MODERATOR = UserId(900)
USERS = [UserId(number) for number in range(1, 9)]
RATED = (
    "SELECT * FROM ratings",
    "SELECT match_id, seat, mu, sigma FROM seats",
    "SELECT * FROM standings",
    "SELECT * FROM counts",
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four matches are many, and three are a batch."""
    monkeypatch.setattr("bot.store.records.rewriting.FEW", 3)
    monkeypatch.setattr("bot.store.records.rewriting.BATCH", 3)
    monkeypatch.setattr("bot.store.records.rewriting.REST", 0)


async def evening(store: Store, luck: Random, matches: int) -> int:
    number = 0
    for _ in range(matches):
        some = luck.sample(USERS, luck.randint(2, 4))
        number = await play(store, match({user: luck.randint(-9, 30) for user in some}))
    return number


async def void(store: Store, number: int) -> bool:
    return await store.archive.void(GUILD, number, moderator=MODERATOR, at=NOON)


async def is_as_worked_out_at_once(store: Store) -> None:
    assert await store.rows("SELECT * FROM ratings_due") == []
    found = [await store.rows(sql) for sql in RATED]
    await recompute(store.db)
    assert [await store.rows(sql) for sql in RATED] == found


def rerating(store: Store, clock: SystemClock | None = None) -> Rerating:
    return Rerating(store.archive._reader, store.writer, clock or SystemClock())


async def test_ratings_follow_in_the_background_and_it_is_said(store: Store) -> None:
    newest = await evening(store, Random(1), 20)
    before = await store.rows("SELECT * FROM ratings")
    wanted = Wanted(GUILD, "ligretto", Order.RATING)
    assert not (await store.archive.leaderboard(wanted, USERS[0])).is_due
    assert await void(store, 1)
    assert (await store.archive.leaderboard(wanted, USERS[0])).is_due
    assert await store.archive.ratings_due(GUILD, "ligretto")
    assert await store.rows("SELECT * FROM ratings") == before, "all have played since"
    await rerating(store).run()
    assert not (await store.archive.leaderboard(wanted, USERS[0])).is_due
    assert await store.rows("SELECT * FROM ratings") != before
    await is_as_worked_out_at_once(store)
    assert await void(store, newest)
    assert not await store.archive.ratings_due(GUILD, "ligretto"), "a late one takes no time"
    await is_as_worked_out_at_once(store)


@pytest.mark.parametrize("seed", range(4))
async def test_matches_and_more_voids_meanwhile_are_not_lost(seed: int, store: Store) -> None:
    luck = Random(seed)
    await evening(store, luck, 25)
    await store.archive.forget(USERS[2])

    class Busy(SystemClock):
        left = 12

        async def sleep(self, seconds: float) -> None:
            assert seconds < 1, "nothing has failed"
            self.left -= 1
            if self.left > 0 and luck.random() < 0.5:
                newest = await evening(store, luck, luck.randint(1, 6))
                if luck.random() < 0.5:
                    await void(store, luck.randint(1, newest))

    assert await void(store, luck.randint(1, 9))
    await rerating(store, Busy()).run()
    await LeaderboardFilling(store.db, store.writer, SystemClock()).run()
    await is_as_worked_out_at_once(store)


async def test_a_match_that_ends_before_the_last_batch_is_rated_with_it(store: Store) -> None:
    await evening(store, Random(6), 10)
    assert await void(store, 1)

    class One(SystemClock):
        left = 1

        async def sleep(self, seconds: float) -> None:
            for _ in range(self.left):
                self.left -= 1
                await play(store, match({USERS[0]: 9, UserId(50): 5}))

    await rerating(store, One()).run()
    assert (await store.archive.stats(GUILD, UserId(50), "ligretto")).rating is not None
    await is_as_worked_out_at_once(store)


async def test_whoever_played_in_it_only_is_on_no_leaderboard_at_once(store: Store) -> None:
    await play(store, match({USERS[0]: 9, UserId(50): 5}))
    await evening(store, Random(2), 10)
    assert await void(store, 1)
    stats = await store.archive.stats(GUILD, UserId(50), "ligretto")
    assert (stats.matches, stats.rating) == (0, None)
    assert await store.archive.place(GUILD, UserId(50), "ligretto") is None
    await rerating(store).run()
    await is_as_worked_out_at_once(store)


async def test_it_is_begun_again_after_a_kill(store: Store) -> None:
    await evening(store, Random(3), 20)
    assert await void(store, 2)
    reached = asyncio.Event()

    class Killed(SystemClock):
        left = 4

        async def sleep(self, seconds: float) -> None:
            self.left -= 1
            if not self.left:
                reached.set()
                await asyncio.Event().wait()

    tasks = OwnedTasks()
    tasks(rerating(store, Killed()).run(), name="rerating")
    await reached.wait()
    await tasks.stop()
    assert await store.archive.ratings_due(GUILD, "ligretto")
    await rerating(store).run()
    await is_as_worked_out_at_once(store)


async def test_a_server_that_is_deleted_meanwhile_is_let_be(store: Store) -> None:
    await evening(store, Random(4), 10)
    assert await void(store, 1)

    class Left(SystemClock):
        async def sleep(self, seconds: float) -> None:
            await store.archive.delete(GUILD)

    await rerating(store, Left()).run()
    assert await store.rows("SELECT * FROM ratings") == []
    assert await store.rows("SELECT * FROM seats") == []


async def test_no_transaction_is_longer_the_more_was_played_since(store: Store) -> None:
    """Others' moves wait for one of them at most. At once it would take a write for every seat."""
    await evening(store, Random(5), 60)
    traced = await store.traced()
    assert await void(store, 1)
    await rerating(store).run()
    written, last = [0], ""
    for sql in traced:
        if sql.startswith("BEGIN"):
            written.append(0)
        # Each step of a statement's triggers is traced as that statement again.
        written[-1] += sql != last and sql.lstrip().startswith(("UPDATE", "INSERT", "DELETE"))
        last = sql
    assert len(written) > 20
    assert max(written) < 40
    assert sum(written) > 200


async def test_what_looks_at_every_match_runs_beside_the_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the loop, years of matches would hold every table's moves for as long."""
    await evening(store, Random(7), 20)
    players_of = stored_ratings.players_of
    beside: list[object] = []
    on_the_loop: list[str] = []

    async def to_thread(work: Callable[..., object], *values: object) -> object:
        beside.append(work)
        try:
            return work(*values)
        finally:
            beside.pop()

    def note(what: str, matches: Sequence[RatedMatch]) -> None:
        if not beside and len(matches) > 3:
            on_the_loop.append(what)

    class Read(list[Rated]):
        def __iter__(self) -> Iterator[Rated]:
            if not beside:
                on_the_loop.append("ratings")
            return super().__iter__()

    def players(matches: Sequence[RatedMatch]) -> set[int]:
        note("players", matches)
        return players_of(matches)

    def rated(game: str, before: Mapping[int, Skill], matches: Sequence[RatedMatch]) -> list[Rated]:
        note("rate", matches)
        return Read(rate_all(game, before, matches))

    monkeypatch.setattr(asyncio, "to_thread", to_thread)
    monkeypatch.setattr(stored_ratings, "players_of", players)
    monkeypatch.setattr("bot.store.records.stored_ratings.rate_all", rated)
    assert await void(store, 2)
    await rerating(store).run()
    assert on_the_loop == ["ratings"], "once, and batch by batch"
