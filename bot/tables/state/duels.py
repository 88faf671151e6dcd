"""Contested presses: a place was taken, and the later player could not have known it yet.

A refused press is contested if and only if another seat took its place, and the picture that shows
it had not been delivered to this player yet, or for less than `READING_TIME`. The player hears who
was first, however late they were. It is a duel, and news to everybody else, only if it was close as
well: a slow connection makes no heroes. `docs/format.md` specifies both numbers.
"""

from bot.tables.state import events as e

DUEL_WITHIN = 1_000
"""The most milliseconds between two presses for one place that make a duel.

People who see the same picture answer it within a second of each other. A larger margin says how
slow a connection was, not how quick its player.
"""
READING_TIME = 400
"""Milliseconds for which a delivered picture counts as not read yet.

A press on something that has just appeared takes about 250 ms when there is one thing to wait for,
and about 400 ms when there are several to choose from. A thumb that comes down sooner was on its
way before the picture was there. The time also covers the way from Discord to the player's screen.
"""


def is_contested(entry: e.Rejected) -> bool:
    """Return whether the player hears of this refusal as a lost race."""
    return entry.late_to is not None and (entry.shown is None or entry.shown < READING_TIME)


def is_duel(entry: e.Rejected) -> bool:
    """Return whether this refusal counts in news, records and statistics."""
    return is_contested(entry) and entry.late_ms is not None and entry.late_ms <= DUEL_WITHIN
