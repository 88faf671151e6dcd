"""A match taken back, and ratings worked out anew: always those of the matches that are left."""

from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.ids import GuildId, UserId
from bot.records.models import Moderated, Order, Wanted
from bot.records.ratings import Rated, rate_all
from bot.store.records import moderation
from bot.store.records import stored_ratings as ratings_module
from bot.store.records.recomputing import recompute
from bot.tables.decisions.rated_or_practice import Standing
from tests.forks import ROOT, ran
from tests.store.conftest import Store, opened
from tests.store.matches import ANNA, BEN, CHLOE, DAN, GUILD, NOON, match, play

MODERATOR = UserId(900)
EVENING: tuple[dict[UserId | None, int], ...] = (
    {ANNA: 9, BEN: 5, CHLOE: 5},
    {BEN: 9, CHLOE: -5},
    {ANNA: 3, None: 9, DAN: 1},
    {CHLOE: 9, ANNA: 9},
    {DAN: 20, BEN: 1, ANNA: 1, CHLOE: -1},
)


async def ratings(store: Store) -> list[tuple[object, ...]]:
    return await store.rows(
        "SELECT p.user, r.game, r.mu, r.sigma, r.shown FROM ratings r"
        " JOIN players p ON p.id = r.player ORDER BY p.user, r.game"
    )


async def after_each(store: Store) -> list[tuple[object, ...]]:
    return await store.rows(
        "SELECT place, points, mu, sigma FROM seats WHERE mu IS NOT NULL ORDER BY match_id, seat"
    )


async def void(store: Store, number: int, guild: GuildId = GUILD) -> bool:
    return await store.archive.void(guild, number, moderator=MODERATOR, at=NOON)


async def test_ratings_without_a_voided_match_are_as_if_it_had_never_been(tmp_path: Path) -> None:
    for taken in range(len(EVENING)):
        with_it, without = tmp_path / f"a{taken}", tmp_path / f"b{taken}"
        async with opened(with_it) as store, opened(without) as other:
            for number, points in enumerate(EVENING):
                await play(store, match(points))
                if number != taken:
                    await play(other, match(points))
            assert await void(store, taken + 1)
            assert await ratings(store) == await ratings(other)
            assert await after_each(store) == await after_each(other)


async def test_ratings_are_worked_out_before_others_have_to_wait(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once more inside the transaction if something has changed in between."""
    worked: list[bool] = []

    def watched(*given: Any) -> list[Rated]:
        worked.append(store.db.in_transaction)
        return rate_all(*given)

    for points in EVENING:
        await play(store, match(points))
    monkeypatch.setattr(ratings_module, "rate_all", watched)
    assert await void(store, 2)
    assert worked == [False]

    worked.clear()
    ready = await moderation.foreseen(store.db, GUILD, 3)
    assert await void(store, 1)

    async def late(db: aiosqlite.Connection) -> None:
        await moderation.void(db, GUILD, 3, ready, moderator=MODERATOR, at=NOON)

    await store.writer.write([late])
    assert worked == [False, False, True]
    before = await ratings(store), await after_each(store)
    await recompute(store.db)
    assert (await ratings(store), await after_each(store)) == before


async def test_who_played_in_a_voided_match_only_is_on_no_board(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 5}))
    assert await void(store, number)
    assert await ratings(store) == []
    leaderboard = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.RATING), ANNA)
    assert leaderboard.rows == ()
    assert (await store.archive.stats(GUILD, ANNA, "ligretto")).matches == 0


async def test_the_history_says_what_was_voided_and_who_did_it(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 5}))
    await store.archive.closed(GUILD, 5, moderator=MODERATOR, at=NOON - 1)
    assert await void(store, number)
    (found,) = (await store.archive.history(GUILD, 0)).matches
    assert found.standing is Standing.VOID
    assert [seat.rating for seat in found.seats] == [None, None]
    assert await store.archive.moderated(GUILD, 10) == (
        Moderated(NOON, MODERATOR, "void", number),
        Moderated(NOON - 1, MODERATOR, "close", 5),
    )
    assert await store.archive.moderated(GuildId(78), 10) == ()


async def test_a_match_is_voided_once_and_by_its_own_server(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 5}))
    assert not await void(store, number, guild=GuildId(78))
    assert not await void(store, number + 1)
    assert await void(store, number)
    assert not await void(store, number)
    assert len(await store.archive.moderated(GUILD, 10)) == 1


async def test_voiding_practice_changes_no_rating(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    before = await ratings(store)
    number = await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    assert await void(store, number)
    assert await ratings(store) == before


async def busy(store: Store) -> None:
    """Two servers and two games, one match voided, one player forgotten."""
    for guild in (GUILD, GuildId(78)):
        for game in ("ligretto", "dice"):
            for points in EVENING:
                await play(store, match(points, guild=guild, game=game))
    assert await void(store, 2)
    await store.archive.forget(BEN)


async def test_ratings_worked_out_anew_are_the_same_numbers(store: Store) -> None:
    await busy(store)
    before = await ratings(store), await after_each(store)
    assert await recompute(store.db) == 4 * len(EVENING) - 1
    assert (await ratings(store), await after_each(store)) == before


async def test_ratings_that_were_spoilt_are_mended(store: Store) -> None:
    await busy(store)
    before = await ratings(store), await after_each(store)
    await store.writer.write([("UPDATE ratings SET mu = 99, shown = 1 WHERE game = 'dice'", ())])
    await store.writer.write([("UPDATE seats SET mu = 1 WHERE mu IS NOT NULL", ())])
    await store.writer.write([("DELETE FROM ratings WHERE game = 'ligretto'", ())])
    await recompute(store.db)
    assert (await ratings(store), await after_each(store)) == before


@pytest.mark.real("a command in a process of its own")
async def test_the_operators_command_mends_them(path: Path) -> None:
    async with opened(path) as store:
        await busy(store)
        before = await ratings(store)
        await store.writer.write([("UPDATE ratings SET mu = 99", ())])
    done = ran(
        *("-m", "bot", "ratings"),
        env={"PYTHONPATH": str(ROOT), "DATABASE_PATH": str(path), "DISCORD_TOKEN": "a.b.c"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "recalculated every rating; rated matches: 19\n"
    async with opened(path) as store:
        assert await ratings(store) == before
