"""A server's month ends: its champions are kept, and told once where a manager wants it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.fakediscord import Channel, Guild
from bot.ids import GuildId, UserId
from tests.loopback.players import Player, labels
from tests.store.matches import match
from tests.stories.calendar import (
    BERLIN,
    at,
    beats,
    been_there,
    home,
    manages,
    played,
    posts,
    until,
    wants,
    woken,
)
from tests.stories.moderating import confirmed
from tests.stories.world import World, given

MINUTE = 60


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world whose bot has been there once, and is away."""
    async with been_there(tmp_path) as one:
        sql = "INSERT INTO settings (guild, time_zone) VALUES (?, ?)"
        one.change(sql, home(one), BERLIN)
        yield one


@pytest.fixture
def people(world: World) -> tuple[Player, Player]:
    return world.person("anna"), world.person("ben")


def kept(world: World, game: str = "dice") -> list[tuple[str, str | None]]:
    """Every champion that is kept, by month."""
    sql = (
        "SELECT c.month, p.name FROM champions c JOIN players p ON p.id = c.player "
        "WHERE c.game = ? ORDER BY c.month, p.name"
    )
    return world.rows(sql, game)


async def asked(world: World, person: Player, name: str, **options: object) -> str:
    """Everything that the answer to a command says."""
    answer = await world.server.slash(person.user, world.channel, name, options).wait()
    await asyncio.sleep(3)
    given(answer.original is not None, "the command is answered")
    assert answer.original is not None
    return answer.original.text


async def test_a_season_ends_with_its_champions_in_one_message(
    world: World, people: tuple[Player, Player]
) -> None:
    """The last month with daylight saving time ends an hour after it: 25 hours have that day."""
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, ben, anna, "2027-09-30 23:59"),
            beats(world, anna, ben, "2027-10-01 00:00"),
            beats(world, anna, ben, "2027-10-31 23:59"),
            beats(world, ben, anna, "2027-11-01 00:00"),
            beats(world, ben, anna, "2027-10-15 12:00", game="ligretto"),
        ],
    )
    wants(world)
    await woken(world, "2027-10-31 23:58")
    given(not posts(world), "nothing is told before the month is over")
    await asyncio.sleep(2 * MINUTE)
    assert not posts(world), "the last match may still be on its way to the disk"
    await asyncio.sleep(2 * MINUTE)
    (post,) = posts(world)
    assert "Season October 2027" in post.text
    assert "Ligretto Dice: **Anna** · 2 won" in post.text
    assert "Ligretto: **Ben** · 1 won" in post.text
    assert not post.pings
    assert kept(world) == [("2027-09", "Ben"), ("2027-10", "Anna")]
    assert world.rows("SELECT month, ended FROM seasons WHERE month = '2027-10'") == [
        ("2027-10", at("2027-11-01 00:00"))
    ]
    await asyncio.sleep(30 * MINUTE)
    assert len(posts(world)) == 1
    _ = await world.server.click(anna.user, post, label="Ligretto Dice").wait()
    await asyncio.sleep(2)
    assert "October 2027" in world.server.panels(anna.user, world.channel)[-1].text


async def test_champions_wear_their_mark_until_the_next_season_ends(
    world: World, people: tuple[Player, Player]
) -> None:
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-30 23:59"),
            beats(world, ben, anna, "2026-12-01 00:00"),
        ],
    )
    await woken(world, "2026-12-01 00:05")
    board = await asked(world, anna, "leaderboard", season="2026-11", game="dice")
    assert "November 2026" in board
    assert "Anna 🏆" in board
    assert "Ben 🏆" not in board
    now = await asked(world, ben, "leaderboard", game="dice")
    assert "Anna 🏆" in now, "the champion of the last season wears the mark"
    assert "Anna 🏆" in await asked(world, ben, "stats", member=anna.user)
    await anna.open("dice")
    _ = await ben.press_public("Join")
    await asyncio.sleep(3)
    assert "Anna 🏆" in world.public.text
    assert "Ben 🏆" not in world.public.text


async def test_champions_are_kept_though_nothing_is_posted(
    world: World, people: tuple[Player, Player]
) -> None:
    """No manager has chosen a channel."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-12-31 20:00", "UTC")])
    await woken(world, "2027-01-01 00:05", "UTC")
    assert kept(world) == [("2026-12", "Anna")]
    assert not posts(world)
    assert "December 2026" in await asked(world, anna, "leaderboard", season="dec")
    for more in ({"order": "wins"}, {"period": "week"}):
        said = await asked(world, anna, "leaderboard", season="dec", **more)
        assert "Leave out period and order" in said, more
    assert "There’s no season Smarch here" in await asked(
        world, anna, "leaderboard", season="Smarch"
    )


async def test_nothing_is_posted_where_nobody_played(
    world: World, people: tuple[Player, Player]
) -> None:
    """Practice is nobody's season, and a void match is nobody's."""
    anna, ben = people
    (first, void) = await played(
        world,
        [
            beats(world, anna, ben, "2026-10-10 20:00"),
            beats(world, anna, ben, "2026-11-10 20:00"),
        ],
    )
    given(first < void, "they have numbers")
    world.change("UPDATE seats SET rated = 0 WHERE match_id = ?", void)
    world.change("UPDATE matches SET standing = 'void' WHERE id = ?", void)
    wants(world)
    await woken(world, "2026-12-01 00:05")
    assert not posts(world)
    assert kept(world) == [("2026-10", "Anna")]
    await anna.open("dice")
    await asyncio.sleep(3)
    assert "🏆" not in world.public.text, "a title ends with the next season"


@pytest.mark.parametrize("answered", [False, True])
async def test_a_kill_in_the_minute_of_the_post_posts_it_once(
    world: World, people: tuple[Player, Player], *, answered: bool
) -> None:
    """The post is under way: Discord has it, or never got it."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-10 20:00")])
    wants(world)
    held = asyncio.Event()
    fault = world.server.fault(
        f"POST .*/channels/{world.channel.id}/messages",
        hold=held,
        when="after" if answered else "before",
    )
    await woken(world, "2026-12-01 00:05")
    given(fault.reached.is_set(), "the post is on its way")
    given(len(posts(world)) == answered, "it is there, or not")
    world.bot.kill()
    world.server.faults.clear()
    held.set()
    await world.start()
    await asyncio.sleep(5 * MINUTE)
    assert len(posts(world)) == 1
    assert world.rows("SELECT what, period, outcome FROM posts") == [
        ("season", "2026-11", "posted")
    ]


@pytest.mark.parametrize("answered", [False, True])
async def test_a_post_is_found_after_its_nonce_is_forgotten(
    world: World, people: tuple[Player, Player], *, answered: bool
) -> None:
    """The process was dead for an hour: Discord would post the same nonce once more."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-10 20:00")])
    wants(world)
    fault = world.server.fault(
        f"POST .*/channels/{world.channel.id}/messages",
        hold=asyncio.Event(),
        when="after" if answered else "before",
    )
    await woken(world, "2026-12-01 00:05")
    given(fault.reached.is_set(), "the post is on its way")
    world.bot.kill()
    world.server.faults.clear()
    until("2026-12-01 01:30")
    await world.start()
    await asyncio.sleep(5 * MINUTE)
    assert len(posts(world)) == 1


@pytest.mark.parametrize("refused", [False, True])
async def test_a_lost_post_that_cannot_be_looked_for_is_not_sent_again(
    world: World, people: tuple[Player, Player], *, refused: bool
) -> None:
    """The bot may not read the channel's history: a post may be missing, and none comes twice.

    Discord refuses the list, or says that there is no message.
    """
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-10 20:00")])
    wants(world)
    path = f".*/channels/{world.channel.id}/messages"
    fault = world.server.fault(f"POST {path}", hold=asyncio.Event())
    await woken(world, "2026-12-01 00:05")
    given(fault.reached.is_set(), "the post is on its way")
    world.bot.kill()
    world.server.faults.clear()
    if refused:
        world.server.fault(f"GET {path}", status=403, code=50001)
    else:
        world.server.deny(world.channel, "read_message_history")
    until("2026-12-01 01:30")
    await world.start()
    await asyncio.sleep(5 * MINUTE)
    assert len(posts(world)) == 0
    assert world.rows("SELECT outcome FROM posts") == [("posted",)]


async def test_a_server_that_moves_west_lengthens_its_season(
    world: World, people: tuple[Player, Player]
) -> None:
    """Its season ends with the month of the zone that it has then. No moment is in two seasons."""
    anna, ben = people
    auckland, los_angeles = "Pacific/Auckland", "America/Los_Angeles"
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-10 20:00", auckland),
            beats(world, ben, anna, "2026-12-01 00:30", auckland),
        ],
    )
    wants(world, auckland)
    await woken(world, "2026-12-01 01:00", auckland)
    given(kept(world) == [("2026-11", "Anna")], "November is over in Auckland")
    _ = await world.bot.stop()
    wants(world, los_angeles)
    await woken(world, "2026-12-01 00:10", los_angeles)
    assert kept(world) == [("2026-11", "Anna")], "November ends once"
    board = await asked(world, anna, "leaderboard", period="month", game="dice")
    assert "won 0 of 1 match" in board, "she won in November, which Los Angeles still has"
    await woken(world, "2027-01-01 00:10", los_angeles)
    assert kept(world) == [("2026-11", "Anna"), ("2026-12", "Ben")]
    assert world.rows("SELECT began, ended FROM seasons ORDER BY month") == [
        (at("2026-11-01 00:00", auckland), at("2026-12-01 00:00", auckland)),
        (at("2026-12-01 00:00", auckland), at("2027-01-01 00:00", los_angeles)),
    ]


async def test_a_first_season_stays_as_it_began_when_the_zone_changes(
    world: World, people: tuple[Player, Player]
) -> None:
    """Its first match was on 1 November in Auckland, where Los Angeles still had October."""
    anna, ben = people
    auckland, los_angeles = "Pacific/Auckland", "America/Los_Angeles"
    _ = await played(world, [beats(world, anna, ben, "2026-11-01 00:30", auckland)])
    wants(world, auckland)
    await woken(world, "2026-11-10 12:00", auckland)
    _ = await world.bot.stop()
    wants(world, los_angeles)
    await woken(world, "2026-11-20 12:00", los_angeles)
    assert "Anna" in await asked(world, ben, "leaderboard", period="month", game="dice")
    await woken(world, "2026-12-01 00:05", los_angeles)
    assert kept(world) == [("2026-11", "Anna")]


async def test_after_two_months_away_each_is_closed_and_only_the_last_told(
    world: World, people: tuple[Player, Player]
) -> None:
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-10-10 20:00"),
            beats(world, ben, anna, "2026-11-10 20:00"),
            beats(world, anna, ben, "2026-12-10 20:00"),
        ],
    )
    wants(world)
    await woken(world, "2027-01-02 09:00")
    assert kept(world) == [("2026-10", "Anna"), ("2026-11", "Ben"), ("2026-12", "Anna")]
    assert [one.text.splitlines()[0] for one in posts(world)] == ["## Season December 2026"]


async def test_what_is_old_news_is_not_told(world: World, people: tuple[Player, Player]) -> None:
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-10-10 20:00")])
    wants(world)
    await woken(world, "2026-11-05 09:00")
    assert kept(world) == [("2026-10", "Anna")]
    assert not posts(world)


async def test_a_forbidden_channel_is_told_in_settings_and_in_one_line_of_the_log(
    world: World, people: tuple[Player, Player]
) -> None:
    """The manager picks another channel, and what was refused is posted there."""
    anna, ben = people
    _ = await played(world, [beats(world, anna, ben, "2026-11-10 20:00")])
    wants(world)
    manages(world, anna)
    world.server.deny(world.channel, "view_channel", "send_messages")
    await woken(world, "2026-12-01 00:05")
    await asyncio.sleep(30 * MINUTE)
    said = [line for line in world.said(logging.WARNING) if "not posted" in line]
    assert len(said) == 1
    assert str(world.channel.id) in said[0]
    other = world.server.add_channel(world.channel.guild, "news")  # type: ignore[arg-type]
    answer = await world.server.slash(anna.user, other, "settings").wait()
    page = answer.original
    assert page is not None
    _ = await world.server.click(anna.user, page, label="Posts").wait()
    assert f"<#{world.channel.id}>" in page.text
    assert "❌" in page.text
    _ = await world.server.select(anna.user, page, "lr1:settings:posts_in", [other]).wait()
    assert "❌" not in page.text
    await asyncio.sleep(MINUTE)
    (post,) = world.server.public(other)
    assert "Season November 2026" in post.text


async def test_a_void_match_takes_its_title_with_it(
    world: World, people: tuple[Player, Player]
) -> None:
    """The post stays as it is: it says what was known then."""
    anna, ben = people
    first, second, _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-10 20:00"),
            beats(world, anna, ben, "2026-11-11 20:00"),
            beats(world, ben, anna, "2026-11-12 20:00"),
        ],
    )
    manages(world, anna)
    await woken(world, "2026-12-01 00:05")
    given(kept(world) == [("2026-11", "Anna")], "Anna has won November")
    for number in (first, second):
        answer = await confirmed(world, anna.user, "moderate void", match=str(number))
        assert "champions no longer include it" in answer
    assert kept(world) == [("2026-11", "Ben")]
    await ben.open("dice")
    await asyncio.sleep(3)
    assert "Ben 🏆" in world.public.text


async def test_a_forgotten_champion_has_no_name_and_nobody_else_changes(
    world: World, people: tuple[Player, Player]
) -> None:
    anna, ben = people
    _ = await played(
        world,
        [
            beats(world, anna, ben, "2026-11-10 20:00"),
            beats(world, ben, anna, "2026-11-11 20:00", game="ligretto"),
        ],
    )
    await woken(world, "2026-12-01 00:05")
    answer = await world.server.slash(anna.user, world.channel, "privacy").wait()
    privacy = answer.original
    assert privacy is not None
    assert "seasons you won" in privacy.text
    for label in ("Delete my data", "Yes, delete it"):
        given(label in labels(privacy), "it is offered")
        _ = await world.server.click(anna.user, privacy, label=label).wait()
    assert kept(world) == [("2026-11", None)]
    assert kept(world, "ligretto") == [("2026-11", "Ben")]
    board = await asked(world, ben, "leaderboard", season="2026-11", game="dice")
    assert "Anna" not in board
    assert "🏆" in board
    await anna.open("dice")
    await asyncio.sleep(3)
    assert "Anna 🏆" not in world.public.text, "whoever plays again is somebody new"


async def test_a_post_that_discord_loses_comes_later_and_holds_up_no_other(
    world: World, people: tuple[Player, Player]
) -> None:
    """Discord fails in the channels of four servers for half an hour."""
    guilds = await _playing(world, people, 10)
    faults = [
        world.server.fault(f"POST .*/channels/{_first(guild).id}/messages", status=503)
        for guild in guilds[:4]
    ]
    await woken(world, "2026-12-01 00:00")
    await asyncio.sleep(30 * MINUTE)
    assert max(fault.hits for fault in faults) < 50, "it is asked less and less often"
    assert [len(world.server.public(_first(one))) for one in guilds] == [0] * 4 + [1] * 6
    world.server.faults.clear()
    await asyncio.sleep(12 * MINUTE)
    assert [len(world.server.public(_first(one))) for one in guilds] == [1] * 10


async def test_many_servers_end_their_month_and_tables_go_on(
    world: World, people: tuple[Player, Player]
) -> None:
    """They are told one after the other, at most two a second, so that tables go first."""
    guilds = await _playing(world, people, 60)
    await woken(world, "2026-12-01 00:00")

    def told() -> int:
        return sum(len(world.server.public(_first(guild))) for guild in guilds)

    await world.server.wait_for(told, 3 * MINUTE)
    await asyncio.sleep(5)
    assert told() < 12
    await world.person("cleo").open("dice")
    assert "Cleo" in world.public.text, "a table doesn't wait for them"
    await asyncio.sleep(2 * MINUTE)
    assert all(len(world.server.public(_first(guild))) == 1 for guild in guilds)


async def _playing(world: World, people: tuple[Player, Player], number: int) -> list[Guild]:
    """Servers that have played a match in November and want it told."""
    anna, ben = people
    guilds = [world.server.add_guild(f"guild {n}") for n in range(number)]
    users: dict[UserId | None, int] = {UserId(anna.user.id): 9, UserId(ben.user.id): 5}
    there = [GuildId(one.id) for one in guilds]
    noon = at("2026-11-10 12:00")
    _ = await played(world, [match(users, at=noon, guild=one, game="dice") for one in there])
    for guild in guilds:
        world.change(
            "INSERT INTO settings (guild, time_zone, posts_in) VALUES (?, ?, ?)",
            *(guild.id, BERLIN, next(iter(guild.channels.values())).id),
        )
    return guilds


def _first(guild: Guild) -> Channel:
    return next(iter(guild.channels.values()))
