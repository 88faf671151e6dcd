"""Faults to plant in the bot, one at a time: a simulation that misses one of them sees too little.

Each replaces one thing that keeps a promise. They are for a process of their own.
"""

from collections.abc import Callable

PLANTED: dict[str, Callable[[], None]] = {}


def plant(name: str) -> None:
    """Put this fault into the bot of this process, for good."""
    PLANTED[name]()
