"""What a person's card is made of: the place among all, the favourite rival, the best moment."""

from dataclasses import replace
from random import Random

from bot.ids import GuildId, UserId
from bot.records.feat_models import FavouriteRival, Feat, Highlight
from bot.records.models import Order, Person, Place, Wanted
from bot.store.records.recomputing import recompute
from bot.tables.decisions.rated_or_practice import Standing
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, DAN, GUILD, NOON, match, play

ELSEWHERE = GuildId(78)
MODERATOR = UserId(9)


async def place(store: Store, user: UserId, guild: GuildId = GUILD) -> Place | None:
    return await store.archive.place(guild, user, "ligretto")


async def on_board(store: Store, user: UserId) -> Place | None:
    wanted = Wanted(GUILD, "ligretto", Order.RATING, None)
    found = await store.archive.leaderboard(wanted, user)
    return None if found.own is None else Place(found.own.place, found.players)


async def agree(store: Store, users: list[UserId]) -> None:
    for user in users:
        assert await place(store, user) == await on_board(store, user)


async def test_a_place_is_that_of_the_leaderboard_whatever_happens(store: Store) -> None:
    """Void matches, practice, rounds that rate nobody, somebody forgotten, ratings made anew."""
    luck, users = Random(3), [UserId(n) for n in range(1, 9)]
    for number in range(30):
        some = luck.sample(users[:-1], luck.randint(2, 4))
        kind = luck.choice((*(Standing.RATED,) * 4, Standing.PRACTICE))
        one = match({user: luck.randint(-9, 30) for user in some}, standing=kind)
        if luck.random() < 0.2:
            one = replace(one, rated_rounds=())
        await play(store, one)
        if number % 7 == 6:
            await store.archive.void(GUILD, number - 2, moderator=MODERATOR, at=NOON)
    await agree(store, users)
    newcomer = replace(match({users[-1]: 5, users[0]: 4}), rated_rounds=())
    await play(store, newcomer)
    await agree(store, users)
    await store.archive.forget(users[2])
    assert await place(store, users[2]) is None
    await recompute(store.db)
    await agree(store, users)
    assert await place(store, users[0], ELSEWHERE) is None


async def test_nobody_is_left_of_a_server_that_is_deleted(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 4}))
    await play(store, match({ANNA: 9, BEN: 4}, guild=ELSEWHERE))
    await store.archive.delete(GUILD)
    assert await place(store, ANNA) is None
    assert await place(store, ANNA, ELSEWHERE) == Place(1, 2)


async def test_a_match_that_is_void_takes_the_last_place_away(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 4}))
    assert await place(store, BEN) == Place(2, 2)
    assert await store.archive.void(GUILD, number, moderator=MODERATOR, at=NOON)
    assert await place(store, BEN) is None
    assert await store.rows("SELECT * FROM standings") == []


async def test_whoever_loses_their_rating_has_a_newcomers_place(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 4, CHLOE: 1}))
    await play(store, replace(match({CHLOE: 9, DAN: 4}), rated_rounds=()))
    assert await store.archive.void(GUILD, number, moderator=MODERATOR, at=NOON)
    await agree(store, [ANNA, BEN, CHLOE, DAN])
    assert await place(store, CHLOE) == Place(1, 2)


async def rival(store: Store, user: UserId) -> FavouriteRival | None:
    return await store.archive.favourite_rival(GUILD, user, "ligretto")


async def test_a_favourite_rival_is_whom_one_has_met_most(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 4}))
    assert await rival(store, ANNA) is None, "once is no habit"
    await play(store, match({BEN: 9, ANNA: 4, CHLOE: 1}))
    await play(store, match({ANNA: 9, CHLOE: 4}))
    await play(store, match({CHLOE: 9, ANNA: 4, DAN: 1}))
    found = await rival(store, ANNA)
    assert found is not None
    assert found.person == Person(CHLOE, "Chloe")
    both = found.rivalry
    assert (both.matches, both.own.ahead, both.other.ahead) == (3, 2, 1)
    await store.archive.forget(CHLOE)
    found = await rival(store, ANNA)
    assert found is not None
    assert found.person.user == BEN, "nobody without a name is a rival"


async def highlight(store: Store, user: UserId) -> Highlight | None:
    return await store.archive.highlight(GUILD, user, "ligretto")


async def test_a_best_moment_is_a_record_or_the_best_round(store: Store) -> None:
    assert await highlight(store, BEN) is None
    number = await play(store, match({ANNA: -3, BEN: -5}))
    await store.db.execute("UPDATE feats SET stop = NULL, duel = NULL")
    await store.db.commit()
    assert await highlight(store, ANNA) is None, "a record, but nothing to be proud of"
    assert await store.archive.void(GUILD, number, moderator=MODERATOR, at=NOON)
    await play(store, match({ANNA: 30, BEN: 5}))
    second = await play(store, match({ANNA: 31, BEN: 12}, at=NOON + 1))
    assert await highlight(store, BEN) == Highlight(Feat.POINTS, 12, second, NOON + 1)
    best = await highlight(store, ANNA)
    assert best is not None
    assert (best.feat, best.is_record) == (Feat.STOP, True), "rarer than the best round"
    await play(store, match({ANNA: 9, BEN: -20}))
    assert await highlight(store, BEN) == Highlight(Feat.POINTS, 12, second, NOON + 1)


async def test_a_comeback_is_worth_more_than_a_round(store: Store) -> None:
    await play(store, match({ANNA: 30, BEN: 5}))
    for behind, feat in ((9, Feat.POINTS), (10, Feat.COME_BACK)):
        await store.db.execute(
            "UPDATE feats SET come_back = ? WHERE player = (SELECT id FROM players WHERE user = ?)",
            (behind, BEN),
        )
        await store.db.execute("UPDATE feats SET come_back = 40 WHERE points = 30")
        await store.db.commit()
        found = await highlight(store, BEN)
        assert found is not None
        assert (found.feat, found.is_record) == (feat, False)
