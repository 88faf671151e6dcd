"""The life of a token that edits a panel: 15 minutes, the last of them for the panel's last edit.

`now` is in Unix seconds by Discord's clock, as the token's birth is.
"""

from bot.tables.state.message_refs import TOKEN_LIFE, Token

LAST_EDIT_AFTER = 14 * 60
"""Seconds of a token's life after which the last edit is made, at the latest."""
LAST_CALL = LAST_EDIT_AFTER + 45
"""Seconds of a token's life after which that edit goes out even over the channel's pace."""


def may_wait(token: Token, now: float) -> bool:
    """Return whether the last edit may still wait for the channel's pace."""
    return now - token.born < LAST_CALL


def left(token: Token, now: float) -> float:
    """Return the seconds for which it still lives."""
    return token.born + TOKEN_LIFE - now


def is_alive(token: Token, now: float) -> bool:
    """Return whether it can edit anything."""
    return left(token, now) > 0
