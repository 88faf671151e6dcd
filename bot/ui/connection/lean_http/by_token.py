"""Edits and deletions of a message by an interaction's token, by the lean client."""

from urllib.parse import quote

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.refusals import read, refusal
from bot.ui.limits import headers
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.errors import is_too_old, is_unknown_message
from bot.ui.limits.headers import RateLimits
from bot.ui.limits.retry_after import is_named

NO_CONTENT, TOO_MANY = 204, 429


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
            return headers.taken(reply.headers)
        raise error
    is_deleted = body is None and reply.status == NO_CONTENT
    if not is_deleted and named not in reply.body:
        raise UnreadableAnswerError(f"unreadable (HTTP {reply.status})")
    return headers.taken(reply.headers)


def _path(application: int, token: str, message: str) -> str:
    return f"/webhooks/{application}/{quote(token, safe='')}/messages/{message}"
