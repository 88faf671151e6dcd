"""The life of a token that edits a panel: 15 minutes, the last of them for its last word."""

from bot.tables.places import Token

SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made."""
LAST_CALL = SLEEPY + 45
"""Seconds of a token's life after which it is made whatever the channel takes."""
TOKEN_LIFE = 15 * 60


def is_sleepy(token: Token, now: float) -> bool:
    """Return whether its last word is due. `now`: Unix seconds."""
    return now - token.born >= SLEEPY


def may_wait(token: Token, now: float) -> bool:
    """Return whether there is time for its last word later on. `now`: Unix seconds."""
    return now - token.born < LAST_CALL


def is_alive(token: Token, now: float) -> bool:
    """Return whether it can edit anything. `now`: Unix seconds."""
    return now - token.born < TOKEN_LIFE
