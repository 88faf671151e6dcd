"""A choice of plain text that is made in one group holds in all of them."""

import asyncio

import pytest

from bot.ids import UserId
from tests.groups.people.bot import TwoGroups
from tests.simulate.valkey import Valkey
from tests.simulate.valkey.resp import CommandError, Reply
from tests.simulate.valkey.server import FULL


async def chooses(bot: TwoGroups, number: int, name: str = "anna") -> UserId:
    """Type /plain on a server of a group."""
    user = bot.user(name)
    answer = await bot.discord.slash(user, bot.channels[number], "plain").wait()
    assert answer.original is not None
    assert "Plain text is" in answer.original.text
    return UserId(user.id)


async def holds(bot: TwoGroups, user: UserId, *numbers: int, plain: bool = True) -> None:
    """Wait until these groups know a choice, and have it in their files."""
    for number in numbers:

        async def is_so(number: int = number) -> bool:
            found = await bot.rows(number, "SELECT plain FROM plain_text WHERE user = ?", user)
            return bot.is_plain(number, user) is plain and found == [(int(plain),)]

        await bot.until(is_so)


async def test_a_choice_holds_on_servers_of_another_group_at_once(bot: TwoGroups) -> None:
    await bot.start()
    anna = await chooses(bot, 1)
    await holds(bot, anna, 1, 2)
    await chooses(bot, 2)
    await holds(bot, anna, 1, 2, plain=False)


async def test_a_group_that_was_away_knows_before_it_takes_presses(bot: TwoGroups) -> None:
    await bot.start(1)
    anna = await chooses(bot, 1)
    await bot.start(2)
    assert bot.is_plain(2, anna)


async def test_an_emptied_valkey_is_filled_from_the_files(bot: TwoGroups) -> None:
    """Whoever knows a choice tells it again, even if nobody who hears it has it."""
    await bot.start(1)
    anna = await chooses(bot, 1)
    bot.server.kill()
    await bot.server.start()
    await bot.recorded(1)
    await bot.start(2)
    await holds(bot, anna, 1, 2)


async def test_without_valkey_a_choice_holds_here_and_elsewhere_later(bot: TwoGroups) -> None:
    await bot.start()
    bot.server.kill()
    anna = await chooses(bot, 2)
    await holds(bot, anna, 2)
    assert not bot.is_plain(1, anna)
    await bot.stop(2)
    await bot.server.start()
    await bot.start(2)
    await holds(bot, anna, 1, 2)


async def test_the_newest_of_two_choices_wins(bot: TwoGroups) -> None:
    """One is made while Valkey is away, by the clock. The later one counts, wherever it is told."""
    await bot.start()
    anna = await chooses(bot, 1)
    await holds(bot, anna, 1, 2)
    bot.server.kill()
    await chooses(bot, 2)
    await asyncio.sleep(3)  # Discord's time is known to within a second
    for _ in range(2):
        await chooses(bot, 1)
    assert (bot.is_plain(1, anna), bot.is_plain(2, anna)) == (True, False)
    await bot.server.start()
    await holds(bot, anna, 1, 2)


@pytest.mark.parametrize("kinds", [["plain"], ["plain", "plain filled"]])
async def test_a_choice_whose_news_got_lost_is_told_again(
    bot: TwoGroups, standin: Valkey, kinds: list[str]
) -> None:
    """Valkey takes the choice, and not its news. The others notice nothing of that."""
    await bot.start()
    lost = loses(standin, kinds)
    anna = await chooses(bot, 1)
    await holds(bot, anna, 1, 2)
    assert lost == kinds


def loses(standin: Valkey, kinds: list[str]) -> list[str]:
    """Refuse one piece of news of each kind, as if Valkey was full. Return those refused so far."""
    lost, run = list[str](), standin.run

    def refusing(words: list[bytes]) -> Reply:
        for kind in kinds:
            if kind not in lost and f'"kind":"{kind}"'.encode() in words[-1]:
                lost.append(kind)
                return CommandError(FULL)
        return run(words)

    standin.run = refusing  # type: ignore[method-assign]
    return lost
