"""The Python twin of the script that gives shared turns, for tests in simulated time."""

from bot.groups.turns import FIRST, FURTHEST, GAP, SLACK


def take(
    turn: int | None,
    now: int,
    gap: int = GAP,
    slack: int = SLACK,
    first: int = FIRST,
    furthest: int = FURTHEST,
) -> tuple[int, int]:
    """Take turns. Return what the key holds then, and the milliseconds until the first of them.

    `turn`: what it held, None if there was no key; `now`: the server's clock in milliseconds; the
    others are the script's arguments.
    """
    if turn is None or turn > now + furthest:
        turn = now + first
    turn = max(turn, now)
    return turn + gap, turn - slack - now
