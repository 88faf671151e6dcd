"""A person's deal of the day is one round, whichever group they play it in."""

import asyncio
from typing import Any

import pytest

from bot.daily.store import RoundKey
from bot.games.values import Refused
from bot.ids import GuildId, UserId
from bot.ui.daily.rounds import DailyRounds
from tests.groups.people.bot import TwoGroups
from tests.groups.people.test_forget import asks
from tests.stories.daily import Alone

AWAY = "can’t be reached, so this deal"
ROUNDS = "SELECT presses, points FROM daily_rounds WHERE user = ?"
RACES = 30


def alone(bot: TwoGroups, number: int, name: str = "anna") -> Alone:
    return Alone(bot.discord, bot.user(name), bot.channels[number])


def rounds_of(bot: TwoGroups, number: int) -> DailyRounds:
    running = bot.app(number).running
    assert running is not None
    return running.daily.rounds


async def rounds(bot: TwoGroups, user: UserId) -> dict[int, list[tuple[Any, ...]]]:
    """Somebody's rounds, by group."""
    return {one: await bot.rows(one, ROUNDS, user) for one in sorted(bot.running)}


def answer(person: Alone) -> str:
    return person.server.panels(person.user, person.channel)[-1].text


async def test_everybody_is_dealt_the_same_in_all_groups(bot: TwoGroups) -> None:
    await bot.start()
    sql = "SELECT first_day, links, final FROM daily_chains"
    assert await bot.rows(1, sql) == await bot.rows(2, sql)
    anna, ben = alone(bot, 1, "anna"), alone(bot, 2, "ben")
    await anna.begin()
    await ben.begin()
    assert anna.moves == ben.moves != []
    assert anna.shown.data["components"] == ben.shown.data["components"]


async def test_an_emptied_valkey_gets_the_chain_back(bot: TwoGroups) -> None:
    await bot.start(1)
    bot.server.kill()
    await bot.server.start()
    await bot.recorded(1)
    await bot.start(2)
    sql = "SELECT first_day, links, final FROM daily_chains"
    before = await bot.rows(1, sql)

    async def is_back() -> bool:
        return await bot.rows(2, sql) == before

    await bot.until(is_back)
    assert await bot.rows(1, sql) == before


async def test_a_round_goes_on_where_it_was_begun(bot: TwoGroups) -> None:
    """By presses on a server of another group, whose leaderboard gets the result."""
    await bot.start()
    anna = alone(bot, 1)
    await anna.begin()
    _ = await anna.flip()
    there = alone(bot, 2)
    await there.begin()
    assert "1 press ·" in there.shown.text
    _ = await there.flip()
    assert "2 presses" in there.shown.text
    await there.finish()
    found = await rounds(bot, UserId(anna.user.id))
    ((presses, points),) = found[1]
    assert (points is not None, found[2]) == (True, [])

    async def is_told() -> bool:
        sql = "SELECT presses, points, name FROM daily_places"
        return await bot.rows(2, sql) == [(presses, points, "Anna")]

    await bot.until(is_told)
    sql = "SELECT count(*) FROM daily_places WHERE away = 1"

    async def is_known() -> bool:
        return await bot.rows(1, sql) == [(0,)]

    await bot.until(is_known)


async def test_round_shows_the_leaderboard_of_another_groups_server(bot: TwoGroups) -> None:
    """Anna plays where Ben has finished. Her round is in the first group, and his in the second."""
    await bot.start()
    ben = alone(bot, 2, "ben")
    await ben.begin()
    await ben.finish()
    await alone(bot, 1).begin()
    there = alone(bot, 2)
    await there.begin()
    await there.finish()
    assert "2 players" in there.shown.text
    assert all(name in there.shown.text for name in ("Anna", "Ben"))

    await bot.dies(2)
    daily = bot.app(1).running.daily  # type: ignore[union-attr]
    guild = bot.channels[2].guild
    assert guild is not None
    key = RoundKey(UserId(there.user.id), daily.secrets.today, "ligretto")
    found = await daily.replies.leaderboard(GuildId(guild.id), key)
    assert found is None, "the file here knows nobody but her, and would say that she is the first"


async def test_two_groups_never_begin_two_rounds(bot: TwoGroups) -> None:
    """At the same moment, again and again."""
    await bot.start()
    both = [rounds_of(bot, number) for number in (1, 2)]
    today = bot.app(1).running.daily.secrets.today  # type: ignore[union-attr]
    for number in range(RACES):
        key = RoundKey(UserId(1000 + number), today, "ligretto")
        found = await asyncio.gather(*(one.open(key, None) for one in both))
        begun = [one for one in found if one.round is not None]
        others = [one for one in found if isinstance(one.said, Refused)]
        assert (len(begun), len(others)) == (1, 1)
    counts = [await bot.rows(one, "SELECT count(*) FROM daily_rounds") for one in (1, 2)]
    assert sum(count for ((count,),) in counts) == RACES


async def test_round_goes_on_in_a_database_that_was_split_or_merged(bot: TwoGroups) -> None:
    """The group that had begun it is gone, and Valkey knows its claim."""
    await bot.start()
    anna = alone(bot, 1)
    await anna.begin()
    _ = await anna.flip()
    await bot.stop_all()
    bot.regroup(1)
    await bot.start(1)
    again = alone(bot, 1)
    await again.begin()
    assert "1 press ·" in again.shown.text
    await bot.start(2)
    there = alone(bot, 2)
    await there.begin()
    assert "1 press ·" in there.shown.text


async def test_while_its_group_is_down_nobody_begins_another(bot: TwoGroups) -> None:
    await bot.start()
    anna = alone(bot, 1)
    await anna.begin()
    await bot.stop(1)
    there = alone(bot, 2)
    _ = await there.server.slash(there.user, there.channel, "daily").wait()
    assert AWAY in answer(there)
    assert (await rounds(bot, UserId(anna.user.id)))[2] == []
    await bot.start(1)
    await there.begin()
    assert there.moves


async def test_without_valkey_rounds_go_on_and_none_begins(bot: TwoGroups) -> None:
    await bot.start()
    anna, ben = alone(bot, 1), alone(bot, 2, "ben")
    await anna.begin()
    bot.server.kill()
    _ = await anna.flip()
    assert "1 press ·" in anna.shown.text
    await ben.begin()
    assert AWAY in answer(ben)
    assert await rounds(bot, UserId(ben.user.id)) == {1: [], 2: []}
    await bot.server.start()
    await bot.recorded(1)
    await bot.recorded(2)

    async def begins() -> bool:
        await asyncio.sleep(1)
        await ben.begin()
        return bool(ben.moves)

    await bot.until(begins)


async def test_no_round_begins_while_a_claim_may_be_lost(bot: TwoGroups) -> None:
    """Valkey was emptied, and the group that has the round is down."""
    await bot.start()
    anna = alone(bot, 1)
    await anna.begin()
    await bot.stop(1)
    bot.server.kill()
    await bot.server.start()
    await bot.recorded(2)
    there = alone(bot, 2)
    await there.begin()
    assert AWAY in answer(there)
    assert (await rounds(bot, UserId(anna.user.id)))[2] == []
    await bot.start(1)
    await there.begin()
    assert there.moves
    assert {
        one: len(found) for one, found in (await rounds(bot, UserId(anna.user.id))).items()
    } == {
        1: 1,
        2: 0,
    }


async def test_nobody_plays_again_in_another_group_by_being_forgotten(bot: TwoGroups) -> None:
    """Not even when Valkey was emptied since: the mark is put back, and names nobody."""
    await bot.start()
    anna = alone(bot, 1)
    await anna.begin()
    assert "Your ID and name are gone" in await asks(bot, 1)
    bot.server.kill()
    await bot.server.start()
    await bot.recorded(1)
    await bot.recorded(2)
    there = alone(bot, 2)

    async def is_answered() -> bool:
        await asyncio.sleep(1)
        _ = await there.page()
        return "played before you deleted your data" in there.shown.text

    await bot.until(is_answered)
    way = bot.running[1].valkey
    keys = await way.ask(lambda db: db.keys(way.key("daily", "*")))
    assert not [key for key in keys if str(anna.user.id).encode() in key]
    assert await rounds(bot, UserId(anna.user.id)) == {1: [], 2: []}


@pytest.mark.real("a Valkey server as a process, which writes to the disk")
async def test_a_claim_that_a_restart_has_lost_counts_all_the_same(
    bot_on_a_real_server: TwoGroups,
) -> None:
    """As Debian sets it, Valkey writes its data to the disk minutes later, and has those after a
    power cut.
    """
    bot = bot_on_a_real_server
    await bot.start()
    way = bot.running[1].valkey
    await alone(bot, 1, "ben").begin()  # all that is done once is done
    await way.ask(lambda db: db.save())
    anna = alone(bot, 1)
    await anna.begin()
    await bot.dies(1)
    bot.server.kill()
    await bot.server.start()
    await bot.recorded(2)
    there = alone(bot, 2)
    for _ in range(3):
        await there.begin()
        assert AWAY in answer(there)
        await asyncio.sleep(1)
    assert (await rounds(bot, UserId(anna.user.id)))[2] == []
    await bot.start(1)
    await there.begin()
    assert there.moves
    assert (await rounds(bot, UserId(anna.user.id)))[2] == []


async def test_daily_that_its_group_never_takes_is_answered(bot: TwoGroups) -> None:
    """It seems to run: nobody has noticed yet."""
    await bot.start()
    await alone(bot, 1).begin()
    await bot.dies(1)
    there = alone(bot, 2)
    asked = await bot.discord.slash(there.user, there.channel, "daily").wait()
    assert asked.original is not None
    assert AWAY in asked.original.text
