"""Whoever asks to be forgotten is forgotten by every group, even by one that is down."""

import asyncio
from functools import partial
from typing import Any

from bot.groups.away import ValkeyAwayError
from bot.groups.people.feed import LISTENS
from bot.ids import UserId
from bot.ui.daily.told_places import AGAIN
from tests.groups.people.bot import TwoGroups
from tests.groups.people.test_export import played
from tests.groups.people.test_plain_text import chooses, holds
from tests.loopback.players import Player
from tests.real import PATIENCE
from tests.stories.daily import Alone

NAMED = "SELECT count(*) FROM players WHERE user = ?"


async def asks(bot: TwoGroups, number: int, name: str = "anna") -> str:
    """Ask to be forgotten on a server of a group. Return the words of the answer."""
    user, channel = bot.user(name), bot.channels[number]
    asked = await bot.discord.slash(user, channel, "privacy").wait()
    page = asked.original
    assert page is not None
    await bot.discord.click(user, page, label="Delete my data").wait()
    await bot.discord.click(user, page, label="Yes, delete it").wait()
    await bot.discord.wait_for(lambda: "Delete your data?" not in page.text, PATIENCE)
    return page.text


async def told(bot: TwoGroups, number: int, name: str = "anna") -> str:
    asked = await bot.discord.slash(bot.user(name), bot.channels[number], "privacy").wait()
    assert asked.original is not None
    return asked.original.text


async def named(bot: TwoGroups, number: int, user: UserId) -> int:
    ((count,),) = await bot.rows(number, NAMED, user)
    return int(count)


async def is_kept(bot: TwoGroups, number: int) -> bool:
    """True while an order stands in a group's file."""
    return bool(await bot.rows(number, "SELECT 1 FROM orders"))


async def ends(bot: TwoGroups, number: int) -> None:
    async def ended() -> bool:
        return not await is_kept(bot, number)

    await bot.until(ended)


async def has_newer(bot: TwoGroups) -> bool:
    """True once group 2 has said that somebody has played there since their order."""
    way = bot.running[1].valkey
    try:
        orders = await way.ask(lambda db: db.keys(way.key("order", "*")))
        states = [await way.ask(partial(_state, order)) for order in orders]
    except ValkeyAwayError:
        return False
    return states == [b"newer"]


async def _state(order: Any, db: Any) -> Any:
    return await db.hget(order, "2")


async def test_all_groups_forget_at_once(bot: TwoGroups) -> None:
    await bot.start()
    anna = await played(bot, 1)
    await played(bot, 2)
    assert "Your ID and name are gone" in await asks(bot, 1)
    assert [await named(bot, number, anna) for number in (1, 2)] == [0, 0]
    await ends(bot, 1)
    assert "isn’t deleted everywhere" not in await told(bot, 1)


async def test_a_group_that_is_down_is_named_and_followed_up(bot: TwoGroups) -> None:
    """Across restarts of both, and of a Valkey that has forgotten everything."""
    await bot.start()
    anna = await played(bot, 1)
    await played(bot, 2)
    await bot.stop(2)
    said = await asks(bot, 1)
    assert "isn’t deleted everywhere" in said
    assert "shards 1" in said
    assert "shards 1" in await told(bot, 1)
    assert await named(bot, 1, anna) == 0
    await bot.stop(1)
    bot.server.kill()
    await bot.server.start()
    await bot.start(2)
    assert await named(bot, 2, anna) == 1, "nobody has told it"
    await bot.stop(2)
    await bot.start(1)
    assert "shards 1" in await told(bot, 1)
    await bot.start(2)
    assert await named(bot, 2, anna) == 0, "before it takes presses"
    await ends(bot, 1)
    assert "isn’t deleted everywhere" not in await told(bot, 1)


async def test_a_giver_on_an_older_copy_withdraws_no_order(bot: TwoGroups) -> None:
    """Its machine was lost after the order, which another group has yet to hear."""
    await bot.start()
    anna = await played(bot, 1)
    await played(bot, 2)
    await bot.stop(2)
    bot.keep_copy(1)
    assert "isn’t deleted everywhere" in await asks(bot, 1)
    await bot.dies(1)
    bot.move(1)
    await bot.start(1)
    assert await named(bot, 1, anna) == 0
    assert "shards 1" in await told(bot, 1)
    await bot.start(2)
    assert await named(bot, 2, anna) == 0
    await ends(bot, 1)


async def test_a_group_that_was_replaced_holds_up_no_order(bot: TwoGroups) -> None:
    """Its database was split or merged: other groups have its shards, and its servers' data."""
    await bot.start()
    await played(bot, 1)
    await bot.stop(2)
    assert "isn’t deleted everywhere" in await asks(bot, 1)
    assert await is_kept(bot, 1)
    bot.move(2)
    await bot.start(2)
    await ends(bot, 1)
    assert "isn’t deleted everywhere" not in await told(bot, 1)


async def test_what_is_played_after_the_order_stays(bot: TwoGroups) -> None:
    """A late group forgets what is older, and others forget nothing twice."""
    await bot.start()
    await bot.stop(2)
    anna = await played(bot, 1)
    await asks(bot, 1)
    await played(bot, 1)
    bot.server.kill()
    await bot.server.start()
    await bot.start(2)
    await ends(bot, 1)
    assert await named(bot, 1, anna) == 1


async def test_an_order_that_comes_too_late_asks_again(bot: TwoGroups) -> None:
    """The group has started without Valkey, and she has played there since."""
    await bot.start()
    await bot.stop(2)
    anna = UserId(bot.user("anna").id)
    await asks(bot, 1)
    bot.server.kill()
    await bot.start(2)
    await played(bot, 2)
    ((began,),) = await bot.rows(1, "SELECT at + 1 FROM orders")
    app = bot.app(2)
    await app.writer.write([("UPDATE matches SET began = ?", (began,))])
    await bot.server.start()

    await bot.until(partial(has_newer, bot))
    assert "since you asked" in await told(bot, 1)
    assert await named(bot, 2, anna) == 1
    assert "Your ID and name are gone" in await asks(bot, 1)
    assert await named(bot, 2, anna) == 0
    await ends(bot, 1)


async def test_who_plays_in_another_group_finishes_first(bot: TwoGroups) -> None:
    """Nothing is forgotten anywhere, and the answer has a link to the table."""
    await bot.start()
    anna, user = await played(bot, 1), bot.user("anna")
    await Player(bot.discord, user, bot.channels[2]).open()
    said = await asks(bot, 1)
    assert "still in a match" in said
    assert str(bot.channels[2].id) in said
    assert await named(bot, 1, anna) == 1
    assert not await is_kept(bot, 1)


async def test_an_order_waits_for_the_end_of_a_match(bot: TwoGroups) -> None:
    """She sat there when the group went down. It forgets her when the table is closed."""
    await bot.start()
    await played(bot, 2)
    anna, user = UserId(bot.user("anna").id), bot.user("anna")
    await Player(bot.discord, user, bot.channels[2]).open()
    await bot.stop(2)
    assert "shards 1" in await asks(bot, 1)
    await bot.start(2)
    assert "when the match is over" in await told(bot, 1)
    assert await named(bot, 2, anna) == 1
    (table,) = bot.app(2).tables.index
    await bot.app(2).tables.close(table, "table.closed.moderator")
    await ends(bot, 1)
    assert await named(bot, 2, anna) == 0


async def test_a_choice_that_another_group_still_tells_does_not_come_back(bot: TwoGroups) -> None:
    """She plays there, so it has yet to forget her; meanwhile Valkey loses everything."""
    await bot.start()
    anna, user = await chooses(bot, 1), bot.user("anna")
    await holds(bot, anna, 1, 2)
    await Player(bot.discord, user, bot.channels[2]).open()
    await bot.stop(2)
    assert "shards 1" in await asks(bot, 1)
    await bot.start(2)
    bot.server.kill()
    await bot.server.start()
    for number in (1, 2):
        await bot.recorded(number)
    await asyncio.sleep(2 * LISTENS)
    assert await bot.rows(1, "SELECT 1 FROM plain_text") == []
    (table,) = bot.app(2).tables.index
    await bot.app(2).tables.close(table, "table.closed.moderator")
    await ends(bot, 1)
    for number in (1, 2):
        assert not bot.is_plain(number, anna)
        assert await bot.rows(number, "SELECT 1 FROM plain_text") == []
    await bot.stop_all()
    await bot.start()
    assert not any(bot.is_plain(number, anna) for number in (1, 2))


async def test_no_order_is_done_while_a_group_is_unknown(bot: TwoGroups) -> None:
    """Not even one that nobody in this Valkey has heard of: somebody has its shards."""
    await bot.start(1)
    anna = await played(bot, 1)
    assert "shards 1" in await asks(bot, 1)
    assert await is_kept(bot, 1)
    await bot.start(2)
    await ends(bot, 1)
    assert await named(bot, 1, anna) == 0


async def places(bot: TwoGroups, *numbers: int) -> list[int]:
    """Return how many of Anna's results of dailies are in the files of these groups."""
    sql = "SELECT count(*) FROM daily_places WHERE user = ? AND points IS NOT NULL"
    return [(await bot.rows(one, sql, bot.user("anna").id))[0][0] for one in numbers]


async def has_result(bot: TwoGroups, number: int, *, is_told: bool) -> None:
    """Give a group's file a result of Anna's on a server of group 1, of today."""
    running, guild, anna = bot.app(number).running, bot.channels[1].guild, bot.user("anna").id
    assert running is not None
    assert guild is not None
    day = running.daily.secrets.today
    sql = """
        INSERT INTO daily_places (guild, day, game, user, name, points, presses, away)
        VALUES (?, ?, 'ligretto', ?, 'Anna', 1, 1, ?)
    """
    await bot.app(number).writer.write([(sql, (guild.id, day, anna, int(not is_told)))])


async def test_a_result_that_another_group_still_tells_does_not_come_back(bot: TwoGroups) -> None:
    """Her day is group 2's, played on a server of group 1. She plays in group 2, so it waits."""
    await bot.start()
    user = bot.user("anna")
    await Alone(bot.discord, user, bot.channels[2]).begin()
    there = Alone(bot.discord, user, bot.channels[1])
    await there.begin()
    await there.finish()

    async def is_placed() -> bool:
        return await places(bot, 1) == [1]

    await bot.until(is_placed)
    await Player(bot.discord, user, bot.channels[2]).open()
    await bot.stop(2)
    assert "shards 1" in await asks(bot, 1)
    await bot.start(2)
    assert await places(bot, 1) == [0]

    await there.begin()  # she looks at her finished deal, and so at the leaderboard
    assert await places(bot, 1) == [0]
    await bot.app(2).writer.write([("UPDATE daily_places SET away = 1", ())])
    await asyncio.sleep(AGAIN + 10)  # told again, as if nobody had taken it
    assert await places(bot, 1) == [0]
    (table,) = bot.app(2).tables.index
    await bot.app(2).tables.close(table, "table.closed.moderator")
    await ends(bot, 1)
    assert await places(bot, 1, 2) == [0, 0]


async def test_a_result_that_came_back_is_forgotten_while_a_group_is_down(bot: TwoGroups) -> None:
    """It was told while nobody here knew of the order. When that is over, she is like anyone."""
    await bot.start()
    await bot.stop(2)
    assert "shards 1" in await asks(bot, 1)
    await has_result(bot, 1, is_told=True)
    await asyncio.sleep(AGAIN + 10)
    assert await places(bot, 1) == [0]
    await bot.start(2)
    await ends(bot, 1)
    await asyncio.sleep(3 * AGAIN)
    await has_result(bot, 2, is_told=False)
    await asyncio.sleep(AGAIN + 10)
    assert await places(bot, 1) == [1]
