"""Past objects that discord.py builds and nobody reads.

A press brings the message it is on, and discord.py makes an object of each of its buttons; the
answer, and every push, brings the message back, and it does so again. That costs more than all the
rest of a press, and an answer that is traced and looked through for cookies a tenth of it
(docs/speed.md). The names used here for less are none that discord.py promises:
`KNOWN` looks at them, and where one is not as it was everything goes discord.py's ordinary way.
"""

import asyncio
import inspect
import logging
from collections.abc import Callable, MutableMapping
from types import SimpleNamespace
from typing import Any, TypeAlias, cast
from weakref import WeakKeyDictionary

import aiohttp
import discord
import orjson
from discord.http import Route
from discord.ui import LayoutView
from discord.webhook import async_

from bot.games.screen import ASIDE
from bot.ui import deadline, limits
from bot.ui.limits import HEARD, Heard

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Payload: TypeAlias = dict[str, Any]
Refusal: TypeAlias = tuple[discord.HTTPException, float | None]

NOBODY = discord.AllowedMentions.none()
UPDATE = discord.InteractionResponseType.message_update
JSON = {"Content-Type": "application/json"}
CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
_COMPONENTS_V2 = discord.MessageFlags(components_v2=True).value
_READ = frozenset({"id", "type", "flags"})
"""What is kept of the message of a table's press."""
_BESIDE = f"{ASIDE}:"
_PRIVATE = discord.MessageFlags(ephemeral=True).value
_UNREAD = {"content": ""}
TOO_MANY, UPSTREAM = 429, 500
SHORTEST = 0.5
"""Seconds that a rate limit costs of them at least, so that it is not asked often."""
_KINDS = {403: discord.Forbidden, 404: discord.NotFound}


def is_known() -> bool:
    """Whether this discord.py has what is used here, as it is used."""
    try:
        request = inspect.signature(async_.AsyncWebhookAdapter.request).parameters
        asks = {"route", "session", "payload"} <= set(request)
        has = "_session" in discord.Interaction.__slots__ and "session" in discord.Webhook.__slots__
        ends = "_response_type" in discord.InteractionResponse.__slots__
        Lean = cast("Any", discord.Message)  # noqa: N806 discord.py's own, made of less
        Lean(state=None, channel=SimpleNamespace(guild=None), data={**_UNREAD, "id": 1, "type": 0})
        return (
            asks
            and has
            and ends
            and hasattr(aiohttp.ClientResponse, "_headers")
            and callable(async_.async_context.get().request)
        )
    except (AttributeError, LookupError, TypeError):
        return False


KNOWN = is_known()


def read_lightly(client: discord.Client) -> None:
    """A table's presses come with no more of their message than is read of it: which it is,
    whether only one sees it, and whose it is where that is somebody else. Others are read whole.
    """
    parsers: MutableMapping[str, Callable[[Payload], None]] | None
    parsers = getattr(client._connection, "parsers", None)  # noqa: SLF001 said above
    ordinary = parsers.get("INTERACTION_CREATE") if parsers is not None else None
    if not KNOWN or parsers is None or ordinary is None:
        log.info("this discord.py is another than the one known: presses are read at full length")
        return

    def read(press: Payload) -> None:
        message = press.get("message")
        if message is not None and not press["data"]["custom_id"].startswith(_BESIDE):
            press["message"] = {
                **_UNREAD,
                **{key: message[key] for key in _READ & message.keys()},
                **_anothers(press, message),
            }
        ordinary(press)

    parsers["INTERACTION_CREATE"] = read


def _anothers(press: Payload, message: Payload) -> Payload:
    """Whose private message was pressed, where it isn't the presser's own."""
    asked = message.get("interaction_metadata")
    if asked is None or not message.get("flags", 0) & _PRIVATE:
        return {}
    user = press["member"]["user"] if "member" in press else press["user"]
    return {} if asked["user"]["id"] == user["id"] else {"interaction_metadata": asked}


async def update(interaction: Interaction, view: LayoutView) -> None:
    """Answer a press: its own message shows this. Raises what discord.py's answers raise."""
    response = interaction.response
    if not KNOWN:
        await response.edit_message(view=view, allowed_mentions=NOBODY)
        return
    if response.is_done():
        raise discord.InteractionResponded(interaction)
    route = Route("POST", CALLBACK, webhook_id=interaction.id, webhook_token=interaction.token)
    answer = {"type": UPDATE.value, "data": _payload(view)}
    await _answer(interaction, route, answer)
    response._response_type = UPDATE  # noqa: SLF001 said above


async def push(hook: discord.Webhook, message: int, view: LayoutView) -> Heard:
    """Edit the answer to an interaction later on. Return what Discord says of its limits. Raises
    what discord.py's edits raise, but not for a rate limit.
    """
    if not KNOWN or hook.session is None:
        await hook.edit_message(message, view=view, allowed_mentions=NOBODY)
        return HEARD
    return await _by_token("PATCH", hook, message, _payload(view))


async def delete(hook: discord.Webhook, message: int) -> Heard:
    """Delete an answer to an interaction. Returns and raises as `push` does."""
    if not KNOWN or hook.session is None:
        await hook.delete_message(message)
        return HEARD
    return await _by_token("DELETE", hook, message, None)


async def _by_token(
    method: str, hook: discord.Webhook, message: int, payload: Payload | None
) -> Heard:
    """Ask once. discord.py would wait a refusal out, with older pictures than there are then."""
    route = Route(method, MESSAGE, webhook_id=hook.id, webhook_token=hook.token, message_id=message)
    data = orjson.dumps(payload) if payload is not None else None
    async with hook.session.request(method, route.url, data=data, headers=JSON) as reply:
        if reply.status == TOO_MANY:
            return limits.refused(reply.headers, _read(await reply.text()))
        if not reply.ok:
            raise await refusal(reply)
        await reply.read()  # else the connection is closed
        return limits.taken(reply.headers)


def _payload(view: LayoutView) -> Payload:
    return {
        "components": view.to_components(),  # type: ignore[no-untyped-call]
        "flags": _COMPONENTS_V2,
        "allowed_mentions": NOBODY.to_dict(),
    }


_PLAIN: WeakKeyDictionary[aiohttp.ClientSession, aiohttp.ClientSession] = WeakKeyDictionary()
"""Beside each session of discord.py's one over its connections, which traces and keeps nothing."""


async def _answer(interaction: Interaction, route: Route, payload: Payload) -> None:
    """Send an answer once. What Discord refuses is refused for good; only a rate limit is waited
    out, while the answer can still be in time, and trouble before Discord is left to discord.py.
    """
    session = interaction._session  # noqa: SLF001 said above
    if (plain := _plain(session, interaction.client.http.user_agent)) is None:
        await _request(session, route, payload)
        return
    left = deadline.left(interaction)
    while (refused := await _refused(plain, route, payload)) is not None:
        error, pause = refused
        if error.status >= UPSTREAM:
            await _request(session, route, payload)
            return
        interaction.client.refused(route.url, error.status, error.response.headers)
        if pause is None or pause > left:
            raise error
        left -= max(pause, SHORTEST)
        await asyncio.sleep(pause)


def _plain(session: aiohttp.ClientSession | None, agent: str) -> aiohttp.ClientSession | None:
    if session is None or session.connector is None:
        return None
    if (plain := _PLAIN.get(session)) is None:
        _PLAIN[session] = plain = aiohttp.ClientSession(
            connector=session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": agent},
        )
    return plain


async def _refused(
    session: aiohttp.ClientSession, route: Route, payload: Payload
) -> Refusal | None:
    """Send it. Return what discord.py would raise for Discord's refusal, and the seconds after
    which it may be asked again; None if it was taken.
    """
    async with session.post(route.url, data=orjson.dumps(payload), headers=JSON) as reply:
        if reply.ok:
            return None
        return await refusal(reply), await _pause(reply)


async def refusal(reply: aiohttp.ClientResponse) -> discord.HTTPException:
    """Return what discord.py would raise for this. The reply can be read again after it."""
    kind = _KINDS.get(reply.status, discord.HTTPException)
    return kind(reply, _read(await reply.text()))


def _read(body: str) -> Payload | str:
    """A refusal's body: an object, or the words of what stands before Discord."""
    try:
        read = orjson.loads(body)
    except ValueError:
        return body
    return read if isinstance(read, dict) else body


async def _pause(reply: aiohttp.ClientResponse) -> float | None:
    """Return the seconds to wait; None if Discord says no, whenever it is asked."""
    if reply.status != TOO_MANY:
        return None
    return limits.asked_for(reply.headers, _read(await reply.text()))


def leave_out_unsound_limits(reply: aiohttp.ClientResponse) -> None:
    """Take away what discord.py would stumble over. Called before it has read the headers."""
    if not KNOWN or limits.are_sound(told := reply.headers):
        return
    kept = told.copy()
    for name in limits.NAMES:
        kept.popall(name, None)
    reply._headers = type(told)(kept)  # noqa: SLF001 said above
    getattr(reply, "_cache", {}).pop("headers", None)


async def _request(session: aiohttp.ClientSession, route: Route, payload: Payload) -> None:
    """discord.py's own request, with its patience; what comes back is dropped."""
    await async_.async_context.get().request(route, session, payload=payload)
