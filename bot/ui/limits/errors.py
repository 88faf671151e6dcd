"""The meaning of Discord's refusals and the network's failures for an edit (PLATFORM 6)."""

from enum import Enum, auto

import aiohttp
import discord

from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.network_words import network_words

NETWORK = (aiohttp.ClientError, TimeoutError, OSError)
"""Raised by discord.py as they are, not as HTTPException (PLATFORM 2)."""
FAILURES = (discord.HTTPException, UnreadableAnswerError, *NETWORK)

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10003, 10004, 10008, 10015
TOO_MANY_OLD_EDITS, BAD_TOKEN = 30046, 50027
NO_ACCESS, NO_PERMISSION, ARCHIVED, LOCKED = 50001, 50013, 50083, 160005
DIRECT_CLOSED, NO_SERVER_SHARED = 50007, 50278
THREAD_EXISTS, TOO_MANY_THREADS = 160004, 160006
UNKNOWN_INTERACTION, ANSWERED_ALREADY = 10062, 40060
BAD_REQUEST, UPSTREAM = 400, 500
PASSING = (408, 429)
"""Statuses of refusals that are none: a time is over, or a rate limit is met."""


class Trouble(Enum):
    """The kinds of failed edit, by what to do about them."""

    MESSAGE_GONE = auto()
    PLACE_GONE = auto()
    TOKEN_GONE = auto()
    FORBIDDEN = auto()
    ARCHIVED = auto()
    REFUSED = auto()
    LATER = auto()
    BUG = auto()


_BY_CODE = {
    UNKNOWN_MESSAGE: Trouble.MESSAGE_GONE,
    TOO_MANY_OLD_EDITS: Trouble.MESSAGE_GONE,
    UNKNOWN_CHANNEL: Trouble.PLACE_GONE,
    UNKNOWN_GUILD: Trouble.PLACE_GONE,
    UNKNOWN_WEBHOOK: Trouble.TOKEN_GONE,
    BAD_TOKEN: Trouble.TOKEN_GONE,
    NO_ACCESS: Trouble.FORBIDDEN,
    NO_PERMISSION: Trouble.FORBIDDEN,
    DIRECT_CLOSED: Trouble.FORBIDDEN,
    NO_SERVER_SHARED: Trouble.FORBIDDEN,
    ARCHIVED: Trouble.ARCHIVED,
    LOCKED: Trouble.ARCHIVED,
}


def is_late(error: Exception) -> bool:
    """Return whether an answer came too late, after Discord's three seconds (PLATFORM 1)."""
    return _code(error) == UNKNOWN_INTERACTION


def is_too_old(error: Exception) -> bool:
    """Return whether an edit was refused because its message is over an hour old (PLATFORM 2)."""
    return _code(error) == TOO_MANY_OLD_EDITS


def is_answered_already(error: Exception) -> bool:
    """Return whether an interaction has had its first answer before this one."""
    return _code(error) == ANSWERED_ALREADY


def is_unknown_message(error: Exception) -> bool:
    """Return whether a message is not there, or no longer."""
    return _code(error) == UNKNOWN_MESSAGE


def is_refusal(error: Exception) -> bool:
    """Return whether Discord, or what stands before it, says no; not that it is busy or down."""
    return (
        isinstance(error, discord.HTTPException)
        and BAD_REQUEST <= error.status < UPSTREAM
        and error.status not in PASSING
    )


def is_upgrade_refused(error: Exception) -> bool:
    """Return whether the gateway, or what stands before it, takes no websocket of ours for now."""
    if not isinstance(error, aiohttp.WSServerHandshakeError | discord.HTTPException):
        return False
    return BAD_REQUEST <= error.status < UPSTREAM


def one_line(error: BaseException) -> str:
    """Return an error's message as one line, or its repr if it has none.

    Discord's refusals of a form have a line for each field. A page of HTML becomes its status, and
    a failure of the network plain words.
    """
    if (words := network_words(error)) is not None:
        return words
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if isinstance(error, discord.HTTPException) and "<html" in str(error).lower():
        return f"HTTP {error.status}"
    return "; ".join(lines) or repr(error)


def trouble(error: Exception) -> Trouble:
    """Return the kind of a failure: by Discord's code, else by the status.

    A bad payload (400) is ours; any other refusal with a code of Discord's own stands; the rest
    passes.
    """
    if not isinstance(error, discord.HTTPException):
        return Trouble.LATER
    if (code := _code(error)) in _BY_CODE:
        return _BY_CODE[code]
    if error.status == BAD_REQUEST:
        return Trouble.BUG
    return Trouble.REFUSED if code and is_refusal(error) else Trouble.LATER


def _code(error: Exception) -> int:
    """Return Discord's code; 0 where there is none, or it is no number."""
    code: object = getattr(error, "code", 0) if isinstance(error, discord.HTTPException) else 0
    return code if isinstance(code, int) else 0
