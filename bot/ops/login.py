"""Logins and connections that Discord refuses, as errors a person can read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import aiohttp
import discord

from bot.ui.limits.errors import NETWORK, is_upgrade_refused, one_line
from bot.ui.limits.retry_after import seconds

UPSTREAM = 500
"""From this HTTP status on, Discord is down; below, it refuses the bot."""
LEFT = 10
"""Sessions of a day that no start uses."""
TOKEN_REFUSED: TypeAlias = discord.LoginFailure | discord.ConnectionClosed


class AwayError(Exception):
    """The bot has to be started again later.

    `refused`: Discord has said no, and starts that follow at once could make a ban worse; `after`:
    the seconds that it asks to wait.
    """

    def __init__(self, said: str, *, refused: bool = False, after: float = 0.0) -> None:
        super().__init__(said)
        self.refused = refused
        self.after = after


def is_refusal(error: Exception) -> bool:
    """Return whether Discord has said no, whatever the reason."""
    return isinstance(error, TOKEN_REFUSED) or (isinstance(error, AwayError) and error.refused)


@contextmanager
def in_words(meaning: Callable[[Exception], Exception]) -> Iterator[None]:
    """Raise what an error means in its place."""
    try:
        yield
    except Exception as error:
        if (said := meaning(error)) is error:
            raise
        raise said from error


async def log_in(client: discord.Client, token: str) -> None:
    """Log in.

    Raises what `at_login` returns, and AwayError for what can't be read: until the application is
    known, none of our own code runs in it.
    """
    try:
        await client.login(token)
    except Exception as error:
        said = at_login(error)
        if said is error and client.application_id is None and not is_refusal(error):
            said = _unreadable("login", error)
        if said is error:
            raise
        raise said from error


def at_login(error: Exception) -> Exception:
    """Return the exception to raise for a failed login.

    LoginFailure for the token, AwayError for what passes, and the error itself if it is neither
    Discord's nor the network's.
    """
    match error:
        case discord.LoginFailure():
            return error
        case discord.HTTPException(status=401):
            return discord.LoginFailure(one_line(error))
        case discord.HTTPException(status=status) if status >= UPSTREAM:
            return AwayError(f"Discord is down (HTTP {status})")
        case discord.HTTPException():
            return _refused(error)
        case discord.GatewayNotFound():
            cause = error.__cause__
            none = AwayError("Discord gave no gateway address")
            return at_login(cause) if isinstance(cause, Exception) else none
        case aiohttp.WSServerHandshakeError(status=status) if is_upgrade_refused(error):
            after = seconds(error.headers or {}) or 0.0
            said = f"Discord refuses the connection{_wait(after)} (HTTP {status})"
            return AwayError(said, refused=True, after=after)
        case _ if isinstance(error, NETWORK):
            return AwayError(f"Discord cannot be reached: {one_line(error)}")
        case _:
            return error


def at_gateway(error: Exception) -> Exception:
    """Return the exception to raise for a connection that has ended.

    ConnectionClosed if Discord has closed it for good, LoginFailure for the token, AwayError for
    everything else. None of our own code runs in it.
    """
    match error:
        case discord.ConnectionClosed():
            return error
        case discord.PrivilegedIntentsRequired():
            return AwayError("Discord closed the connection permanently: 4014", refused=True)
        case _ if isinstance(known := at_login(error), AwayError | discord.LoginFailure):
            return known
        case _:
            return _unreadable("gateway", error)


def leave_some(limits: discord.SessionStartLimits, counted: int = 0) -> None:
    """Raise AwayError if today's sessions are nearly used up.

    `counted`: those that all groups have started today. Discord's own figure may come late.
    One more than there are resets the token (PLATFORM 2), and a running bot needs some to replace
    broken connections.
    """
    if min(limits.remaining, limits.total - counted) < LEFT:
        after = limits.reset_after / 1000
        said = f"too many starts today: Discord allows the next one in {after:.0f} s"
        raise AwayError(said, refused=True, after=after)


def _refused(error: discord.HTTPException) -> AwayError:
    after = seconds(error.response.headers) or 0.0
    said = f"Discord refuses the bot{_wait(after)}: {one_line(error)}"
    return AwayError(said, refused=True, after=after)


def _wait(after: float) -> str:
    return f" for {after:.0f} s" if after else " for now"


def _unreadable(what: str, error: Exception) -> AwayError:
    said = f"Discord's {what} sent data that cannot be read: {error!r}"
    return AwayError(said, refused=True)
