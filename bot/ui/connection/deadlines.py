"""The time that Discord allows for an answer, and that the bot waits for Discord."""

import asyncio
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Any, TypeAlias

import aiohttp
import discord
import orjson
from discord.http import MultipartParameters
from discord.webhook import async_

from bot.tables.state.message_refs import TOKEN_LIFE
from bot.ui.connection.lean_http import by_token, callbacks
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.limits.answers import answered_by

Interaction: TypeAlias = discord.Interaction[Any]

IN_TIME = 3.0
"""Seconds from an interaction's arrival in which Discord takes the first answer (PLATFORM 1)."""
PATIENCE = 10.0
"""Seconds after which any other call counts as lost."""
UPLOAD = 60.0
"""Seconds for a call that carries a large file."""
WITH_RESPONSE = "?with_response=1"
"""Asks for the message that an answer made, as discord.py does."""
MESSAGE = discord.InteractionResponseType.channel_message.value
_ARRIVED = "arrived"
_EARLIER = "earlier"
LATEST: ContextVar[float | None] = ContextVar("latest", default=None)
"""When the interaction arrived that this task answers, for calls that aren't given it."""


class TooLateError(TimeoutError):
    """An answer that is not sent: Discord would no longer take it."""


def note_arrival(interaction: Interaction, earlier: float = 0.0) -> None:
    """Remember when this interaction arrived. Called before anything else is done for it.

    `earlier`: the seconds since it arrived at another group.
    """
    arrived = asyncio.get_running_loop().time() - earlier
    LATEST.set(interaction.extras.setdefault(_ARRIVED, arrived))
    if earlier:
        interaction.extras[_EARLIER] = earlier


def earlier(interaction: Interaction) -> float:
    """Return by how many seconds an interaction arrived earlier at another group; else 0."""
    return float(interaction.extras.get(_EARLIER, 0.0))


def left(interaction: Interaction) -> float:
    """Return the seconds in which Discord still takes the first answer; none where they are over.

    Discord counts from its own event, which is older: an answer late here is late there.
    """
    return _until(interaction, IN_TIME) - asyncio.get_running_loop().time()


def first(interaction: Interaction) -> AbstractAsyncContextManager[None]:
    """Bound the first answer to an interaction.

    Raises TooLateError before anything is sent, TimeoutError out of a call that hangs, and
    UnreadableAnswerError.
    """
    return _at(_until(interaction, IN_TIME))


def later(
    interaction: Interaction, patience: float = PATIENCE
) -> AbstractAsyncContextManager[None]:
    """Bound a call by an interaction's token after its first answer. Raises as `first` does."""
    until = _until(interaction, TOKEN_LIFE)
    return _at(min(until, asyncio.get_running_loop().time() + patience))


class BoundedCalls(async_.AsyncWebhookAdapter):
    """discord.py's calls by an interaction's token, each bounded in time.

    Callers with less time bound them further. First answers without files go by the lean client,
    if there is one, and by its rules.
    """

    def __init__(self, lean: LeanClient | None, application: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._lean, self._application = lean, application

    async def request(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 discord.py's own
        async with asyncio.timeout(UPLOAD if options.get("files") else PATIENCE):
            return await super().request(*args, **options)

    async def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        params: MultipartParameters,
        **proxies: Any,  # noqa: ANN401 discord.py's own
    ) -> Any:  # noqa: ANN401 JSON
        """Send the first answer, and return Discord's JSON about it.

        It is tried as long as Discord takes one, counted from the interaction's arrival. Raises as
        `callbacks.answer` does. If only an earlier try was taken, Discord is asked for
        the id of the message that it has made.
        """
        if self._lean is None or params.files:
            ordinary = super().create_interaction_response
            return await ordinary(interaction_id, token, session=session, params=params, **proxies)
        body = orjson.dumps(params.payload)
        async with asyncio.timeout(PATIENCE):
            lean, payload = self._lean, params.payload or {}
            now = asyncio.get_running_loop().time()
            left = (LATEST.get() or now) + IN_TIME - now
            reply = await callbacks.answer(lean, interaction_id, token, body, left, WITH_RESPONSE)
            if reply is not None:
                return orjson.loads(reply.body)
            said: dict[str, Any] = {"id": str(interaction_id)}
            if payload.get("type") == MESSAGE:
                message = await by_token.original(lean, self._application, token)
                said["response_message_id"] = message
            return {"interaction": said}


def bound_calls(lean: LeanClient | None, application: int) -> None:
    """Bound the calls of the current task, and of all tasks that it starts from now on.

    `application`: the bot's id.

    An adapter other than discord.py's own stays in place.
    """
    if type(async_.async_context.get()) is async_.AsyncWebhookAdapter:
        async_.async_context.set(BoundedCalls(lean, application))


def _until(interaction: Interaction, seconds: float) -> float:
    if _ARRIVED not in interaction.extras:
        note_arrival(interaction)
    arrived: float = interaction.extras[_ARRIVED]
    return arrived + seconds


def _at(when: float) -> AbstractAsyncContextManager[None]:
    if when <= asyncio.get_running_loop().time():
        raise TooLateError
    return answered_by(when)
