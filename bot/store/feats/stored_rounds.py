"""Rounds as they are stored."""

import json

from bot.games.values import Reason
from bot.records.results import Duel, RoundRecord
from bot.store.database.query import Row

ROUNDS = """
    SELECT reason, by_seat, lasted, plus, minus, laid, duels FROM rounds
    WHERE match_id = ? ORDER BY round
"""


def round_record(row: Row) -> RoundRecord:
    """Return a round from a row of ROUNDS."""
    reason, by, lasted, *lists = row
    plus, minus, laid, duels = (json.loads(text) for text in lists)
    contested = tuple(Duel(*duel) for duel in duels)
    return RoundRecord(
        Reason(reason), by, lasted, tuple(plus), tuple(minus), tuple(laid), contested
    )
