"""The Python twin of the script that gives shared turns, for tests in simulated time."""

from bot.groups.turns import FIRST, FURTHEST, GAP, SLACK


def take(turn: int | None, now: int, gap: int = GAP) -> tuple[int, int]:
    """Take the next turn. Return what the key holds then, and the milliseconds to wait.

    `turn`: what it held, None if there was no key; `now`: the server's clock in milliseconds.
    """
    if turn is None or turn > now + FURTHEST:
        turn = now + FIRST
    turn = max(turn, now)
    return turn + gap, max(0, turn - SLACK - now)
