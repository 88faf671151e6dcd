"""Which simulated process a piece of code runs for."""

from contextvars import ContextVar

NOBODY = 0
"""The world around the bot: Discord, people, and whoever breaks things."""

PROCESS: ContextVar[int] = ContextVar("process", default=NOBODY)
"""The process whose code runs now."""
