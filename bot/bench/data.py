"""A database as after years of play: a big server, one a tenth of it, and many small ones.

It is the same every time.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from bot.ids import GuildId, UserId
from bot.progress_reporting import Progress, unwatched
from bot.records.badges.badges import Badge
from bot.records.periods import Period, bounds
from bot.records.seasons.season import season_at
from bot.store.leaderboards.filling import FILL
from bot.store.leaderboards.kept import ALL, EVERYBODY

YEARS = 3 * 365 * 24 * 3600 * 1000
NOW = 1_800_000_000_000
MONTH = 31 * 24 * 3600 * 1000
ZONE = "Europe/Zurich"
"""The time zone by which its years, months and weeks begin."""
BIG = GuildId(1)
"""The id of the biggest server. The others count up from it."""
TENTH = GuildId(2)
"""A server with a tenth as many seats, to compare with."""
LOG = zlib.compress(b'{"e":"start","players":4}\n')
BATCH = 5_000
BADGES = tuple(badge.value for badge in Badge)

_MATCH = "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, ?)"
_ROUND = """
    INSERT INTO rounds (match_id, round, reason, by_seat, lasted, plus, minus, laid, duels)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SEAT = "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?" + ", ?" * 17 + ")"
_LOG = "INSERT INTO logs VALUES (?, ?)"
_FEAT = "INSERT INTO feats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BADGE = "INSERT INTO badges VALUES (?, ?, ?)"
_RIVALS = """
    INSERT INTO rivals
    SELECT own.player, own.game, other.player, count(*), sum(own.place < other.place),
           sum(own.points), sum(own.firsts), sum(own.firsts_ms)
    FROM seats own JOIN seats other ON other.match_id = own.match_id AND other.seat != own.seat
    WHERE own.rated = 1 GROUP BY own.player, own.game, other.player
"""
_LEADERBOARD = """
    INSERT INTO leaderboards (guild, game, period, start, until, filled) VALUES (?, ?, ?, ?, ?, ?)
"""
_SEASON = "INSERT INTO seasons (guild, month, began, ended) VALUES (?, ?, ?, ?)"
_TABLE = "INSERT INTO tables (id, guild, channel, closed) VALUES (?, ?, 1, 1)"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of the data set. `big` of the seats belong to the biggest server."""

    seats: int = 1_000_000
    servers: int = 2_000
    big: int = 650_000

    @property
    def tenth(self) -> int:
        return self.big // 10

    @property
    def other(self) -> float:
        """The seats of any other server."""
        return (self.seats - self.big - self.tenth) / (self.servers - 2)


@dataclass(frozen=True, slots=True)
class Made:
    """The rows of one match."""

    table: tuple[Any, ...]
    match: tuple[Any, ...]
    seats: list[tuple[Any, ...]]
    rounds: list[tuple[Any, ...]]
    feats: list[tuple[Any, ...]]
    badges: list[tuple[Any, ...]]


def user_of(guild: GuildId, number: int) -> UserId:
    """Return the user id of a server's player `number`. A user plays on every 400th server."""
    return UserId(10**17 + guild % 400 * 100_000 + number)


def build(path: Path, size: Size, progress: Progress = unwatched) -> int:
    """Fill an empty database in one transaction. Returns its number of seats."""
    # The same data every time; nothing here is a secret.
    luck = Random(1)  # noqa: S311
    seats = 0
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        progress(0, size.seats)
        players = _players(db, size)
        matches = _matches(luck, size, players)
        while made := list(islice(matches, BATCH)):
            _insert(db, made)
            seats += sum(len(one.seats) for one in made)
            progress(min(seats, size.seats), size.seats)
        _ratings(db)
        db.execute(_RIVALS)
        _leaderboards(db)
        _seasons(db)
        db.execute("COMMIT")
    finally:
        db.close()
    return seats


def _insert(db: sqlite3.Connection, made: Sequence[Made]) -> None:
    db.executemany(_TABLE, [one.table for one in made])
    db.executemany(_MATCH, [one.match for one in made])
    db.executemany(_SEAT, [seat for one in made for seat in one.seats])
    db.executemany(_ROUND, [round_ for one in made for round_ in one.rounds])
    db.executemany(_FEAT, [feat for one in made for feat in one.feats])
    db.executemany(_BADGE, [badge for one in made for badge in one.badges])
    db.executemany(_LOG, [(one.match[0], LOG) for one in made])


def _players(db: sqlite3.Connection, size: Size) -> dict[GuildId, range]:
    """Insert servers and players, and return each server's range of player ids.

    There is one player per 13 seats, and at least 8 on a server.
    """
    found: dict[GuildId, range] = {}
    start = 1
    for guild in map(GuildId, range(BIG, BIG + size.servers)):
        seats = {BIG: size.big, TENTH: size.tenth}.get(guild, size.other)
        found[guild] = range(start, start + max(8, int(seats / 13)))
        start = found[guild].stop
    rows = (
        (player, guild, user_of(guild, number), f"Player {player}")
        for guild, players in found.items()
        for number, player in enumerate(players)
    )
    db.executemany("INSERT INTO players VALUES (?, ?, ?, ?)", rows)
    others = range(BIG, BIG + size.servers)
    db.executemany("INSERT INTO guilds VALUES (?, 1, NULL)", [(guild,) for guild in others])
    db.executemany(
        "INSERT INTO settings (guild, keep_logs) VALUES (?, 1000)",
        [(guild,) for guild in others[::10]],
    )
    return found


def _matches(luck: Random, size: Size, players: dict[GuildId, range]) -> Iterator[Made]:
    """Yield matches on random servers, in the order in which they ended."""
    seats = number = 0
    while seats < size.seats:
        number += 1
        which = luck.random() * size.seats
        guild = GuildId(luck.randint(TENTH + 1, BIG + size.servers - 1))
        if which < size.big + size.tenth:
            guild = BIG if which < size.big else TENTH
        made = _match(luck, number, guild, players[guild], NOW - YEARS * (1 - seats / size.seats))
        seats += len(made.seats)
        yield made


def _match(luck: Random, number: int, guild: GuildId, players: range, at: float) -> Made:
    game = "ligretto" if luck.random() < 0.7 else "dice"  # noqa: PLR2004 a share
    humans = luck.sample(players, luck.randint(2, 6 if game == "ligretto" else 4))
    rated = luck.random() < 0.9  # noqa: PLR2004 a share
    ended, lasted = int(at), 180_000
    points = sorted((luck.randint(-20, 60) for _ in humans), reverse=True)
    seats = []
    for seat, (player, total) in enumerate(zip(humans, points, strict=True)):
        of_match = (number, seat, player, None, guild, game, ended, int(rated))
        place = 1 + points.index(total)
        played = (place, place, int(place == 1), 0, total, 3, lasted, 60, total, -total)
        skill = (luck.gauss(25, 5), 2.0) if rated else (None, None)
        seats.append((*of_match, *played, 3, 400, 3, 400, *skill, 0))
    listed = json.dumps(points), json.dumps([0] * len(points))
    rounds = [(number, i, "ligretto", 0, 60_000, *listed, listed[0], "[]") for i in (1, 2, 3)]
    standing = "rated" if rated else "practice"
    match = (number, number, guild, game, ended - lasted, ended, '{"rounds": "3"}', standing)
    ranks = [1 + points.index(total) for total in points]
    rated_rounds = json.dumps([{"ranks": ranks, "idle": []}] * 3)
    return Made((number, guild), (*match, rated_rounds, number), seats, rounds, *_feats(seats))


def _feats(seats: Sequence[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    """Return the feats and the badges of a match's seats. One in ten earns a badge."""
    number, _, _, _, guild, game, _, rated, *_ = seats[0]
    luck = Random(number)  # noqa: S311 as above
    category = "ranked" if rated else "practice"
    variant = "" if game == "dice" else luck.choice(("standard", "standard", "expert"))
    feats, badges = [], []
    for _, seat, player, *_, total in (one[:13] for one in seats):
        stop = luck.randint(30_000, 200_000) if seat == 0 else None
        behind = luck.randint(1, 40) if seat == 0 else None
        best = (total, stop, luck.randint(0, 1000), behind, luck.randint(0, 4), 0)
        feats.append((number, seat, player, guild, game, variant, category, seat == 0, *best))
        if luck.randrange(10) == 0:
            badges.append((player, luck.choice(BADGES), number))
    return feats, badges


def _leaderboards(db: sqlite3.Connection) -> None:
    """Make and fill the leaderboards of every server's games, as matches and the bot do."""
    games = db.execute("SELECT DISTINCT guild, game FROM matches WHERE standing = 'rated'")
    for guild, game in games.fetchall():
        for period in Period:
            of = bounds(period, NOW - 1, ZONE) or ALL
            times = (guild, game, str(period), of.start, of.end, EVERYBODY)
            leaderboard = db.execute(_LEADERBOARD, times).lastrowid
            db.execute(FILL, (leaderboard, 1000, 0, guild, game, 0, EVERYBODY, of.start, of.end))


def _seasons(db: sqlite3.Connection) -> None:
    """Close the first and the last full month of the two servers, with their leaderboards."""
    for guild in (BIG, TENTH):
        for at in (NOW - YEARS + MONTH, NOW - MONTH):
            of = season_at(at, ZONE)
            end = of.ends(ZONE)
            db.execute(_SEASON, (guild, str(of.month), of.began, end))
            for game in ("ligretto", "dice"):
                times = (guild, game, str(Period.MONTH), of.began, end, EVERYBODY)
                leaderboard = db.execute(_LEADERBOARD, times).lastrowid
                db.execute(FILL, (leaderboard, 1000, 0, guild, game, 0, EVERYBODY, of.began, end))


def _ratings(db: sqlite3.Connection) -> None:
    """Insert everybody's latest rating."""
    db.execute(
        """
        INSERT INTO ratings SELECT player, game, mu, sigma, round(1000 + 12 * (mu - 25)), 48
        FROM (SELECT player, game, mu, sigma, max(match_id) FROM seats
              WHERE rated = 1 GROUP BY player, game)
        """
    )
