"""The life of a token that edits a panel: 15 minutes, the last of them for its last word.

`now` is in Unix seconds by Discord's clock, as the token's birth is.
"""

from bot.tables.places import TOKEN_LIFE, Token

SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made."""
LAST_CALL = SLEEPY + 45
"""Seconds of a token's life after which it is made whatever the channel takes."""


def is_sleepy(token: Token, now: float) -> bool:
    """Return whether its last word is due."""
    return now - token.born >= SLEEPY


def may_wait(token: Token, now: float) -> bool:
    """Return whether there is time for its last word later on."""
    return now - token.born < LAST_CALL


def is_alive(token: Token, now: float) -> bool:
    """Return whether it can edit anything."""
    return now - token.born < TOKEN_LIFE
