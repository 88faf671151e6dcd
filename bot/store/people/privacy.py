"""A person's data: exporting all of it, and anonymising it."""

import json
from typing import Any

import aiosqlite

from bot.ids import UserId
from bot.store.daily import people as daily
from bot.store.database.query import Row, rows
from bot.tables.state.session import NAMELESS, NOBODY

PERSON = "SELECT id, guild, name FROM players WHERE user = ? ORDER BY guild"
RATINGS = "SELECT game, mu, sigma, shown, margin FROM ratings WHERE player = ?"
PLAYED = """
    SELECT m.number, m.id, m.game, m.began, m.ended, m.options, m.standing, s.*
    FROM seats s JOIN matches m ON m.id = s.match_id WHERE s.player = ? ORDER BY m.id
"""
ROUNDS = """
    SELECT m.number, r.round, r.lasted, r.plus ->> s.seat, r.minus ->> s.seat, r.laid ->> s.seat
    FROM seats s JOIN rounds r ON r.match_id = s.match_id JOIN matches m ON m.id = s.match_id
    WHERE s.player = ? ORDER BY r.match_id, r.round
"""
FEATS = """
    SELECT m.number, f.game, variant, category, won, points, stop, duel, come_back, streak
    FROM feats f JOIN matches m ON m.id = f.match_id WHERE player = ? ORDER BY match_id
"""
BADGES = """
    SELECT badge, m.number FROM badges b JOIN matches m ON m.id = b.match_id WHERE player = ?
    ORDER BY match_id, badge
"""
RIVALS = """
    SELECT game, other, matches, ahead, points, firsts, firsts_ms FROM rivals WHERE player = ?
    ORDER BY game, other
"""
TITLES = "SELECT month, game FROM champions WHERE player = ? ORDER BY month, game"
MODERATED = "SELECT guild, at, action, subject FROM moderation WHERE moderator = ? ORDER BY id"
# Journal lines of open tables (there are few) that can name a person.
AT_TABLES = """
    SELECT j.table_id, j.seq, j.at, j.kind, j.body FROM tables t JOIN journal j ON j.table_id = t.id
    WHERE t.closed = 0 AND j.kind IN ('Opened', 'Seated', 'Queued')
"""
IN_ARENAS = "SELECT arena, seq, at, kind, body FROM arena_journal ORDER BY arena, seq"
# Tokens have seconds; in an export every time is Unix ms.
ARENA_PANELS = """
    SELECT arena, message, CAST(born * 1000 AS INTEGER), locale FROM arena_panels WHERE user = ?
"""
PANELS = """
    SELECT table_id, message, CAST(born * 1000 AS INTEGER), locale FROM panels WHERE user = ?
"""
DIRECT = "SELECT table_id, channel, message, locale FROM direct_panels WHERE user = ?"
MENTIONED = "SELECT table_id, channel, message FROM mentions WHERE user = ?"
FIRST = "SELECT what, table_id FROM firsts WHERE user = ? ORDER BY what"
PLAIN = "SELECT 1 FROM plain_text WHERE user = ? AND plain = 1"
ORDERS = "SELECT at FROM orders WHERE user = ? ORDER BY at"

_FEAT = (
    *("match", "game", "variant", "category", "won", "points", "stop", "duel", "come_back"),
    "streak",
)
_RIVAL = ("game", "other", "matches", "ahead", "points", "firsts", "firsts_ms")

_SEATS = """
    SELECT j.table_id, j.seq, j.body, j.kind = 'Queued' OR
           EXISTS (SELECT 1 FROM journal o WHERE o.table_id = t.id AND o.kind = 'MatchEnded')
    FROM tables t JOIN journal j ON j.table_id = t.id
    WHERE t.closed = 0 AND j.kind IN ('Opened', 'Seated', 'Queued')
"""
# A record stays, as nobody's: the next best would gain by it.
_UNKNOWN = (
    """
    DELETE FROM rivals WHERE (player, game, other) IN (
        SELECT r.other, r.game, r.player FROM players p JOIN rivals r ON r.player = p.id
        WHERE p.user = ?)
    """,
    "DELETE FROM rivals WHERE player IN (SELECT id FROM players WHERE user = ?)",
    "DELETE FROM badges WHERE player IN (SELECT id FROM players WHERE user = ?)",
)
_FORGET = "UPDATE players SET user = NULL, name = NULL WHERE user = ?"
_MODERATOR = "UPDATE moderation SET moderator = NULL WHERE moderator = ?"
_IN_ARENA = "UPDATE arena_journal SET body = ? WHERE arena = ? AND seq = ?"
_BODY = "UPDATE journal SET body = ? WHERE table_id = ? AND seq = ?"


async def export(db: aiosqlite.Connection, user: UserId) -> dict[str, Any]:
    """Return everything stored under this person's id, as JSON-compatible values.

    Every time is Unix ms, and every length of time is in ms. A match is named by its number in
    its server.
    Match logs are left out: they hold seats and moves, no ids, and `/replay` sends them.
    """
    servers = [await _server(db, row) for row in await rows(db, PERSON, (user,))]
    tables = [row for row in await rows(db, AT_TABLES) if _is_about(json.loads(row[4]), user)]
    in_arenas = [
        row for row in await rows(db, IN_ARENAS) if _without(json.loads(row[4]), user) is not None
    ]
    return {
        "user": user,
        "servers": servers,
        "moderation": _dicts(
            ("server", "at", "action", "subject"), await rows(db, MODERATED, (user,))
        ),
        "tables": [{"table": table, "at": at, "what": kind} for table, _, at, kind, _ in tables],
        "panels": _dicts(("table", "message", "born", "locale"), await rows(db, PANELS, (user,))),
        "direct_panels": _dicts(
            ("table", "channel", "message", "locale"), await rows(db, DIRECT, (user,))
        ),
        "mentions": _dicts(("table", "channel", "message"), await rows(db, MENTIONED, (user,))),
        "arenas": [{"arena": arena, "at": at, "what": kind} for arena, _, at, kind, _ in in_arenas],
        "arena_panels": _dicts(
            ("arena", "message", "born", "locale"), await rows(db, ARENA_PANELS, (user,))
        ),
        "firsts": _dicts(("what", "table"), await rows(db, FIRST, (user,))),
        "plain_text": bool(await rows(db, PLAIN, (user,))),
        "deletions": _dicts(("at",), await rows(db, ORDERS, (user,))),
        "daily": await daily.export(db, user),
    }


async def forget(db: aiosqlite.Connection, user: UserId) -> None:
    """Anonymise a person everywhere, inside a transaction.

    Results, places, ratings and records stay, under a player without id and name; badges and rivals
    go, on both sides of these. A running match is
    played to its end, but no rematch seat is held for them. A running arena no longer knows them.
    If they play again, they are a new player. Idempotent.
    """
    for sql in _UNKNOWN:
        await db.execute(sql, (user,))
    await db.execute(_FORGET, (user,))
    await db.execute(_MODERATOR, (user,))
    await daily.forget(db, user)
    for own in ("panels", "direct_panels", "arena_panels", "mentions", "plain_text", "firsts"):
        await db.execute(f"DELETE FROM {own} WHERE user = ?", (user,))  # noqa: S608 our own names
    for table, seq, text, is_over in await rows(db, _SEATS):
        body = json.loads(text)
        less = _nameless(body, user) if is_over else _not_held(body, user)
        if less != body:
            await db.execute(_BODY, (json.dumps(less), table, seq))
    for arena, seq, _, __, text in await rows(db, IN_ARENAS):
        if (without := _without(json.loads(text), user)) is not None:
            await db.execute(_IN_ARENA, (json.dumps(without), arena, seq))


async def _server(db: aiosqlite.Connection, row: Row) -> dict[str, Any]:
    player, guild, name = row
    async with db.execute(PLAYED, (player,)) as cursor:
        names = [column[0] for column in cursor.description]
        played = [dict(zip(names, one, strict=True)) for one in await cursor.fetchall()]
    rounds = ("match", "round", "lasted", "plus", "minus", "laid")
    return {
        "server": guild,
        "name": name,
        "ratings": _dicts(
            ("game", "mu", "sigma", "shown", "margin"), await rows(db, RATINGS, (player,))
        ),
        "matches": played,
        "rounds": _dicts(rounds, await rows(db, ROUNDS, (player,))),
        "feats": _dicts(_FEAT, await rows(db, FEATS, (player,))),
        "badges": _dicts(("badge", "match"), await rows(db, BADGES, (player,))),
        "rivals": _dicts(_RIVAL, await rows(db, RIVALS, (player,))),
        "champion": _dicts(("month", "game"), await rows(db, TITLES, (player,))),
    }


def _dicts(names: tuple[str, ...], found: list[Row]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in found]


def _is_about(body: dict[str, Any], user: UserId) -> bool:
    held = any(one["user"] == user for one in body.get("held", ()))
    return held or user in (body.get("user"), body.get("host"))


def _nameless(body: dict[str, Any], user: UserId) -> dict[str, Any]:
    """Return the body of an event with this person's id and name removed."""
    if body.get("host") == user:
        body = {**body, "host": NOBODY}
    if body.get("user") == user:
        body = {**body, "user": NOBODY, "name": NAMELESS}
    return _not_held(body, user)


def _without(body: dict[str, Any], user: UserId) -> dict[str, Any] | None:
    """Return the body of an arena's event with `NOBODY` for this person; None if it has others."""
    text = json.dumps(body)
    less = json.loads(text, parse_int=lambda digits: NOBODY if digits == str(user) else int(digits))
    if less == body:
        return None
    return {**less, "name": NAMELESS} if "name" in less else less


def _not_held(body: dict[str, Any], user: UserId) -> dict[str, Any]:
    """Return the body of an Opened event with no seat held for this person."""
    held = [one for one in body.get("held", ()) if one["user"] != user]
    return {**body, "held": held} if "held" in body else body
