"""Edits and deletions of a message by an interaction's token, by the lean client."""

from urllib.parse import quote

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.refusals import read, refusal
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits import headers
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.errors import is_too_old, is_unknown_message
from bot.ui.limits.headers import NO_LIMITS, RateLimits
from bot.ui.limits.retry_after import is_named

NO_CONTENT, TOO_MANY = 204, 429
ORIGINAL = "@original"
"""The first answer to an interaction, in the place of its id."""


async def edited(
    client: LeanClient, application: int, token: str, message: str, body: bytes, named: bytes
) -> RateLimits:
    """Edit a message. `named`: what Discord's answer, the message, must hold.

    Returns the rate limits in the answer. Raises discord.HTTPException for any other refusal and
    for a rate limit that is the message's own or doesn't say how long it lasts, OSError if the
    network fails, and UnreadableAnswerError for anything that isn't the message: a network's own
    page says yes as well.
    """
    return await _sent(client, "PATCH", _path(application, token, message), body, named)


async def deleted(client: LeanClient, application: int, token: str, message: str) -> RateLimits:
    """Delete a message. Returns and raises as `edited` does.

    One that is unknown to a deletion that was sent twice was deleted by the first.
    """
    path = _path(application, token, message)
    return await _sent(client, "DELETE", path, None, message.encode())


async def original(client: LeanClient, application: int, token: str) -> str:
    """Return the id of the message that answers an interaction.

    Raises UnreadableAnswerError unless Discord tells it, even if Discord refuses: the message is
    there. Raises OSError if the network fails.
    """
    path = _path(application, token, ORIGINAL)
    reply = await client.request("GET", path, None, repeatable=True)
    message = read(reply.text)
    found = message.get("id") if reply.ok and isinstance(message, dict) else None
    if not isinstance(found, str):
        raise UnreadableAnswerError(f"unreadable (HTTP {reply.status})")
    return found


async def _sent(
    client: LeanClient, method: str, path: str, body: bytes | None, named: bytes
) -> RateLimits:
    reply = await client.request(method, path, body, repeatable=True)
    if reply.status == TOO_MANY:
        if is_too_old(error := refusal(reply)) or not is_named(reply.text):
            raise error
        return headers.refused(reply.headers, read(reply.text))
    if not reply.ok:
        error = refusal(reply)
        if body is None and reply.is_repeat and is_unknown_message(error):
            return _taken(reply)
        raise error
    is_deleted = body is None and reply.status == NO_CONTENT
    if not is_deleted and named not in reply.body:
        raise UnreadableAnswerError(f"unreadable (HTTP {reply.status})")
    return _taken(reply)


def _taken(reply: Reply) -> RateLimits:
    """Return the limits of a call that was taken, if they can be believed (PLATFORM 2)."""
    return headers.taken(reply.headers) if headers.are_sound(reply.headers) else NO_LIMITS


def _path(application: int, token: str, message: str) -> str:
    return f"/webhooks/{application}/{quote(token, safe='')}/messages/{message}"
