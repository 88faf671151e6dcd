"""Every table of the database, and how its rows are divided between the files of several groups."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.store.groups.moved import KEY
from bot.store.groups.part import PART
from bot.store.leaderboards.kept import EVERYBODY


@dataclass(frozen=True, slots=True)
class OfServer:
    """Rows of servers: each is in the one file that has its server.

    `guild`: the server of a row `t`, in SQL, where `{at}` stands for the file that it is in.
    `keys`: the columns whose ids mean something in their own file only, with the table that gives
    them: a merge gives others. `changed`: columns that are not the same in a new file, in SQL.
    `better`: as in `OfEveryFile`, for rows that a file can also have of another one's server.
    """

    guild: str = "t.guild"
    keys: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)
    better: str | None = None


@dataclass(frozen=True, slots=True)
class OfEveryFile:
    """Rows of people, and of the whole bot: each file has all of them.

    `better`: of two rows with the same key, when the one called `excluded` is merged, in SQL. None
    if they can't differ in files of one bot. `rows`: where they come from, if not from the table.
    `in_all`: a merge keeps only what every file has.
    """

    better: str | None = None
    rows: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class OfFile:
    """Rows about the file itself: no other file gets them."""


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """Rows that follow from other tables of their file. `rows`: what inserts them."""

    rows: tuple[str, ...]


Division: TypeAlias = OfServer | OfEveryFile | OfFile | WorkedOut

_OF_TABLE = "(SELECT guild FROM {at}.tables WHERE id = t.table_id)"
_OF_MATCH = "(SELECT guild FROM {at}.matches WHERE id = t.match_id)"
_OF_ARENA = "(SELECT guild FROM {at}.arenas WHERE id = t.arena)"
_OF_PLAYER = "(SELECT guild FROM {at}.players WHERE id = t.player)"
_OF_LEADERBOARD = "(SELECT guild FROM {at}.leaderboards WHERE id = t.leaderboard)"
_PLAYER = {"player": "players"}
# As in the migrations that began to count them.
_COUNTS = (
    """
    INSERT INTO counts
    SELECT s.kind, k.leaderboard, s.shift, CASE s.kind WHEN 'rating' THEN k.by_rating
        WHEN 'points' THEN k.by_points ELSE k.by_wins END >> s.shift, count(*)
    FROM standings k, count_shifts s WHERE s.kind != 'match' GROUP BY 1, 2, 3, 4
    """,
    """
    INSERT INTO counts
    SELECT s.kind, m.guild, s.shift, m.number >> s.shift, count(*)
    FROM matches m, count_shifts s WHERE s.kind = 'match' AND m.standing != 'dropped'
    GROUP BY 1, 2, 3, 4
    """,
)
# A leaderboard that isn't filled yet has everybody up to a player, who has a new id.
_FILLED = f"""
    iif(t.filled = {EVERYBODY}, t.filled,
        (SELECT coalesce(max(new), 0) FROM temp.new_players WHERE old <= t.filled))
"""  # noqa: S608 our own
_MORE_PLAYED = "(excluded.points IS NOT NULL, excluded.presses) > (points IS NOT NULL, presses)"
_FINISHED = "excluded.points IS NOT NULL AND points IS NULL"
_USED = "SELECT number FROM {at}.used_groups UNION SELECT number FROM {at}.own_group"
_NOTES = f"SELECT * FROM {{at}}.notes WHERE key NOT IN ('{KEY}', '{PART}')"  # noqa: S608 our own

DIVISIONS: Mapping[str, Division] = {
    # Those whose ids others name come before them.
    "players": OfServer(keys={"id": "players"}),
    "leaderboards": OfServer(keys={"id": "leaderboards"}, changed={"filled": _FILLED}),
    "tables": OfServer(),
    "matches": OfServer(),
    "arenas": OfServer(),
    "journal": OfServer(_OF_TABLE),
    "panels": OfServer(_OF_TABLE),
    "direct_panels": OfServer(_OF_TABLE),
    "pictures": OfServer(_OF_TABLE),
    "mentions": OfServer(_OF_TABLE),
    "arena_journal": OfServer(_OF_ARENA),
    "arena_panels": OfServer(_OF_ARENA),
    "rounds": OfServer(_OF_MATCH),
    "seats": OfServer(keys=_PLAYER),
    "logs": OfServer(_OF_MATCH),
    "feats": OfServer(keys=_PLAYER),
    "feats_due": OfServer(_OF_MATCH),
    "badges": OfServer(_OF_MATCH, keys=_PLAYER),
    "rivals": OfServer(_OF_PLAYER, keys={"player": "players", "other": "players"}),
    "ratings": OfServer(_OF_PLAYER, keys=_PLAYER),
    "ratings_due": OfServer(),
    "standings": OfServer(_OF_LEADERBOARD, keys={**_PLAYER, "leaderboard": "leaderboards"}),
    "open_seasons": OfServer(),
    "seasons": OfServer(),
    "champions": OfServer(keys=_PLAYER),
    "settings": OfServer(),
    "guilds": OfServer(),
    "deletions": OfServer(),
    "moderation": OfServer(keys={"id": "moderation"}),
    "learned": OfServer(),
    "paces": OfServer(),
    "posts": OfServer(),
    "daily_places": OfServer(changed={"away": "t.away"}, better=_FINISHED),
    "plain_text": OfEveryFile("excluded.at > at"),
    "orders": OfEveryFile("0"),
    "order_groups": OfEveryFile("excluded.done > done"),
    "orders_done": OfEveryFile("0", in_all=True),
    "firsts": OfEveryFile("excluded.table_id < table_id"),
    "daily_rounds": OfEveryFile(_MORE_PLAYED),
    "daily_marks": OfEveryFile(),
    "daily_keys": OfEveryFile(),
    "daily_chains": OfEveryFile("excluded.since > since"),
    "daily_published": OfEveryFile("excluded.day > day"),
    "notes": OfEveryFile("0", rows=_NOTES),
    "count_shifts": OfEveryFile(),
    "used_groups": OfEveryFile(rows=_USED),
    "own_group": OfFile(),
    "counts": WorkedOut(_COUNTS),
}
"""Each table of the schema, in the order in which a new file is written.

The ids of tables, matches and arenas stay in every file: people's buttons have them, and no two
groups give the same. Those of players, leaderboards and moderators' actions are given anew by a
merge, in their order; nobody sees them.
"""
AFTERWARDS = (
    "UPDATE daily_places SET away = 0 WHERE away != 0 AND guild IN (SELECT guild FROM guilds)",
)
"""What is done in a new file at last: a result is no other group's if its server is in the file."""
NUMBERED = ("tables", "matches", "arenas")
"""The tables whose ids are those of one bot, whatever file they are in."""
EXTRA = ("sqlite_", "_litestream_")
"""The beginnings of the names of tables that belong to SQLite or to Litestream."""
