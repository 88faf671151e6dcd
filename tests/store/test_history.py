"""The matches of a server, their logs, and what a server has set."""

import zlib

import pytest

from bot.ids import GuildId
from bot.records.models import MATCHES, Settings
from bot.records.ratings import NEWCOMER, Skill, rate, shown
from bot.tables.decisions.rated_or_practice import Standing
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, GUILD, match, play

LOG = '{"e":"start","players":2}\n{"e":"deal"}\n'


async def test_the_newest_match_comes_first(store: Store) -> None:
    numbers = [await play(store, match({ANNA: 9, BEN: 5})) for _ in range(MATCHES + 1)]
    first, second = await store.archive.history(GUILD, 0), await store.archive.history(GUILD, 1)
    assert [one.number for one in first.matches] == numbers[:0:-1]
    assert [one.number for one in second.matches] == numbers[:1]
    assert (first.page, first.pages, second.page) == (0, 2, 1)
    assert await store.archive.history(GUILD, 7) == second


async def test_a_server_without_a_match(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    found = await store.archive.history(GuildId(78), 0)
    assert (found.matches, found.page, found.pages) == ((), 0, 1)


async def test_exactly_one_page(store: Store) -> None:
    for _ in range(MATCHES):
        await play(store, match({ANNA: 9, BEN: 5}))
    assert (await store.archive.history(GUILD, 0)).pages == 1


async def test_practice_is_in_the_history_and_what_was_dropped_is_not(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.PRACTICE))
    await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.DROPPED))
    found = await store.archive.history(GUILD, 0)
    assert [one.standing for one in found.matches] == [Standing.PRACTICE]


def points(skill: Skill) -> int:
    return shown(skill, "ligretto").points


async def test_a_match_tells_what_it_made_of_the_ratings(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    number = await play(store, match({ANNA: 9, BEN: 5}))
    before = rate([NEWCOMER, NEWCOMER], [1, 2], "ligretto")
    after = rate(before, [1, 2], "ligretto")
    found = await store.archive.match(GUILD, number)
    assert found is not None
    assert [(seat.rating, seat.change) for seat in found.match.seats] == [
        (shown(now, "ligretto"), points(now) - points(was))
        for now, was in zip(after, before, strict=True)
    ]
    (first,) = [one for one in (await store.archive.history(GUILD, 0)).matches if one.number == 1]
    assert [seat.change for seat in first.seats] == [points(one) - 1000 for one in before]


async def test_the_rounds_of_a_match(store: Store) -> None:
    written = match({ANNA: 9, BEN: -5, None: 3})
    number = await play(store, written)
    found = await store.archive.match(GUILD, number)
    assert found is not None
    assert found.rounds == written.rounds
    assert [(seat.points, seat.person is None) for seat in found.match.seats] == [
        (9, False),
        (-5, False),
        (3, True),
    ]


async def test_another_server_sees_neither_match_nor_log(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 5}), zlib.compress(LOG.encode()))
    assert await store.archive.match(GuildId(78), number) is None
    assert await store.archive.match_log(GuildId(78), number, "?") is None
    assert await store.archive.match_log(GUILD, number, "?") is not None
    assert await store.archive.match(GUILD, number + 1) is None


async def test_a_log_has_the_last_names_known(store: Store) -> None:
    number = await play(store, match({ANNA: 9, BEN: 5}), zlib.compress(LOG.encode()))
    await play(store, match({ANNA: 9, BEN: 5}, names={ANNA: "Änna", BEN: "Ben"}))
    text = await store.archive.match_log(GUILD, number, "?")
    assert text == '{"e":"start","players":2,"names":["Änna","Ben"]}\n{"e":"deal"}\n'


async def test_settings_are_kept_and_a_server_without_any_has_the_defaults(store: Store) -> None:
    chosen = Settings("de", "Europe/Zurich", 90, {"ligretto": {"rounds": "5"}})
    await store.archive.set(GUILD, chosen)
    assert await store.archive.settings(GUILD) == chosen
    assert chosen.of_game("ligretto") == {"rounds": "5"}
    assert chosen.of_game("dice") == {}
    assert await store.archive.settings(GuildId(78)) == Settings()
    await store.archive.set(GUILD, Settings(time_zone="Asia/Tokyo"))
    assert await store.archive.settings(GUILD) == Settings(None, "Asia/Tokyo", None, {})


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "Europe", "x" * 300])
async def test_a_time_zone_that_is_none_is_refused(store: Store, zone: str) -> None:
    with pytest.raises(ValueError, match="unknown time zone"):
        await store.archive.set(GUILD, Settings(time_zone=zone))
    assert await store.archive.settings(GUILD) == Settings()
