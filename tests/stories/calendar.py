"""A server's calendar in a story: dates of a time zone, and matches that were played on them."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ids import GuildId, UserId
from bot.records.results import MatchResult
from tests.loopback.players import Player
from tests.simulate.loop import VirtualLoop
from tests.store.conftest import opened
from tests.store.matches import match, play
from tests.stories.world import Message, World, at_rest

BERLIN = "Europe/Berlin"


def at(date: str, zone: str = BERLIN) -> int:
    """Unix ms of a date in a time zone, such as `2026-11-30 23:59`; the first if there are two."""
    return int(datetime.fromisoformat(date).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def until(date: str, zone: str = BERLIN) -> None:
    """Let time pass in which no process runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    ahead = at(date, zone) / 1000 - loop.wall()
    assert ahead >= 0, "time doesn't go back"
    loop.stand_still(ahead)


@asynccontextmanager
async def been_there(folder: Path) -> AsyncIterator[World]:
    """A world whose bot has been there once, and is away."""
    async with at_rest(folder) as one:
        await one.start()
        _ = await one.bot.stop()
        yield one


async def woken(world: World, date: str, zone: str = BERLIN) -> None:
    """Have the bot away until a date, and start it then."""
    if world.bot.is_running:
        _ = await world.bot.stop()
    until(date, zone)
    await world.start()
    await asyncio.sleep(30)


def beats(
    world: World, winner: Player, loser: Player, date: str, zone: str = BERLIN, game: str = "dice"
) -> MatchResult:
    """A match of two people that ended on a date, 9 points to 5."""
    return scored(world, {winner: 9, loser: 5}, date, zone, game)


def scored(
    world: World, points: Mapping[Player, int], date: str, zone: str = BERLIN, game: str = "dice"
) -> MatchResult:
    """A match that ended on a date with these points."""
    users: dict[UserId | None, int] = {UserId(one.user.id): n for one, n in points.items()}
    names = {UserId(one.user.id): one.user.name.title() for one in points}
    return match(users, at=at(date, zone), guild=home(world), game=game, names=names)


async def played(world: World, matches: Iterable[MatchResult]) -> list[int]:
    """Write matches into the records while the bot is away. Return their numbers."""
    async with opened(world.bot.database) as store:
        return [await play(store, one) for one in matches]


def wants(world: World, zone: str = BERLIN, day: int | None = None, hour: int = 18) -> None:
    """Have the server's manager choose the first channel for posts."""
    world.change(
        "REPLACE INTO settings (guild, time_zone, posts_in, digest_day, digest_hour) "
        "VALUES (?, ?, ?, ?, ?)",
        *(home(world), zone, world.channel.id, day, hour),
    )


def manages(world: World, person: Player) -> None:
    """Let somebody own the server, which the bot hears of when it next starts."""
    assert world.channel.guild is not None
    world.channel.guild.owner = person.user


def home(world: World) -> GuildId:
    assert world.channel.guild is not None
    return GuildId(world.channel.guild.id)


def posts(world: World, words: str = "Season") -> list[Message]:
    """The messages of the first channel that have these words."""
    return [one for one in world.server.public(world.channel) if words in one.text]
