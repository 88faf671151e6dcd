"""Times every query, on the biggest server, on one a tenth of it, and on a few others."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeAlias

import aiosqlite

from bot.bench.data import BIG, MONTH, NOW, TENTH, ZONE, Size, build, user_of
from bot.bench.moves import held
from bot.bench.plans import scans, statements
from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.ops.progress_bar import shown
from bot.records.archive import Archive
from bot.records.models import LISTED, Order, Wanted
from bot.records.periods import Bounds, Period, bounds
from bot.records.seasons.season import season_at
from bot.store.database.file import connect, connect_read_only
from bot.store.database.writer import Writer
from bot.store.records.archive import SqliteArchive
from bot.store.records.recomputing import recompute
from bot.tasks import OwnedTasks

LIMIT = 50.0
RUNS = 5
WEEK = Bounds(NOW - 7 * 24 * 3600 * 1000, NOW)
_LAST = season_at(NOW - MONTH, ZONE)
SEASON = Bounds(_LAST.began, _LAST.ends(ZONE))
Ask: TypeAlias = Callable[[], Awaitable[object]]


def run(path: Path, size: Size, say: Callable[[str], object]) -> int:
    """Print a table of times in ms. Return 1 when a query takes longer than the limit, else 0.

    It builds outside of an event loop, which would keep Ctrl-C waiting for the end.
    """
    asyncio.run(_create(path))
    _build(path, size, say)
    return asyncio.run(_measure(path, size, say))


async def _create(path: Path) -> None:
    await (await connect(path)).close()


async def _measure(path: Path, size: Size, say: Callable[[str], object]) -> int:
    db, queries = await connect(path), await connect_read_only(path)
    tasks, writer = OwnedTasks(), Writer(db, SystemClock())
    tasks(writer.run(), name="writer")
    try:
        archive = SqliteArchive(queries, writer)
        slow = await _times(archive, size, say)
        slow += _told(await held(archive, db, queries, writer), say)
        found = await scans(db)
        await _recalculated(db, say)
    finally:
        await writer.stop()
        await tasks.stop()
        await queries.close()
        await db.close()
    say(f"\n{len(statements())} statements, {len(found)} read a big table from end to end\n")
    for sql in found:
        say(f"  {' '.join(sql.split())}\n")
    if slow:
        say(f"\nslower than {LIMIT:.0f} ms: {', '.join(slow)}\n")
    _weigh(say)
    return 1 if slow or found else 0


async def _recalculated(db: aiosqlite.Connection, say: Callable[[str], object]) -> None:
    began = time.perf_counter()
    with shown("ratings") as progress:
        matches = await recompute(db, progress)
    took = time.perf_counter() - began
    say(f"\nevery rating recalculated, {matches:,} matches: {took:.0f} s\n")


def _told(waits: Sequence[float], say: Callable[[str], object]) -> list[str]:
    """Print how long moves waited, in ms. Return them if they are too slow."""
    say(f"\n{len(waits):,} moves while the oldest match is voided and ratings follow: ")
    if not waits:
        say("over before the first\n")
        return []
    say(f"median {median(waits):.2f} ms, worst {max(waits):.2f} ms\n")
    return ["moves meanwhile"] if max(waits) > LIMIT else []


def _build(path: Path, size: Size, say: Callable[[str], object]) -> None:
    began = time.perf_counter()
    with shown("building") as progress:
        seats = build(path, size, progress)
    say(f"{seats:,} seats in {size.servers:,} servers, ")
    say(f"built in {time.perf_counter() - began:.0f} s\n\n")


def _weigh(say: Callable[[str], object]) -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 POSIX alone has it

        say(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB\n")


async def _times(archive: Archive, size: Size, say: Callable[[str], object]) -> list[str]:
    """Print the table. Return the names of the queries that are too slow."""
    other = max(2, size.servers // 4)
    guilds = [BIG, TENTH, *range(TENTH + 1, BIG + size.servers, other)]
    columns = ("biggest server", "a tenth of it", "others")
    say(f"{'ms of processor time':30}{''.join(f' {name:>20}' for name in columns)}\n{'':30}")
    say(f" {'median':>10}{'worst':>10}" * len(columns) + "\n")
    slow: list[str] = []
    asked = {
        guild: dict(_queries(archive, guild, await _newest(archive, guild))) for guild in guilds
    }
    for name in asked[BIG]:
        big, tenth, *rest = [[await _time(asked[g][name]) for _ in range(RUNS)] for g in guilds]
        timed = (big, tenth, [one for times in rest for one in times])
        say(f"{name:30}{''.join(f' {median(ms):10.2f}{max(ms):10.2f}' for ms in timed)}\n")
        if max(map(max, timed)) > LIMIT:
            slow.append(name)
    for name, change in _changes(archive, await _newest(archive, BIG), await _oldest(archive)):
        say(f"{name:30} {await _time(change):10.2f}\n")
    return slow


async def _newest(archive: Archive, guild: GuildId) -> int:
    return (await archive.history(guild, 0)).matches[0].number


async def _oldest(archive: Archive) -> int:
    return (await archive.history(BIG, 10**6)).matches[-1].number


async def _time(ask: Ask) -> float:
    """Return the ms of processor time that an answer takes, SQLite's thread included."""
    before = time.process_time()
    await ask()
    return (time.process_time() - before) * 1000


def _queries(archive: Archive, guild: GuildId, number: int) -> Iterator[tuple[str, Ask]]:
    user, other = user_of(guild, 3), user_of(guild, 4)
    for period in Period:
        within = bounds(period, NOW - 1, ZONE)
        for order in Order:
            wanted = Wanted(guild, "ligretto", order, within)
            yield f"leaderboard {period} {order}", partial(archive.leaderboard, wanted, user)
    last = Wanted(guild, "ligretto", Order.WINS, None, 10**6)
    yield "leaderboard, last page", lambda: archive.leaderboard(last, user)
    past = Wanted(guild, "ligretto", Order.SEASON, SEASON)
    yield "leaderboard of a past season", lambda: archive.leaderboard(past, user)
    yield "season's matches", lambda: archive.seasons.played(guild, SEASON)
    yield "week", lambda: archive.week(guild, WEEK)
    yield from _of_person(archive, guild, user, other)
    yield "server records", lambda: archive.server_records(guild, "ligretto", "standard")
    yield "records a match has broken", lambda: archive.fallen_records(guild, number)
    yield "bests before a match", lambda: archive.bests_before(guild, number)
    yield "game played last", lambda: archive.latest_game(guild)
    yield "history, first page", lambda: archive.history(guild, 0)
    yield "history, last page", lambda: archive.history(guild, 10**6)
    yield "matches to choose from", lambda: archive.listed(guild, LISTED)
    yield "match with rounds", lambda: archive.match(guild, number)
    yield "log", lambda: archive.match_log(guild, number, "?")
    yield "settings", lambda: archive.settings(guild)
    yield "moderation", lambda: archive.moderated(guild, 20)


def _of_person(
    archive: Archive, guild: GuildId, user: UserId, other: UserId
) -> Iterator[tuple[str, Ask]]:
    """Yield the queries of a person's card and its buttons."""
    yield "stats", lambda: archive.stats(guild, user, "ligretto")
    yield "rating over time", lambda: archive.rating_history(guild, user, "ligretto")
    yield "place among all", lambda: archive.place(guild, user, "ligretto")
    yield "favourite rival", lambda: archive.favourite_rival(guild, user, "ligretto")
    yield "best moment", lambda: archive.highlight(guild, user, "ligretto")
    yield "personal bests", lambda: archive.personal_bests(guild, user, "ligretto")
    yield "badges", lambda: archive.badges(guild, user)
    yield "two rivals", lambda: archive.rivalry(guild, user, other, "ligretto")


def _changes(archive: Archive, newest: int, oldest: int) -> Iterator[tuple[str, Ask]]:
    """Yield changes that happen now and then. Each is timed once, since it changes something."""
    voided = partial(archive.void, BIG, moderator=UserId(1), at=NOW)
    yield "void the newest match", lambda: voided(newest)
    yield "void the oldest match", lambda: voided(oldest)
    yield "export", lambda: archive.export(user_of(BIG, 3))
    yield "forget", lambda: archive.forget(user_of(BIG, 3))
    yield "purge of old logs", lambda: archive.purge(1, NOW)
    yield "delete a server, in all", lambda: archive.delete(GuildId(TENTH + 1))
