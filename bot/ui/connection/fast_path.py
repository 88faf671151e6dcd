"""The fast path: skips discord.py objects that nobody reads.

A press carries the message it is on, and discord.py builds an object per button; the response to
each answer and push carries the message too, and it builds them again. That costs more than the
rest of a press, and tracing and cookie handling of an answer a tenth of it (docs/speed.md). The
fast path uses private names of discord.py. `KNOWN` checks them; if one has changed, everything
goes through discord.py as usual.
"""

import asyncio
import inspect
from types import SimpleNamespace
from typing import Any, TypeAlias, cast
from weakref import WeakKeyDictionary

import aiohttp
import discord
import orjson
from discord.http import HTTPClient, Route
from discord.ui import LayoutView
from discord.webhook import async_

from bot.ids import MessageId
from bot.ui.connection import deadlines
from bot.ui.connection.deadlines import Interaction
from bot.ui.connection.lean_http import by_token, callbacks, refusals
from bot.ui.connection.lean_http.choice import lean_of
from bot.ui.limits import headers
from bot.ui.limits.answers import UnreadableAnswerError, note_status
from bot.ui.limits.headers import NO_LIMITS, RateLimits
from bot.ui.render.bodies import callback_body, message_body

Session: TypeAlias = aiohttp.ClientSession
Payload: TypeAlias = dict[str, Any]
Refusal: TypeAlias = tuple[discord.HTTPException, float | None]

NOBODY = discord.AllowedMentions.none()
UPDATE = discord.InteractionResponseType.message_update
APPLICATION_JSON = "application/json"
JSON = {"Content-Type": APPLICATION_JSON}
CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
ORIGINAL = by_token.ORIGINAL
UNREAD = {"content": ""}
"""The field that discord.py needs in a message that nobody reads."""
NO_CONTENT, TOO_MANY, UPSTREAM = 204, 429, 500
SHORTEST = 0.5
"""Seconds of the remaining time that each rate limit costs at least, to bound the retries."""


def is_known() -> bool:
    """Return whether this discord.py has every private name used here, with the same shape."""
    try:
        request = inspect.signature(async_.AsyncWebhookAdapter.request).parameters
        answer = inspect.signature(async_.AsyncWebhookAdapter.create_interaction_response)
        asks = {"route", "session", "payload"} <= set(request)
        gives = {"session", "params"} <= set(answer.parameters)
        has = "_session" in discord.Interaction.__slots__ and "session" in discord.Webhook.__slots__
        ends = {"_response_type", "_parent"} <= set(discord.InteractionResponse.__slots__)
        Lean = cast("Any", discord.Message)  # noqa: N806 discord.py's class, from fewer fields
        Lean(state=None, channel=SimpleNamespace(guild=None), data={**UNREAD, "id": 1, "type": 0})
        known = asks and gives and has and ends and hasattr(aiohttp.ClientResponse, "_headers")
        return known and callable(async_.async_context.get().request)
    except (AttributeError, LookupError, TypeError):
        return False


KNOWN = is_known()


async def update(interaction: Interaction, view: LayoutView) -> None:
    """Answer a press by editing its message. Raises what discord.py's answers raise."""
    response = interaction.response
    if not KNOWN:
        await response.edit_message(view=view, allowed_mentions=NOBODY)
        return
    if response.is_done():
        raise discord.InteractionResponded(interaction)
    body = callback_body(view)
    if (lean := lean_of(interaction.client)) is not None:
        left = deadlines.left(interaction)
        await callbacks.answer(lean, interaction.id, interaction.token, body, left)
    else:
        route = Route("POST", CALLBACK, webhook_id=interaction.id, webhook_token=interaction.token)
        await _answer(interaction, route, body)
    response._response_type = UPDATE  # noqa: SLF001 checked by KNOWN


def release(interaction: Interaction) -> None:
    """Have a handled press freed at once. It can't be answered any more.

    It and its response refer to each other, so it would else be kept until one of the rare full
    garbage collections.
    """
    if KNOWN:
        cast("Any", interaction.response)._parent = None  # noqa: SLF001 checked by KNOWN


async def push(
    client: discord.Client, token: str, message: MessageId | str, view: LayoutView
) -> RateLimits:
    """Edit the answer to an interaction later. Return the rate limits in Discord's response.

    `message`: its id, or `ORIGINAL` where that is unknown. Raises what discord.py's edits raise,
    except for a rate limit, which is returned.
    """
    if (lean := lean_of(client)) is not None and client.application_id is not None:
        body, named = message_body(view), _named(message)
        app = client.application_id
        return await by_token.edited(lean, app, token, str(message), body, named)
    hook = _hook(client, token)
    if not KNOWN or hook.session is None:
        await hook.edit_message(cast("int", message), view=view, allowed_mentions=NOBODY)
        return NO_LIMITS
    return await _by_token(client, hook, message, message_body(view))


async def delete(client: discord.Client, token: str, message: MessageId) -> RateLimits:
    """Delete the answer to an interaction. Returns and raises as `push` does."""
    if (lean := lean_of(client)) is not None and client.application_id is not None:
        return await by_token.deleted(lean, client.application_id, token, str(message))
    hook = _hook(client, token)
    if not KNOWN or hook.session is None:
        await hook.delete_message(message)
        return NO_LIMITS
    return await _by_token(client, hook, message, None)


def _hook(client: discord.Client, token: str) -> discord.Webhook:
    app = client.application_id
    assert app is not None, "the client has logged in"
    return discord.Webhook.partial(app, token, client=client)


def _named(message: MessageId | str) -> bytes:
    """Return what a message's JSON holds."""
    return b'"id"' if message == ORIGINAL else str(message).encode()


async def _by_token(
    client: discord.Client, hook: discord.Webhook, message: MessageId | str, body: bytes | None
) -> RateLimits:
    """Send an edit, or a deletion, which has no body. discord.py would retry with an old screen.

    Discord answers an edit with the message, a deletion with nothing. Raises UnreadableAnswerError
    for anything else, since a network's own page says yes as well.
    """
    method = "DELETE" if body is None else "PATCH"
    route = Route(method, MESSAGE, webhook_id=hook.id, webhook_token=hook.token, message_id=message)
    asked: Any = {"data": body, "headers": JSON, "proxy": client.http.proxy}
    async with hook.session.request(method, route.url, **asked) as reply:
        if reply.status == TOO_MANY:
            return headers.refused(reply.headers, refusals.read(await reply.text()))
        if not reply.ok:
            raise await refusal(reply)
        read = await reply.read()  # otherwise aiohttp closes the connection
        is_deleted = body is None and reply.status == NO_CONTENT
        if not is_deleted and _named(message) not in read:
            raise UnreadableAnswerError(f"unreadable (HTTP {reply.status})")
        return headers.taken(reply.headers)


_PLAIN: WeakKeyDictionary[aiohttp.ClientSession, aiohttp.ClientSession] = WeakKeyDictionary()
"""A second session per discord.py session, on its connections, without tracing or cookies."""


async def _answer(interaction: Interaction, route: Route, body: bytes) -> None:
    """Send an answer. Raises discord.HTTPException if Discord refuses it.

    A rate limit is waited out while the answer can still be in time. Errors from 500 on are left
    to discord.py, which retries them.
    """
    session = interaction._session  # noqa: SLF001 checked by KNOWN
    http = interaction.client.http
    if (plain := _plain(session, http)) is None:
        await _request(session, route, body, http)
        return
    left = deadlines.left(interaction)
    while (refused := await _post(plain, route, body)) is not None:
        error, pause = refused
        if error.status >= UPSTREAM:
            await _request(session, route, body, http)
            return
        interaction.client.calls.refused(route.url, error.status, error.response.headers)
        if pause is None or pause > left:
            raise error
        left -= max(pause, SHORTEST)
        await asyncio.sleep(pause)


def _plain(session: Session | None, http: HTTPClient) -> Session | None:
    if session is None or session.connector is None:
        return None
    if (plain := _PLAIN.get(session)) is None:
        _PLAIN[session] = plain = aiohttp.ClientSession(
            connector=session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": http.user_agent},
            proxy=http.proxy,
        )
    return plain


async def _post(session: aiohttp.ClientSession, route: Route, body: bytes) -> Refusal | None:
    """Send an answer once. Return None if Discord accepted it.

    Otherwise, return the exception discord.py would raise, and the seconds until a retry (None if
    a retry is useless). Raises UnreadableAnswerError for a page: Discord says nothing, or JSON.
    """
    async with session.post(route.url, data=body, headers=JSON) as reply:
        note_status(reply.status)
        if reply.status == NO_CONTENT or (reply.ok and reply.content_type == APPLICATION_JSON):
            return None
        if reply.ok:
            raise UnreadableAnswerError(f"unreadable (HTTP {reply.status}): {reply.content_type}")
        return await refusal(reply), await _pause(reply)


async def refusal(reply: aiohttp.ClientResponse) -> discord.HTTPException:
    """Return the exception discord.py would raise. The reply can be read again afterwards."""
    return refusals.error(reply, await reply.text())


async def _pause(reply: aiohttp.ClientResponse) -> float | None:
    """Return the seconds until a retry; None unless it is a rate limit."""
    if reply.status != TOO_MANY:
        return None
    return headers.asked_for(reply.headers, refusals.read(await reply.text()))


def leave_out_unsound_limits(reply: aiohttp.ClientResponse) -> None:
    """Remove rate limit headers that would break discord.py (PLATFORM 2).

    Called before discord.py reads the headers.
    """
    if not KNOWN or headers.are_sound(told := reply.headers):
        return
    kept = told.copy()
    for name in headers.NAMES:
        kept.popall(name, None)
    reply._headers = type(told)(kept)  # noqa: SLF001 checked by KNOWN
    getattr(reply, "_cache", {}).pop("headers", None)


async def _request(session: Session, route: Route, body: bytes, http: HTTPClient) -> None:
    """Send with discord.py's own request and its retries; drop the response."""
    adapter, payload = async_.async_context.get(), orjson.loads(body)
    await adapter.request(route, session, payload=payload, proxy=http.proxy)
