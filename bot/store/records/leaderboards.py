"""Leaderboards, places, statistics and ratings over time."""

from dataclasses import replace

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.models import (
    PAGE,
    LeaderboardPage,
    LeaderboardRow,
    Order,
    Person,
    Place,
    RatedAt,
    Stats,
    Wanted,
    pages,
    streaks,
)
from bot.records.ratings import NEWCOMER, SURE, Shown, Skill, shown
from bot.store.database.query import Row, first, rows
from bot.store.leaderboards import standings
from bot.store.leaderboards.kept import has_few
from bot.store.records.stored_ratings import is_due

_KEYS = {
    Order.RATING: f"p.shown - iif(p.margin > {SURE}, p.margin, 0)",
    Order.WINS: "p.wins",
    Order.POINTS: "p.points",
    Order.SEASON: "p.wins DESC, p.points",
}
# {key}, {tie}, {index} and {period} come from this module only. The page is clamped in SQL, so
# that one statement returns the places, the page and the asking player's row.
LEADERBOARD = """
    WITH played AS (
        SELECT player, sum(1 - of_arena) AS matches, sum(won * (1 - of_arena)) AS wins,
               round(1.0 * sum(points) / max(1, sum(rounds)), 2) AS points
        FROM seats {index}
        WHERE guild = :guild AND game = :game AND rated = 1 AND player IS NOT NULL {period}
        GROUP BY player
    ), rated AS (
        SELECT played.*, coalesce(r.shown, :shown) AS shown, coalesce(r.margin, :margin) AS margin
        FROM played LEFT JOIN ratings r ON r.player = played.player AND r.game = :game
    ), ranked AS (
        SELECT p.player, p.shown, p.margin, p.matches, p.wins, p.points,
               rank() OVER (ORDER BY {key} DESC) AS place,
               row_number() OVER (ORDER BY {key} DESC, {tie} p.player) - 1 AS line,
               count(*) OVER () AS players
        FROM rated p
    )
    SELECT k.place, h.user, h.name, k.shown, k.margin, k.matches, k.wins, k.points, k.line,
           k.players
    FROM ranked k JOIN players h ON h.id = k.player
    WHERE k.line / :size = min(:page, (k.players - 1) / :size) OR h.user = :user
    ORDER BY k.line
"""
_PERIOD = "AND ended >= :start AND ended < :end"

STATS = """
    SELECT coalesce(sum(1 - of_arena), 0), sum(won * (1 - of_arena)), sum(points), sum(rounds),
           sum(laid), sum(lasted),
           sum(firsts), sum(firsts_ms), sum(lates), sum(lates_ms), min(worst)
    FROM seats WHERE player = ? AND game = ? AND rated = 1
"""
WON = """
    SELECT won FROM seats WHERE player = ? AND game = ? AND rated = 1 AND of_arena = 0
    ORDER BY match_id
"""
PRACTICE = """
    SELECT count(*) FROM feats WHERE player = ? AND game = ? AND category != 'ranked'
"""
RATED = """
    SELECT match_id, ended, mu, sigma FROM seats
    WHERE player = ? AND game = ? AND mu IS NOT NULL ORDER BY match_id
"""
_PLAYER = "SELECT id, name FROM players WHERE user = ? AND guild = ?"
_SHOWN = "SELECT shown, margin FROM ratings WHERE player = ? AND game = ?"
_NOBODY = Stats(Person(None, None), None, 0, 0, 0, *(None,) * 3, 0, None, 0, None, None, 0, 0)

MINUTE = 60_000


def leaderboard_sql(order: Order, *, period: bool) -> str:
    """Return the query. One of a period reads what was played in it, and nothing else."""
    index = "INDEXED BY seats_by_end" if period else ""
    tie = "p.points DESC," if order is Order.WINS else ""
    when = _PERIOD if period else ""
    return LEADERBOARD.format(key=_KEYS[order], tie=tie, period=when, index=index)


async def leaderboard(db: aiosqlite.Connection, wanted: Wanted, user: UserId) -> LeaderboardPage:
    """Return a page of a leaderboard and the asking user's own row.

    A page past the end is clamped to the last one. It is read off a kept leaderboard. Without a
    complete one, what was played in its time is sorted, unless that is much: then it is missing.
    """
    found = await standings.page(db, wanted, user)
    if found is None and await has_few(db, wanted.guild, wanted.within):
        found = await _sorted(db, wanted, user)
    if found is None:
        return LeaderboardPage((), 0, 1, 0, None, is_missing=True)
    return replace(found, is_due=await is_due(db, wanted.guild, wanted.game))


async def _sorted(db: aiosqlite.Connection, wanted: Wanted, user: UserId) -> LeaderboardPage:
    page, within = max(0, wanted.page), wanted.within
    new = shown(NEWCOMER, wanted.game)
    values = {"guild": wanted.guild, "game": wanted.game, "size": PAGE, "page": page, "user": user}
    values |= {"shown": new.points, "margin": new.margin}
    if within is not None:
        values |= {"start": within.start, "end": within.end}
    found = await rows(db, leaderboard_sql(wanted.order, period=within is not None), values)
    if not found:
        return LeaderboardPage((), 0, 1, 0, None)
    players = found[0][-1]
    page = min(page, pages(players, PAGE) - 1)
    return LeaderboardPage(
        rows=tuple(_row(row) for row in found if row[-2] // PAGE == page),
        page=page,
        pages=pages(players, PAGE),
        players=players,
        own=next((_row(row) for row in found if row[1] == user), None),
    )


def _row(row: Row) -> LeaderboardRow:
    place, user, name, rating, margin, matches, wins, points, *_ = row
    return LeaderboardRow(place, Person(user, name), Shown(rating, margin), matches, wins, points)


async def place(db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str) -> Place | None:
    """Return a person's place by rating here; None without one, or while that isn't known."""
    if (kept := await standings.place(db, guild, user, game)) is not None:
        return kept
    found = await leaderboard(db, Wanted(guild, game, Order.RATING), user)
    return None if found.own is None else Place(found.own.place, found.players)


async def stats(db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str) -> Stats:
    """Return a player's statistics in one game; all zero or None for someone who never played."""
    player = await first(db, _PLAYER, (user, guild))
    if player is None:
        return replace(_NOBODY, person=Person(user, None))
    key, name = (player[0], game), player[1]
    totals = await first(db, STATS, key)
    practice = await first(db, PRACTICE, key)
    rating = await first(db, _SHOWN, key)
    assert totals is not None
    assert practice is not None
    matches, won, points, rounds, laid, lasted, firsts, firsts_ms, lates, lates_ms, worst = totals
    streak, best_streak = streaks(bool(one) for (one,) in await rows(db, WON, key))
    return Stats(
        person=Person(user, name),
        rating=Shown(*rating) if rating is not None else None,
        matches=matches,
        practice=practice[0],
        wins=won or 0,
        win_share=_share(won, matches),
        points=_share(points, rounds),
        laid=_share((laid or 0) * MINUTE, lasted),
        firsts=firsts or 0,
        firsts_ms=_share(firsts_ms, firsts),
        lates=lates or 0,
        lates_ms=_share(lates_ms, lates),
        worst=worst,
        streak=streak,
        best_streak=best_streak,
    )


def _share(part: int | None, whole: int | None) -> float | None:
    return (part or 0) / whole if whole else None


async def rating_history(
    db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str
) -> tuple[RatedAt, ...]:
    """Return the player's rating after each rated match, oldest first."""
    player = await first(db, _PLAYER, (user, guild))
    if player is None:
        return ()
    found = await rows(db, RATED, (player[0], game))
    return tuple(
        RatedAt(match, at, shown(Skill(mu, sigma), game)) for match, at, mu, sigma in found
    )
