"""Contested presses: a place was taken, and the later player could not have known it yet.

A refused press is contested if and only if another seat took its place, and the picture that shows
it had not been delivered to this player yet, or for less than `READING_TIME`. The player hears who
was first, however late they were. It is a duel, and news to everybody else, only if it was close as
well: a slow connection makes no heroes. `docs/format.md` specifies both numbers.
"""

from bot.tables.duel_limits import DUEL_WITHIN, READING_TIME
from bot.tables.state import events as e


def is_contested(entry: e.Rejected) -> bool:
    """Return whether the player hears of this refusal as a lost race."""
    return entry.late_to is not None and (entry.shown is None or entry.shown < READING_TIME)


def is_duel(entry: e.Rejected) -> bool:
    """Return whether this refusal counts in news, records and statistics."""
    return is_contested(entry) and entry.late_ms is not None and entry.late_ms <= DUEL_WITHIN
