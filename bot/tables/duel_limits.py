"""The two numbers that decide which lost race is a duel. `docs/format.md` specifies both."""

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
