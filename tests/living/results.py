"""What an installation's database has of matches, asked without the bot."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.records.referee import Referee

_RESULTS = """
    SELECT matches.table_id, matches.game, matches.ended, seats.seat, seats.place, seats.points
    FROM matches JOIN seats ON seats.match_id = matches.id ORDER BY matches.id, seats.seat
"""
_POINTS = "SELECT points FROM seats WHERE match_id = ? ORDER BY seat"


def results(database: Path) -> list[tuple[Any, ...]]:
    """Every seat of every match, in the order of the matches' ends. The table comes first."""
    with closing(sqlite3.connect(database)) as db:
        return db.execute(_RESULTS).fetchall()


def audit(database: Path) -> None:
    """The file is whole, and an independent referee counts every match as it was counted.

    Raises AssertionError, or FoulError for a log that can't be true.
    """
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        for match, log in db.execute("SELECT match_id, log FROM logs").fetchall():
            referee = Referee(zlib.decompress(log).decode()).check()
            assert referee.totals == [row[0] for row in db.execute(_POINTS, (match,))]
