"""Everything the results hold, as JSON Lines and CSV. docs/commands.md explains each field."""

import csv
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from bot.ownership import bot_user, give
from bot.progress_reporting import Progress, Steps, parts, unwatched
from bot.store.database.backup import OWNER_ONLY, PART, inspected, read_only
from bot.store.database.errors import DatabaseError, failed
from bot.store.database.schema import newest_schema

Row: TypeAlias = Mapping[str, Any]

LISTS = frozenset(
    {"options", "rated_rounds", "plus", "minus", "laid_by_seat", "duels", "seats_gone"}
)
"""Fields that are JSON themselves; CSV has them as text."""
TABLES = {
    "matches": """
        SELECT id AS match, CAST(guild AS TEXT) AS server, number, game,
            strftime('%Y-%m-%dT%H:%M:%fZ', began / 1000.0, 'unixepoch') AS began,
            strftime('%Y-%m-%dT%H:%M:%fZ', ended / 1000.0, 'unixepoch') AS ended,
            standing, unranked, forfeited, options, rated_rounds
        FROM matches ORDER BY id""",
    "rounds": """
        SELECT match_id AS match, round, reason, by_seat, lasted AS lasted_ms, plus, minus,
            laid AS laid_by_seat, duels, gone AS seats_gone
        FROM rounds ORDER BY match_id, round""",
    "seats": """
        SELECT match_id AS match, seat, player, coalesce(players.name, seats.name) AS name,
            player IS NULL AS computer, place, rank, won, gone, points, rounds,
            lasted AS lasted_ms, laid, best, worst, firsts, firsts_ms, lates, lates_ms, mu, sigma
        FROM seats LEFT JOIN players ON players.id = seats.player ORDER BY match_id, seat""",
    "feats": """
        SELECT match_id AS match, seat, player, variant, category, won, points, stop AS stop_ms,
            duel AS duel_ms, come_back, streak
        FROM feats ORDER BY match_id, seat""",
    "badges": """
        SELECT match_id AS match, player, badge FROM badges ORDER BY match_id, player, badge""",
    "players": """
        SELECT id AS player, CAST(guild AS TEXT) AS server, CAST(user AS TEXT) AS user, name
        FROM players ORDER BY id""",
    "ratings": """
        SELECT player, game, mu, sigma, shown, margin FROM ratings ORDER BY player, game""",
    "champions": """
        SELECT CAST(guild AS TEXT) AS server, month, game, player, matches, wins, points
        FROM champions ORDER BY guild, month, game, player""",
    "dailies": """
        SELECT date(day * 86400, 'unixepoch') AS day, game, CAST(user AS TEXT) AS user,
            rtrim(moves) AS moves, presses, points
        FROM daily_rounds ORDER BY day, game, user""",
    "daily_places": """
        SELECT CAST(guild AS TEXT) AS server, date(day * 86400, 'unixepoch') AS day, game,
            CAST(user AS TEXT) AS user, name, points, presses
        FROM daily_places ORDER BY guild, day, game, user""",
    "arenas": """
        SELECT id AS arena, CAST(guild AS TEXT) AS server, CAST(channel AS TEXT) AS channel,
            CAST(message AS TEXT) AS message, game,
            strftime('%Y-%m-%dT%H:%M:%fZ', began / 1000.0, 'unixepoch') AS began,
            strftime('%Y-%m-%dT%H:%M:%fZ', ended / 1000.0, 'unixepoch') AS ended, secret
        FROM arenas WHERE ended IS NOT NULL ORDER BY id""",
}


def export(database: Path, folder: Path, progress: Progress = unwatched) -> dict[str, int]:
    """Write two files per table into a new folder. Return the number of rows by table.

    The export is one instant of the database, even while the bot runs. The folder gets its name
    once every file is complete, and belongs to the owner of the one above. Raises DatabaseError.
    """
    looking, writing = parts(progress, 1, 8)
    if inspected(database, looking) != newest_schema():
        raise DatabaseError(
            f"{database} is from an older version: start the bot once to upgrade it"
        )
    part = folder.with_name(folder.name + PART)
    try:
        if folder.exists():
            raise DatabaseError(f"{folder} already exists: choose another name for the export")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        with closing(read_only(database)) as db:
            db.row_factory = sqlite3.Row
            db.execute("BEGIN")
            counts = _tables(db, part, writing)
        for made in (part, *part.iterdir()):
            give(made, bot_user(folder))
        part.rename(folder)
    except (sqlite3.Error, OSError) as error:
        raise failed(f"{database} could not be exported", error, database) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return counts


def _tables(db: sqlite3.Connection, folder: Path, progress: Progress) -> dict[str, int]:
    """Write every table. Return the number of rows by table."""
    counts = {name: _count(db, sql) for name, sql in TABLES.items()}
    steps = Steps(sum(counts.values()), progress)
    for name, sql in TABLES.items():
        _write(db.execute(sql), folder / name, steps)
    return counts


def _count(db: sqlite3.Connection, sql: str) -> int:
    ((count,),) = db.execute(f"SELECT count(*) FROM ({sql})").fetchall()  # noqa: S608 our own
    return int(count)


def _write(cursor: sqlite3.Cursor, stem: Path, steps: Steps) -> None:
    fields = [column[0] for column in cursor.description]
    with (
        open(stem.with_suffix(".jsonl"), "w", encoding="utf-8", opener=_private) as lines,
        open(stem.with_suffix(".csv"), "w", encoding="utf-8", newline="", opener=_private) as sheet,
    ):
        table = csv.DictWriter(sheet, fields)
        table.writeheader()
        for row in steps.of(_rows(cursor)):
            table.writerow(row)
            lines.write(json.dumps(_parsed(row), ensure_ascii=False) + "\n")


def _private(path: str, flags: int) -> int:
    """Open a file for its owner only: everybody's ids are in it."""
    return os.open(path, flags, OWNER_ONLY)


def _rows(cursor: sqlite3.Cursor) -> Iterator[Row]:
    for row in cursor:
        yield dict(row)


def _parsed(row: Row) -> Row:
    return {
        field: json.loads(value) if field in LISTS and value is not None else value
        for field, value in row.items()
    }
