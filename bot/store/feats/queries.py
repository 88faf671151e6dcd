"""Queries for a server's records, and for a person's bests, badges and rivals."""

import json
from collections.abc import Mapping
from typing import NamedTuple

import aiosqlite

from bot.ids import GuildId, UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import (
    Best,
    FallenRecord,
    Feat,
    PersonalBests,
    Rivalry,
    ServerRecord,
    Side,
)
from bot.records.feats import Category, variants
from bot.records.models import Person
from bot.store.database.query import Row, first, rows
from bot.store.feats.backfill import IS_DUE

_BEST = """
    SELECT f.match_id, m.number, f.{column}, p.user, p.name, m.ended, f.seat
    FROM feats f {index} JOIN players p ON p.id = f.player JOIN matches m ON m.id = f.match_id
    WHERE {where} AND f.category = 'ranked' AND f.{column} {there}
    ORDER BY f.{column} {order}, f.match_id LIMIT 1
"""
_HERE = "f.guild = :guild AND f.game = :game AND f.variant = :variant"


_THERE = {Feat.STREAK: "> 1", Feat.POINTS: "> 0"}
"""Two wins make a streak, and a round without a point is no feat. Other feats only have to be."""


def _best_sql(feat: Feat, where: str, *, by_index: bool) -> str:
    return _BEST.format(
        column=feat,
        index=f"INDEXED BY feats_by_{feat}" if by_index else "",
        where=where,
        there=_THERE.get(feat, "IS NOT NULL"),
        order="" if feat.is_least else "DESC",
    )


RECORDS = tuple(_best_sql(feat, _HERE, by_index=True) for feat in Feat)
"""The record of each feat, in the order of Feat."""
EARLIER = tuple(_best_sql(feat, f"{_HERE} AND f.match_id < :match", by_index=True) for feat in Feat)
"""Its record before a match: as quick as the record itself if the match is a new one."""
IN_MATCH = tuple(_best_sql(feat, "f.match_id = :match", by_index=False) for feat in Feat)
"""Its best in one match."""
_VARIANT = "SELECT game, variant FROM feats WHERE match_id = ? AND guild = ? LIMIT 1"
_LAST_BEFORE = """
    SELECT max(match_id) FROM feats WHERE game = :game AND variant = :variant
        AND category = 'ranked' AND match_id < :match
        AND player = (SELECT id FROM players WHERE user = :user AND guild = :guild)
"""
DUELS = "SELECT duels FROM rounds WHERE match_id = ?"
_PEOPLE = """
    SELECT s.seat, p.user, p.name FROM seats s JOIN players p ON p.id = s.player
    WHERE s.match_id = ?
"""
PERSONAL = """
    SELECT variant, category, sum(1 - of_arena), sum(won * (1 - of_arena)), max(points), min(stop)
    FROM feats
    WHERE player = ? AND game = ? GROUP BY variant, category
"""
BEFORE = """
    SELECT p.user, max(b.points), min(b.stop)
    FROM feats f JOIN players p ON p.id = f.player
    JOIN feats b ON b.player = f.player AND b.game = f.game AND b.variant = f.variant
        AND b.category = f.category AND b.match_id < f.match_id
    WHERE f.match_id = ? AND f.guild = ? AND p.user IS NOT NULL
    GROUP BY p.user
"""
BADGES = """
    SELECT badge, count(*) FROM badges WHERE player = ? GROUP BY badge ORDER BY min(match_id), badge
"""
_RIVAL = """
    SELECT matches, ahead, points, firsts, firsts_ms FROM rivals
    WHERE player = ? AND game = ? AND other = ?
"""
_PLAYER = "SELECT id FROM players WHERE user = ? AND guild = ?"
_NAME = "SELECT name FROM players WHERE user = ? AND guild = ?"
_NOT_MET = (0, 0, 0, 0, 0)


class _Found(NamedTuple):
    """A record, and the id of its match, which is in the order of all matches."""

    match: int
    record: ServerRecord


async def server_records(
    db: aiosqlite.Connection, guild: GuildId, game: str, variant: str
) -> tuple[ServerRecord, ...]:
    """Return the records of a server in one variant of a game, in the order of Feat."""
    key = {"guild": guild, "game": game, "variant": variant}
    found = [await _record(db, feat, RECORDS[i], key) for i, feat in enumerate(Feat)]
    return tuple(one.record for one in found if one is not None)


async def fallen_records(
    db: aiosqlite.Connection, guild: GuildId, match: int
) -> tuple[FallenRecord, ...]:
    """Return the records that a match (its id) has broken.

    A first value breaks none, nor does an equal one.

    A streak breaks the record once: while it goes on, its holder beats nobody. None are known until
    the matches of earlier versions have been worked out.
    """
    kind = await first(db, _VARIANT, (match, guild))
    if kind is None or await first(db, IS_DUE) is not None:
        return ()
    key = {"guild": guild, "game": kind[0], "variant": kind[1], "match": match}
    found = []
    for i, feat in enumerate(Feat):
        now = await _record(db, feat, IN_MATCH[i], key)
        before = await _record(db, feat, EARLIER[i], key) if now is not None else None
        if now is None or before is None or not _beats(now, before):
            continue
        if feat is not Feat.STREAK or not await _goes_on(db, now, before, key):
            found.append(FallenRecord(now.record, before.record))
    return tuple(found)


async def _goes_on(
    db: aiosqlite.Connection, now: _Found, before: _Found, key: Mapping[str, object]
) -> bool:
    """Return whether a streak is the one that held the record before its last match."""
    user = now.record.holder.user
    if user is None or user != before.record.holder.user:
        return False
    row = await first(db, _LAST_BEFORE, {**key, "user": user})
    return row is not None and row[0] == before.match


async def fallen_between(
    db: aiosqlite.Connection, guild: GuildId, game: str, since: int, until: int
) -> tuple[FallenRecord, ...]:
    """Return the records of a game that fell in matches from `since` on and before `until`.

    Variant by variant, in the order of Feat, each with the one that stood before `since`. As with
    `fallen_records`, a first value breaks none, and none are known while matches are worked out.
    """
    if await first(db, IS_DUE) is not None:
        return ()
    found = []
    for variant in variants(game):
        key = {"guild": guild, "game": game, "variant": variant}
        for feat, earlier in zip(Feat, EARLIER, strict=True):
            now = await _record(db, feat, earlier, {**key, "match": until})
            if now is None or now.match < since:
                continue
            before = await _record(db, feat, earlier, {**key, "match": since})
            if before is not None and _beats(now, before):
                found.append(FallenRecord(now.record, before.record))
    return tuple(found)


def _beats(now: _Found, before: _Found) -> bool:
    is_less = now.record.value < before.record.value
    is_more = now.record.value > before.record.value
    return is_less if now.record.feat.is_least else is_more


async def _record(
    db: aiosqlite.Connection, feat: Feat, sql: str, key: Mapping[str, object]
) -> _Found | None:
    row = await first(db, sql, key)
    if row is None:
        return None
    match, number, value, user, name, at, seat = row
    loser = await loser_of(db, match, seat, value) if feat is Feat.DUEL else None
    variant = str(key["variant"])
    return _Found(match, ServerRecord(feat, variant, value, Person(user, name), number, at, loser))


async def loser_of(db: aiosqlite.Connection, match: int, winner: int, ms: int) -> Person | None:
    """Return the person who lost a duel to this seat by so many ms."""
    people = {seat: Person(user, name) for seat, user, name in await rows(db, _PEOPLE, (match,))}
    duels = [duel for (text,) in await rows(db, DUELS, (match,)) for duel in json.loads(text)]
    lost = (late for first_, late, by in duels if (first_, by) == (winner, ms) and late in people)
    return next((people[late] for late in lost), None)


async def personal_bests(
    db: aiosqlite.Connection, guild: GuildId, user: UserId, game: str
) -> tuple[PersonalBests, ...]:
    """Return a person's bests in one game here, by variant and category."""
    player = await first(db, _PLAYER, (user, guild))
    found = await rows(db, PERSONAL, (*player, game)) if player is not None else []
    return tuple(
        PersonalBests(variant, Category(category), matches, wins, Best(points, stop))
        for variant, category, matches, wins, points, stop in found
    )


async def bests_before(db: aiosqlite.Connection, guild: GuildId, match: int) -> dict[UserId, Best]:
    """Return what each person had as their best before a match (its id), by user.

    Their best in matches of its variant and category; people without any are left out. None are
    known until the matches of earlier versions have been worked out.
    """
    if await first(db, IS_DUE) is not None:
        return {}
    found = await rows(db, BEFORE, (match, guild))
    return {UserId(user): Best(points, stop) for user, points, stop in found}


async def person(db: aiosqlite.Connection, guild: GuildId, user: UserId) -> Person:
    """Return a user with the last known name; without one if they never played here."""
    row = await first(db, _NAME, (user, guild))
    return Person(user, None if row is None else row[0])


async def badges(db: aiosqlite.Connection, guild: GuildId, user: UserId) -> dict[Badge, int]:
    """Return how often a person has earned each badge here, the first one first."""
    player = await first(db, _PLAYER, (user, guild))
    found = await rows(db, BADGES, player) if player is not None else []
    known = set(Badge)
    return {Badge(badge): count for badge, count in found if badge in known}


async def rivalry(
    db: aiosqlite.Connection, guild: GuildId, user: UserId, other: UserId, game: str
) -> Rivalry:
    """Return two people against each other in one game here; all zero if they never met."""
    one, two = [await first(db, _PLAYER, (who, guild)) for who in (user, other)]
    if one is None or two is None:
        return Rivalry(0, _side(_NOT_MET), _side(_NOT_MET))
    own = await first(db, _RIVAL, (*one, game, *two)) or _NOT_MET
    theirs = await first(db, _RIVAL, (*two, game, *one)) or _NOT_MET
    return Rivalry(own[0], _side(own), _side(theirs))


def _side(row: Row) -> Side:
    _, ahead, points, firsts, firsts_ms = row
    return Side(ahead, points, firsts, firsts_ms / firsts if firsts else None)
