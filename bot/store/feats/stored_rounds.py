"""Rounds as they are stored."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.games.values import Reason
from bot.records.results import Duel, RoundRecord
from bot.store.database.query import Row

ROUNDS = """
    SELECT reason, by_seat, lasted, plus, minus, laid, duels, gone FROM rounds
    WHERE match_id = ? ORDER BY round
"""


def round_record(row: Row) -> RoundRecord:
    """Return a round from a row of ROUNDS. `gone` is empty if it wasn't noted."""
    reason, by, lasted, *lists, gone = row
    plus, minus, laid, duels = (json.loads(text) for text in lists)
    return RoundRecord(
        Reason(reason),
        by,
        lasted,
        tuple(plus),
        tuple(minus),
        tuple(laid),
        tuple(Duel(*duel) for duel in duels),
        tuple(json.loads(gone or "[]")),
    )


def round_records(found: Sequence[Row], left: Iterable[int]) -> tuple[RoundRecord, ...]:
    """Return all rounds of a match. `left`: the seats that had left it when it ended.

    Versions that didn't note who had gone from a round didn't say whether somebody left in it or
    after it. Then whoever left the match had gone from their last round if that was stopped.
    """
    rounds = [round_record(row) for row in found]
    for seat in left:
        dealt = [i for i, one in enumerate(rounds) if one.plus[seat] is not None]
        if dealt and found[dealt[-1]][-1] is None:
            last = rounds[dealt[-1]]
            if last.reason is Reason.ABORT:
                rounds[dealt[-1]] = replace(last, gone=(*last.gone, seat))
    return tuple(rounds)
