"""Databases of bots in many servers, and all that people can see in them."""

import asyncio
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bot.clock import SystemClock
from bot.daily.dates import DayNumber
from bot.groups.numbers import number
from bot.ids import ArenaId, GuildId, UserId
from bot.records.badges.badges import Badge
from bot.records.feats import variants
from bot.records.models import Order, Settings, Wanted
from bot.records.periods import Bounds
from bot.records.seasons.season import season_at
from bot.store.arenas.arenas import SqliteArenas
from bot.store.daily.daily import SqliteDaily
from bot.store.leaderboards.filling import LeaderboardFilling
from bot.store.people.newcomers import SqliteNewcomers
from bot.store.records.result_writing import Report, write
from bot.tables.arena import events as e
from bot.tables.arenas.journal import ArenaLine
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.state.events import Closed, Entry, Seated
from tests.store.conftest import Store, opened
from tests.store.lines import OPENED, line
from tests.store.matches import NOON, match
from tests.store.test_arenas import OPENED as ARENA_OPENED

Seen: TypeAlias = dict[str, Any]

SERVERS = tuple(GuildId((1_000 + 5 * n) << 22) for n in range(6))
PEOPLE = tuple(UserId(10**17 + n) for n in range(6))
MODERATOR = UserId(10**17 + 99)
GAMES = ("ligretto", "dice")
LOG = zlib.compress(b'{"e":"start","names":["0","1","2","3","4","5"]}\n')
DAY = DayNumber(20_833)
SEASON = season_at(NOON, "UTC")
WITHIN = Bounds(SEASON.began, SEASON.ends("UTC"))
_ROUND = "INSERT INTO daily_rounds VALUES (?, ?, 'dice', 1, 'a b ', 2, 9)"
OF_WHOLE_BOT = """
    INSERT INTO daily_chains VALUES (20000, 5000, x'aa', 20000);
    INSERT INTO daily_published VALUES (1, 20832);
    INSERT INTO daily_keys VALUES (20833, x'bb');
    INSERT INTO daily_marks VALUES (20833, 'dice', x'cc');
    INSERT INTO notes VALUES ('commands', 'abc');
    INSERT INTO used_groups VALUES (2), (5);
    INSERT INTO own_group VALUES (7, 3, 'somebody', 0);
"""


async def made(path: Path, luck: Random, servers: int = len(SERVERS), matches: int = 40) -> None:
    """A bot that has played in its servers, in groups of several numbers, and is stopped.

    Matches are voided, people forgotten, tables and arenas open; a season is over.
    """
    there = SERVERS[:servers]
    async with opened(path) as store:
        for n in range(matches):
            group = 0 if n < matches // 3 else luck.choice((2, 5))
            await _played(store, luck, luck.choice(there), group)
        await store.archive.forget(PEOPLE[-1])
        for guild in there:
            for one in (await store.archive.listed(guild, 100))[::5]:
                await store.archive.void(guild, one.number, moderator=MODERATOR, at=NOON)
        for n, guild in enumerate(there):
            await _settled(store, guild, n)
        for user in PEOPLE[::2]:
            await store.archive.read_plainly(user, plain=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(OF_WHOLE_BOT)
        for user in PEOPLE[:3]:
            db.execute(_ROUND, (user, DAY))
            where = (luck.choice(there), DAY, "dice", user, f"user {user}", 9, 2)
            db.execute("INSERT INTO daily_places VALUES (?, ?, ?, ?, ?, ?, ?, 0)", where)
        db.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'matches'")


async def _played(store: Store, luck: Random, guild: GuildId, group: int) -> None:
    who: list[UserId | None] = [*luck.sample(PEOPLE, luck.choice((1, 2, 3)))]
    standing = luck.choice((Standing.RATED, Standing.RATED, Standing.PRACTICE))
    if len(who) == 1:
        who, standing = [*who, None], Standing.PRACTICE
    found = match(
        {user: luck.randint(-20, 40) for user in who},
        standing=standing,
        game=luck.choice(GAMES),
        guild=guild,
        at=NOON + luck.randrange(10**6),
    )
    badges = {0: frozenset({luck.choice(tuple(Badge))})}
    log = LOG if luck.random() < 0.5 else None
    report = Report(found, log, badges if who[0] is not None else {})
    await store.writer.write([partial(write, report=report, group=group)])


async def _settled(store: Store, guild: GuildId, n: int) -> None:
    """Give a server settings, an open table, an arena, and a season that is over."""
    await store.archive.joined(guild, 5)
    await store.archive.set(guild, Settings(language="de", time_zone="UTC", keep_logs=n))
    await store.archive.seasons.open({guild: SEASON})
    await store.archive.seasons.close(guild, SEASON, WITHIN.end)
    table = number(1_000 + n, 5)
    opening = replace(OPENED, guild=guild)
    entries: tuple[Entry, ...] = (opening, Seated(UserId(1001), "Anna"))
    pressed = [line(table, seq, entry, 10**6 + 10 * n + seq) for seq, entry in enumerate(entries)]
    await store.journal.append(pressed, durable=True)
    over = number(2_000 + n, 5)
    await store.journal.append(
        [line(over, 0, opening), line(over, 1, Closed("table.closed.over"))], durable=True
    )
    await store.archive.closed(guild, over, moderator=MODERATOR, at=NOON)
    arena = ArenaId(number(n + 1, 2))
    begun = replace(ARENA_OPENED, guild=guild)
    lines = [
        ArenaLine(arena, 0, NOON, begun, 10**7 + n, 0, token="token"),
        ArenaLine(arena, 1, NOON, e.Joined(PEOPLE[0], "Anna")),
    ]
    await SqliteArenas(store.db, store.writer).append(lines, durable=True)


def seen(where: Callable[[GuildId], Path], servers: tuple[GuildId, ...] = SERVERS) -> Seen:
    """All that people can see in each server, in the database that has it."""
    found: Seen = {}
    for path in {where(guild) for guild in servers}:
        here = [guild for guild in servers if where(guild) == path]
        found |= asyncio.run(_seen_in(path, here))
    return found


async def _seen_in(path: Path, servers: list[GuildId]) -> Seen:
    async with opened(path) as store:
        await LeaderboardFilling(store.db, store.writer, SystemClock()).run()
        found: Seen = {str(guild): await _server(store, guild) for guild in servers}
        found["people"] = [await _person(store, user) for user in PEOPLE]
        tables = await store.journal.read_open()
        arenas = await SqliteArenas(store.db, store.writer).read_open()
        for guild in servers:
            found[f"tables of {guild}"] = [
                one
                for one in tables
                if one.lines[0].entry.guild == guild  # type: ignore[union-attr]
            ]
            found[f"arenas of {guild}"] = [
                one
                for one in arenas
                if one.lines[0].event.guild == guild  # type: ignore[union-attr]
            ]
    return found


async def _server(store: Store, guild: GuildId) -> Seen:
    archive, found = store.archive, Seen()
    for game in GAMES:
        for order in Order:
            for within in (None, WITHIN):
                for user in PEOPLE[:1]:
                    wanted = Wanted(guild, game, order, within)
                    key = f"{game} {order} {within} {user}"
                    found[key] = await archive.leaderboard(wanted, user)
        for user in PEOPLE:
            asked = (guild, user, game)
            found[f"{game} {user}"] = [
                await archive.stats(*asked),
                await archive.rating_history(*asked),
                await archive.place(*asked),
                await archive.personal_bests(*asked),
                await archive.favourite_rival(*asked),
                await archive.highlight(*asked),
                await archive.badges(guild, user),
                *[await archive.rivalry(guild, user, other, game) for other in PEOPLE[:2]],
            ]
        for variant in variants(game):
            found[f"{game} {variant}"] = await archive.server_records(guild, game, variant)
    listed = await archive.listed(guild, 300)
    found["history"] = [await archive.history(guild, page) for page in range(4)]
    found["matches"] = [
        (
            await archive.match(guild, one.number),
            await archive.match_log(guild, one.number, "?"),
            await archive.fallen_records(guild, one.number),
            await archive.bests_before(guild, one.number),
        )
        for one in listed
    ]
    found["listed"], found["week"] = listed, await archive.week(guild, WITHIN)
    found["settings"] = await archive.settings(guild)
    found["moderated"] = await archive.moderated(guild, 100)
    found["seasons"] = [
        await archive.seasons.months(guild),
        await archive.seasons.champions(guild),
        await archive.seasons.played(guild, WITHIN),
        await archive.seasons.open_season(guild),
    ]
    found["daily"] = await SqliteDaily(store.db, store.writer).recap(guild, DAY)
    return found


async def _person(store: Store, user: UserId) -> Seen:
    """What every file has of a person."""
    exported = await store.archive.export(user)
    firsts = await SqliteNewcomers(store.db, store.writer).firsts()
    return {
        "plain": exported["plain_text"],
        "daily": exported["daily"]["rounds"],
        "firsts": [one for one in firsts if one[0] == user],
    }


def differs(before: Seen, after: Seen) -> list[str]:
    """Name what looks different, briefly: all of it is long."""
    found: list[str] = []
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            found += [f"{key} {inner}" for inner in differs(one, other)]
        elif one != other:
            found.append(key)
    return found


def exports(paths: list[Path]) -> Any:
    """What people are given as their data, without ids that nobody else knows, by server."""
    return asyncio.run(_exports(paths))


async def _exports(paths: list[Path]) -> Any:
    found: dict[tuple[UserId, GuildId], Any] = {}
    for path in paths:
        async with opened(path) as store:
            for user in PEOPLE:
                for server in (await store.archive.export(user))["servers"]:
                    for one in (*server["matches"], *server["rivals"]):
                        one.pop("player", None)
                        one.pop("other", None)
                    assert (user, server["server"]) not in found, "a server is in one file"
                    found[user, server["server"]] = server
    return found


def dumped(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in an order of its own."""
    with closing(sqlite3.connect(path)) as db:
        names = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return {
            name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr)  # noqa: S608 our own
            for (name,) in names
        }
