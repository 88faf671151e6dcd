"""The life of a token that edits a panel: 15 minutes, the last of them for its last word."""

from bot.tables.places import TOKEN_LIFE, Token

SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made, at the latest."""
LAST_CALL = SLEEPY + 45
"""Seconds of a token's life after which it is made whatever the channel takes."""


def may_wait(token: Token, now: float) -> bool:
    """Return whether there is time for its last word later on. `now`: Unix seconds."""
    return now - token.born < LAST_CALL


def left(token: Token, now: float) -> float:
    """Return the seconds for which it still lives. `now`: Unix seconds."""
    return token.born + TOKEN_LIFE - now


def is_alive(token: Token, now: float) -> bool:
    """Return whether it can edit anything. `now`: Unix seconds."""
    return left(token, now) > 0
