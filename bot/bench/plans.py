"""SQLite's query plans for every statement of the store: none may scan a big table."""

import re
from types import ModuleType

import aiosqlite

from bot.records.models import Order
from bot.store.database.query import rows
from bot.store.feats import backfill, card_queries, entries, queries, stored_rounds
from bot.store.leaderboards import counted, filling, kept, standings
from bot.store.people import guilds, privacy, settings
from bot.store.records import (
    history,
    leaderboards,
    moderation,
    rated_round_backfill,
    recomputing,
    rerating,
    result_writing,
    rewriting,
    stored_ratings,
)
from bot.store.seasons import digests, posts, seasons
from bot.store.tables import journal, message_refs

MODULES = (
    leaderboards,
    digests,
    posts,
    seasons,
    guilds,
    history,
    journal,
    rated_round_backfill,
    moderation,
    message_refs,
    privacy,
    stored_ratings,
    recomputing,
    rerating,
    rewriting,
    kept,
    counted,
    filling,
    standings,
    result_writing,
    settings,
    backfill,
    entries,
    card_queries,
    queries,
    stored_rounds,
)
BIG = {
    "matches",
    "rounds",
    "seats",
    "players",
    "ratings",
    "logs",
    "moderation",
    "journal",
    "champions",
    "feats",
    "badges",
    "rivals",
    "counts",
    "standings",
}
# The operator's command counts and reads every match, but only while the bot is stopped. A start
# reads the whole journal, which holds only the lines of open tables.
BY_DESIGN = {recomputing._GAMES, recomputing._STEPS, journal._OPEN}  # noqa: SLF001 named to exclude them
_STATEMENT = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b")
_SCAN = re.compile(r"SCAN (\w+)")
_ALIAS = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)\s+(?:AS\s+)?(\w)\b")
_NAMED = re.compile(r":(\w+)")


def statements() -> list[str]:
    """Return every statement in the store's modules, except those that scan by design."""
    found = [sql for module in MODULES for sql in _of(module)]
    found += [leaderboard_sql for order in Order for leaderboard_sql in _leaderboards(order)]
    return sorted(set(found) - BY_DESIGN)


async def scans(db: aiosqlite.Connection) -> list[str]:
    """Return the statements that scan a big table, or one of its indexes, from end to end."""
    return [sql for sql in statements() if not BIG.isdisjoint(await _scanned(db, sql))]


async def _scanned(db: aiosqlite.Connection, sql: str) -> set[str]:
    names = _NAMED.findall(sql)
    values = dict.fromkeys(names) if names else (None,) * sql.count("?")
    plan = await rows(db, f"EXPLAIN QUERY PLAN {sql}", values)
    aliases = {alias: table for table, alias in _ALIAS.findall(sql)}
    found = [str(name) for *_, step in plan for name in _SCAN.findall(step)]
    return {aliases.get(name, name) for name in found}


def _of(module: ModuleType) -> list[str]:
    values = vars(module).values()
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    return [
        one for one in flat if isinstance(one, str) and _STATEMENT.match(one) and "{" not in one
    ]


def _leaderboards(order: Order) -> list[str]:
    return [leaderboards.leaderboard_sql(order, period=period) for period in (False, True)]
