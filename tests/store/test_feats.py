"""Records, bests, badges and rivals: kept with each match, and what all matches add up to."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import Best, Feat, Rivalry, ServerRecord, Side
from bot.records.feats import Category
from bot.records.models import Person
from bot.records.results import MatchResult
from bot.store.feats.backfill import FeatsBackfill
from bot.store.records.result_writing import Report, write
from bot.tables.decisions.rated_or_practice import Standing
from tests.records.played import PlayedMatches
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, NOON, match, play

MODERATOR = UserId(9)
ELSEWHERE = GuildId(78)
KEPT = ("SELECT * FROM feats", "SELECT * FROM badges", "SELECT * FROM rivals")
LOST = [("DELETE FROM feats", ()), ("DELETE FROM badges", ()), ("DELETE FROM rivals", ())]
MATCHES = "SELECT number, guild, standing FROM matches"
LEFT = (*KEPT, "SELECT * FROM feats_due", "SELECT * FROM players")


def stopped(result: MatchResult, ms: int) -> MatchResult:
    """The same match with each of its rounds as long."""
    return replace(result, rounds=tuple(replace(one, lasted=ms) for one in result.rounds))


async def records(store: Store, game: str = "ligretto") -> dict[Feat, ServerRecord]:
    variant = "standard" if game == "ligretto" else ""
    found = await store.archive.server_records(GUILD, game, variant)
    return {one.feat: one for one in found}


async def void(store: Store, number: int) -> None:
    assert await store.archive.void(GUILD, number, moderator=MODERATOR, at=NOON)


async def test_each_record_has_its_holder_and_its_date(store: Store) -> None:
    await play(store, stopped(match({ANNA: 30, BEN: 5}, at=NOON), 50_000))
    second = stopped(match({BEN: 38, ANNA: 2}, at=NOON + 1), 61_000)
    number = await play(store, second)
    found = await records(store)
    anna, ben = Person(ANNA, "Anna"), Person(BEN, "Ben")
    assert found[Feat.POINTS] == ServerRecord(Feat.POINTS, "standard", 38, ben, number, NOON + 1)
    assert found[Feat.STOP] == ServerRecord(Feat.STOP, "standard", 50_000, anna, 1, NOON)
    assert found[Feat.DUEL] == ServerRecord(Feat.DUEL, "standard", 40, anna, 1, NOON, ben)
    assert Feat.STREAK not in found, "one win is no streak"
    assert Feat.COME_BACK not in found, "nobody was ever behind and won"


async def test_an_equal_value_takes_no_record_and_breaks_none(store: Store) -> None:
    await play(store, match({ANNA: 30, BEN: 5}))
    again = await play(store, match({BEN: 30, ANNA: 5}))
    assert (await records(store))[Feat.POINTS].holder.user == ANNA
    assert await store.archive.fallen_records(GUILD, again) == ()


async def test_a_broken_record_is_told_with_the_one_before(store: Store) -> None:
    first = await play(store, match({ANNA: 30, BEN: 5}))
    assert await store.archive.fallen_records(GUILD, first) == (), "there was none to break"
    second = await play(store, match({BEN: 31, ANNA: 5}))
    (fallen,) = await store.archive.fallen_records(GUILD, second)
    told = fallen.now.feat, fallen.now.value, fallen.now.holder.user, fallen.before.value
    assert told == (Feat.POINTS, 31, BEN, 30)
    third = await play(store, match({BEN: 33, ANNA: 5}))
    fallen_now = await store.archive.fallen_records(GUILD, third)
    assert [one.now.feat for one in fallen_now] == [Feat.POINTS]
    assert await store.archive.fallen_records(ELSEWHERE, third) == ()


async def test_a_streak_that_goes_on_breaks_its_record_once(store: Store) -> None:
    """Anna has won twice; Ben wins three times, four, and loses; then five times from the start.

    A streak that only reaches where its holder was before is another one.
    """

    async def broken(*winners: UserId) -> list[bool]:
        found = []
        for winner in winners:
            loser = BEN if winner == ANNA else ANNA
            number = await play(store, match({winner: 20, loser: 5}))
            fallen = await store.archive.fallen_records(GUILD, number)
            found.append(Feat.STREAK in {one.now.feat for one in fallen})
        return found

    assert not any(await broken(ANNA, ANNA, BEN, BEN))
    assert await broken(BEN, BEN) == [True, False], "it goes on"
    assert not any(await broken(ANNA, BEN, BEN, BEN, BEN))
    assert await broken(BEN, BEN) == [True, False], "another streak of Ben's is longer"


async def test_a_void_match_passes_its_records_to_the_next_best(store: Store) -> None:
    await play(store, stopped(match({ANNA: 30, BEN: 5}), 50_000))
    best = await play(store, stopped(match({CHLOE: 60, BEN: 5}), 20_000))
    await play(store, stopped(match({BEN: 29, ANNA: 5}), 40_000))
    await void(store, best)
    found = await records(store)
    holders = {feat: (one.holder.user, one.value) for feat, one in found.items()}
    assert holders[Feat.POINTS] == (ANNA, 30)
    assert holders[Feat.STOP] == (BEN, 40_000)


@pytest.mark.parametrize(
    "other",
    [
        match({ANNA: 90, None: 1}, standing=Standing.PRACTICE),
        match({ANNA: 90, BEN: 1}, standing=Standing.PRACTICE),
        match({ANNA: 90, BEN: 1}, guild=ELSEWHERE),
        match({ANNA: 90, BEN: 1}, game="dice"),
        replace(match({ANNA: 90, BEN: 1}), options={"rounds": "3", "variant": "expert"}),
    ],
    ids=["alone", "practice", "another server", "another game", "another variant"],
)
async def test_a_record_is_of_one_server_game_and_variant(store: Store, other: MatchResult) -> None:
    await play(store, match({ANNA: 30, BEN: 5}))
    await play(store, other)
    assert (await records(store))[Feat.POINTS].value == 30


async def test_a_round_of_one_person_sets_no_record(store: Store) -> None:
    """Ben sat the first round out, in which Anna made all her points."""
    lone = match({ANNA: 50, BEN: 0})
    first = replace(lone.rounds[0], plus=(50, None), minus=(0, None), laid=(10, None), duels=())
    await play(store, replace(lone, rounds=(first, *lone.rounds[1:])))
    assert Feat.POINTS not in await records(store)


async def test_a_duel_against_a_robot_is_no_record(store: Store) -> None:
    """Anna's one duel of the match was won over the second seat."""
    await play(store, match({ANNA: 30, None: 3, BEN: 2}))
    assert Feat.DUEL not in await records(store)
    await play(store, match({ANNA: 30, BEN: 2, None: 3}))
    assert (await records(store))[Feat.DUEL].match == 2


async def test_a_streak_goes_on_without_a_void_match(store: Store) -> None:
    for _ in range(3):
        await play(store, match({ANNA: 30, BEN: 5}))
    lost = await play(store, match({BEN: 30, ANNA: 5}))
    for _ in range(2):
        await play(store, match({ANNA: 30, BEN: 5}))
    assert (await records(store))[Feat.STREAK].value == 3
    await void(store, lost)
    assert (await records(store))[Feat.STREAK].value == 5
    await void(store, 1)
    assert (await records(store))[Feat.STREAK].value == 4


async def test_the_way_back_is_measured_against_those_who_stayed(store: Store) -> None:
    """Chloe was far ahead and left; Anna won, and was never more than 7 behind Ben."""
    won = match({ANNA: 30, BEN: 9, CHLOE: 5})
    lists = [((0, 7, 40), (0, 0, 0)), ((30, 2, 0), (0, 0, 35)), ((0, 0, 0), (0, 0, 0))]
    rounds = tuple(
        replace(one, plus=plus, minus=minus)
        for one, (plus, minus) in zip(won.rounds, lists, strict=True)
    )
    seats = (*won.seats[:2], replace(won.seats[2], left=True))
    await play(store, replace(won, rounds=rounds, seats=seats))
    back = (await records(store))[Feat.COME_BACK]
    assert (back.holder.user, back.value) == (ANNA, 7)


async def test_practice_counts_for_oneself_by_level(store: Store) -> None:
    for level, points, robot in (("hard", 12, 20), ("hard", 21, 3), ("easy", 40, -8)):
        alone = match({ANNA: points, None: robot}, standing=Standing.PRACTICE)
        await play(store, replace(alone, options={"rounds": "3", "level": level}))
    await play(store, match({ANNA: 10, BEN: 5}))
    found = await store.archive.personal_bests(GUILD, ANNA, "ligretto")
    told = {one.category: (one.matches, one.wins, one.best) for one in found}
    assert told == {
        Category.HARD: (2, 1, Best(21, 60_000)),
        Category.EASY: (1, 1, Best(40, 60_000)),
        Category.RANKED: (1, 1, Best(10, 60_000)),
    }
    assert await store.archive.personal_bests(ELSEWHERE, ANNA, "ligretto") == ()


async def test_two_people_see_what_they_did_against_each_other(store: Store) -> None:
    await play(store, match({ANNA: 30, BEN: 5, CHLOE: 7}))
    taken = await play(store, match({BEN: 20, ANNA: 5}))
    await play(store, match({BEN: 20, ANNA: 5}))
    await play(store, match({ANNA: 99, BEN: 5}, standing=Standing.PRACTICE))
    met = Rivalry(3, Side(1, 40, 1, 40.0), Side(2, 45, 2, 40.0))
    assert await store.archive.rivalry(GUILD, ANNA, BEN, "ligretto") == met
    assert await store.archive.rivalry(GUILD, BEN, ANNA, "ligretto") == Rivalry(
        3, met.other, met.own
    )
    await void(store, taken)
    less = Rivalry(2, Side(1, 35, 1, 40.0), Side(1, 25, 1, 40.0))
    assert await store.archive.rivalry(GUILD, ANNA, BEN, "ligretto") == less
    none = Rivalry(0, Side(0, 0, 0, None), Side(0, 0, 0, None))
    for other, game in ((MODERATOR, "ligretto"), (BEN, "dice")):
        assert await store.archive.rivalry(GUILD, ANNA, other, game) == none


async def earned(store: Store, points: Mapping[UserId | None, int], *badges: Badge) -> int:
    """A match in which the first seat earned these."""
    report = Report(match(points), None, {0: frozenset(badges)})
    await store.writer.write([partial(write, report=report)])
    number = await store.one("SELECT max(id) FROM matches")
    assert isinstance(number, int)
    return number


async def test_a_badge_counts_once_a_match_and_goes_with_a_void_one(store: Store) -> None:
    await earned(store, {ANNA: 30, BEN: 5}, Badge.BLINK)
    second = await earned(store, {ANNA: 30, BEN: 5}, Badge.SWEEP, Badge.BLINK)
    assert await store.archive.badges(GUILD, ANNA) == {Badge.BLINK: 2, Badge.SWEEP: 1}
    assert await store.archive.badges(GUILD, BEN) == {}
    await void(store, second)
    assert await store.archive.badges(GUILD, ANNA) == {Badge.BLINK: 1}


async def test_practice_of_several_people_earns_no_badge(store: Store) -> None:
    report = Report(
        match({ANNA: 1, BEN: 0}, standing=Standing.PRACTICE), None, {0: frozenset({Badge.SWEEP})}
    )
    await store.writer.write([partial(write, report=report)])
    assert await store.archive.badges(GUILD, ANNA) == {}


async def test_forgetting_somebody_changes_no_other(store: Store) -> None:
    """A record stays, as nobody's: else the next best would gain it, or later lose it again."""
    await earned(store, {ANNA: 30, BEN: 5, CHLOE: 1}, Badge.SWEEP)
    await earned(store, {BEN: 20, ANNA: 5, CHLOE: 1}, Badge.BLINK)
    others = await store.archive.rivalry(GUILD, BEN, CHLOE, "ligretto")
    await store.archive.forget(ANNA)
    assert await store.archive.badges(GUILD, ANNA) == {}
    assert await store.archive.badges(GUILD, BEN) == {Badge.BLINK: 1}
    assert await store.one("SELECT count(*) FROM rivals") == 2, "Ben's and Chloe's"
    assert await store.archive.rivalry(GUILD, BEN, CHLOE, "ligretto") == others
    best = (await records(store))[Feat.POINTS]
    assert (best.holder, best.value) == (Person(None, None), 30)
    await void(store, 1)
    assert (await records(store))[Feat.POINTS].holder.user == BEN


async def test_an_export_tells_everything_about_a_person(store: Store) -> None:
    await earned(store, {ANNA: 30, BEN: 5}, Badge.SWEEP)
    ((server,)) = (await store.archive.export(ANNA))["servers"]
    (feats,) = server["feats"]
    assert (feats["points"], feats["stop"], feats["category"]) == (30, 60_000, "ranked")
    assert server["badges"] == [{"badge": "sweep", "match": 1}]
    assert [one["points"] for one in server["rivals"]] == [30]


async def test_a_deleted_server_leaves_nothing(store: Store) -> None:
    await earned(store, {ANNA: 30, BEN: 5}, Badge.SWEEP)
    await store.archive.delete(GUILD)
    assert [await store.rows(sql) for sql in LEFT] == [[]] * len(LEFT)


async def evenings(store: Store, luck: Random) -> None:
    """Matches of all kinds; some were voided, and one person had themselves forgotten."""
    people = [ANNA, BEN, CHLOE, UserId(105), UserId(106)]
    for number in range(1, 41):
        who: list[UserId | None] = [*luck.sample(people, luck.choice((1, 2, 3, 4)))]
        standing = luck.choice((Standing.RATED, Standing.RATED, Standing.PRACTICE))
        if len(who) == 1:
            who, standing = [*who, None], Standing.PRACTICE
        played = match(
            {user: luck.randint(-20, 40) for user in who},
            standing=standing,
            game=luck.choice(("ligretto", "dice")),
            guild=luck.choice((GUILD, ELSEWHERE)),
        )
        await play(store, stopped(played, luck.randint(20_000, 90_000)))
        if number % 8 == 0:
            await store.archive.forget(CHLOE)
        if number % 5 == 0:
            here = [
                taken
                for taken, guild, standing_ in await store.rows(MATCHES)
                if guild == GUILD and standing_ != "void" and isinstance(taken, int)
            ]
            await void(store, luck.choice(here))
    real = PlayedMatches(store.journal, 3)
    for game in ("ligretto", "dice"):
        table = await real.sit(game, (ANNA, BEN), computers=1)
        await real.play_all(table)


async def test_what_is_kept_is_what_all_matches_add_up_to(store: Store) -> None:
    await evenings(store, Random(7))
    kept = [await store.rows(sql) for sql in KEPT]
    assert all(kept), "there is something of each"
    await store.writer.write(LOST)
    await store.writer.write(
        [("INSERT INTO feats_due SELECT id FROM matches ORDER BY id DESC", ())]
    )
    await FeatsBackfill(store.db, store.writer, SystemClock()).run()
    assert [await store.rows(sql) for sql in KEPT] == kept
    assert await store.one("SELECT count(*) FROM feats_due") == 0


async def test_no_record_falls_while_old_matches_are_still_read(store: Store) -> None:
    old = await play(store, match({ANNA: 30, BEN: 5}))
    new = await play(store, match({ANNA: 31, BEN: 5}))
    await store.writer.write([("INSERT INTO feats_due VALUES (?)", (old,))])
    assert await store.archive.fallen_records(GUILD, new) == ()
    assert await store.archive.bests_before(GUILD, new) == {}


async def test_matches_may_be_worked_out_in_any_order(store: Store) -> None:
    """A match that ends while older ones are still to be worked out is counted before them."""
    for points in (30, 31, 32):
        await play(store, match({ANNA: points, BEN: 5}))
    await store.writer.write(LOST)
    await store.writer.write([("INSERT INTO feats_due VALUES (1), (2), (3)", ())])
    await play(store, match({ANNA: 33, BEN: 5}))
    assert Feat.STREAK not in await records(store)
    await FeatsBackfill(store.db, store.writer, SystemClock()).run()
    assert (await records(store))[Feat.STREAK].value == 4
    assert (await store.archive.rivalry(GUILD, ANNA, BEN, "ligretto")).matches == 4
