"""What an installation's database has of matches, asked without the bot."""

import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from bot.verify.referee import Referee
from tests.simulate.rating import Skill, agreed, follow, lines_of
from tests.simulate.standing import is_uneven

_RESULTS = """
    SELECT matches.table_id, matches.game, matches.ended, seats.seat, seats.place, seats.points
    FROM matches JOIN seats ON seats.match_id = matches.id ORDER BY matches.id, seats.seat
"""
_SEATS = """
    SELECT matches.id, matches.game, matches.options,
        (SELECT count(*) FROM seats WHERE match_id = matches.id), seats.seat, seats.player
    FROM matches JOIN seats ON seats.match_id = matches.id
    WHERE seats.player IS NOT NULL AND matches.standing != 'void'
    ORDER BY matches.id, seats.seat
"""
_RATINGS = "SELECT game, player, mu, sigma FROM ratings ORDER BY game, player"
_POINTS = "SELECT points FROM seats WHERE match_id = ? ORDER BY seat"


def results(database: Path) -> list[tuple[Any, ...]]:
    """Every seat of every match, in the order of the matches' ends. The table comes first."""
    with closing(sqlite3.connect(database)) as db:
        return db.execute(_RESULTS).fetchall()


def audit(database: Path) -> None:
    """The file is whole, and an independent referee counts every match as it was counted, and rates
    every round, whatever version has played it.

    Raises AssertionError, or LogError for a log that can't be true.
    """
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        logs = {
            match: zlib.decompress(log).decode()
            for match, log in db.execute("SELECT match_id, log FROM logs")
        }
        for match, text in logs.items():
            referee = Referee(text).check()
            assert referee.totals == [row[0] for row in db.execute(_POINTS, (match,))]
        assert db.execute("SELECT * FROM ratings_due").fetchall() == []
        stored, wanted = db.execute(_RATINGS).fetchall(), _ratings(db, logs)
        assert [one[:2] for one in stored] == [one[:2] for one in wanted]
        assert [pytest.approx(one[2:]) for one in wanted] == [one[2:] for one in stored]


def _ratings(db: sqlite3.Connection, logs: Mapping[int, str]) -> list[tuple[Any, ...]]:
    """As they follow from the logs."""
    now: defaultdict[str, dict[int, Skill]] = defaultdict(dict)
    by_match = groupby(db.execute(_SEATS), key=itemgetter(0, 1, 2, 3))
    for (match, game, options, size), seats in by_match:
        players = {seat: player for *_, seat, player in seats}
        chosen = json.loads(options)
        rounds = 0 if is_uneven(chosen, size) else agreed(chosen)
        _ = follow(game, players, rounds, lines_of(logs.get(match, "")), now[game])
    return sorted(
        (game, player, *skill) for game, of in now.items() for player, skill in of.items()
    )
