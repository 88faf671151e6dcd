"""Table messages by the lean client, by the rules of discord.py.

discord.py's own request waits for a channel's rate limits and the bot's, and tries again what may
pass; only the sending is another. That takes private names of discord.py, which `KNOWN` checks: if
one has changed, its own session sends.
"""

import inspect
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import discord
from discord.http import HTTPClient, Route

from bot.ids import ChannelId, MessageId
from bot.ui.connection.lean_http.choice import lean_of
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.refusals import refusal
from bot.ui.connection.lean_http.replies import Headers, Reply
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.errors import is_too_old, is_unknown_message
from bot.ui.limits.headers import NAMES, are_sound
from bot.ui.limits.retry_after import is_named

Message: TypeAlias = Mapping[str, Any]
"""A message as Discord's JSON."""
MESSAGES, ONE = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
NO_CONTENT, TOO_MANY = 204, 429


def is_known() -> bool:
    """Return whether discord.py's request is the one that is known here."""
    try:
        named = HTTPClient.request.__code__.co_names
        asked = inspect.signature(HTTPClient.request).parameters
        deletes = list(inspect.signature(HTTPClient.delete_message).parameters)
        return (
            {"_HTTPClient__session", "json_or_text", "get_ratelimit", "status"} <= set(named)
            and {"route", "kwargs"} <= set(asked)
            and deletes[1:3] == ["channel_id", "message_id"]
        )
    except (AttributeError, TypeError, ValueError):
        return False


KNOWN = is_known()


class LeanCalls:
    """Calls about the messages of channels, as the bot. They raise what discord.py's raise.

    Each may be sent twice, so posts need a nonce.
    """

    def __init__(self, client: discord.Client, lean: LeanClient) -> None:
        self._http: Any = _Http(client.http, lean)

    async def post(self, channel: ChannelId, body: bytes) -> Message:
        """Post a message, and return it. Raises UnreadableAnswerError for any other answer."""
        route = Route("POST", MESSAGES, channel_id=channel)
        return _read(await self._http.request(route, data=body), channel)

    async def edit(self, channel: ChannelId, message: MessageId, body: bytes) -> Message:
        """Edit a message, and return it. Raises UnreadableAnswerError for any other answer."""
        route = Route("PATCH", ONE, channel_id=channel, message_id=message)
        edited = _read(await self._http.request(route, data=body), channel)
        if edited["id"] != str(message):
            raise UnreadableAnswerError("another message")
        return edited

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        await HTTPClient.delete_message(self._http, channel, message)


def lean_calls(client: discord.Client) -> LeanCalls | None:
    """Return the calls of a client; None if discord.py's own session makes them."""
    lean = lean_of(client) if KNOWN else None
    return LeanCalls(client, lean) if lean is not None else None


def picture(message: Message) -> int | None:
    """Return the id of the file that a message shows.

    Discord puts it in the component, and need not list it among the attachments (PLATFORM 4).
    """
    named = (media.get("attachment_id") for media in _media(message.get("components", ())))
    listed = (one.get("id") for one in message.get("attachments", ()))
    return next((int(one) for one in (*named, *listed) if one is not None), None)


def _media(parts: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 JSON
    for part in parts:
        yield from (item["media"] for item in part.get("items", ()))
        yield from _media(part.get("components", ()))


def _read(answer: Any, channel: ChannelId) -> Message:  # noqa: ANN401 JSON, or words
    """Return an answer that is a message of this channel. discord.py needs these fields as well."""
    is_message = isinstance(answer, dict) and all(
        isinstance(answer.get(parts), list) for parts in ("attachments", "components")
    )
    is_here = is_message and answer.get("channel_id") == str(channel)
    if not is_here or not str(answer.get("id", "")).isdecimal():
        raise UnreadableAnswerError("not a message of this channel")
    return cast("Message", answer)


class _Http:
    """discord.py's HTTP client, with all that it knows of limits, sending by the lean client."""

    def __init__(self, http: HTTPClient, lean: LeanClient) -> None:
        self._http = http
        self._HTTPClient__session = _Session(lean)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 whatever it has
        return getattr(self._http, name)

    async def request(self, route: Route, **more: Any) -> Any:  # noqa: ANN401 as discord.py's
        return await HTTPClient.request(cast("Any", self), route, **more)


class _Session:
    """The part of aiohttp's session that discord.py's request uses."""

    def __init__(self, lean: LeanClient) -> None:
        self._lean = lean

    def request(self, method: str, url: str, data: bytes | None = None, **_: object) -> "_Request":
        return _Request(self._lean, method, url.removeprefix(Route.BASE), data)


@dataclass(frozen=True, slots=True)
class _Request(AbstractAsyncContextManager["_Response"]):
    """A request that is sent once, on entering."""

    lean: LeanClient
    method: str
    path: str
    body: bytes | None

    async def __aenter__(self) -> "_Response":
        """Return the response.

        Raises a refusal that the caller handles better than discord.py, as `HttpCalls.trace` does:
        an old message's own limit, and one that doesn't name its pause.
        """
        asked = self.method, self.path, self.body
        reply = await self.lean.request(*asked, repeatable=True, as_bot=True)
        if reply.status == TOO_MANY:
            error = refusal(reply)
            if (self.method == "PATCH" and is_too_old(error)) or not is_named(reply.text):
                raise error
        return _Response(reply, self.method, _sound(reply.headers))

    async def __aexit__(self, *_: object) -> None:
        """Do nothing: the response has been read to its end."""


@dataclass(frozen=True, slots=True)
class _Response:
    """The part of aiohttp's response that discord.py's request reads."""

    reply: Reply
    method: str
    headers: Mapping[str, str]

    @property
    def status(self) -> int:
        """The status. A message that the same deletion has deleted before is deleted."""
        reply = self.reply
        if self.method == "DELETE" and reply.is_repeat and is_unknown_message(refusal(reply)):
            return NO_CONTENT
        return reply.status

    @property
    def reason(self) -> str:
        return self.reply.reason

    async def text(self, encoding: str = "utf-8") -> str:
        return self.reply.body.decode(encoding, "replace")


def _sound(told: Headers) -> Mapping[str, str]:
    """Return headers without rate limits that would break discord.py (PLATFORM 2)."""
    if are_sound(told):
        return told
    sound = told.keys() - {name.lower() for name in NAMES}
    return Headers({name.encode(): told[name].encode("latin-1") for name in sound})
