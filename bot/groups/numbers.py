"""Numbers of tables, matches and arenas that no two groups of a bot give.

A group's numbers hold its own number, which is leased once and never used again. So they stay as
they are when a database is split or merged. They say where something was born, not who owns it.
Numbers below BASE are older, or of a bot that is one process.
"""

BASE = 2**40
SPAN = 65536
"""Numbers of groups. A custom id has room for 15 digits, so for n up to 15 billion."""


def number(n: int, group: int) -> int:
    """Return the n-th number of a group."""
    return BASE + n * SPAN + group


def born(given: int) -> int:
    """Return the group that gave a number; 0 for a bot that is one process."""
    return 0 if given < BASE else (given - BASE) % SPAN


def short(given: int) -> int:
    """Return n, which is short enough to be shown; a number below BASE is its own."""
    return given if given < BASE else (given - BASE) // SPAN


def after(newest: int, group: int) -> int:
    """Return the first number that a group gives, above the newest of its file.

    A bot of one process counts on by 1, and goes on as group 0 in a file that had groups.
    """
    if group == 0 and newest < BASE:
        return newest + 1
    return number(short(newest) + 1, group)


def following(given: int) -> int:
    """Return the next number of the same group."""
    return given + (1 if given < BASE else SPAN)
