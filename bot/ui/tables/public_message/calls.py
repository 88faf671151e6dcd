"""The calls to Discord about a table's public messages."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord.ui import LayoutView

from bot.ids import ChannelId, MessageId
from bot.tables.running.table import Table
from bot.ui.connection import fast_path
from bot.ui.limits.answers import PATIENCE, answered_within
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.render.bodies import message_body
from bot.ui.render.score_image import Listed, Part
from bot.ui.tables.public_message.lean_calls import lean_calls, picture

UPLOAD = 3.0
"""Seconds after which a call that brings a picture counts as lost: the words wait for it."""
BESIDE = 3.0
"""Seconds for a call about another message: the table message waits for it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that Discord accepted. `picture`: the id of the file it shows, if any."""

    message: MessageId
    picture: int | None


class TableChannel:
    """The channel or thread that a table is in now. Calls raise `FAILURES`, and ping nobody.

    Whoever posts or edits has waited for a turn to do so. `turn`: wait until the bot may make a
    call of its own, as the other calls here do (PLATFORM 2).
    """

    def __init__(
        self, table: Table, client: discord.Client, turn: Callable[[], Awaitable[None]]
    ) -> None:
        self._table = table
        self._client = client
        self._turn = turn

    async def post(self, view: LayoutView, nonce: str, files: Sequence[Part]) -> Sent:
        """Post a message. Return it, or the earlier one with the same nonce (PLATFORM 2)."""
        if not files and (lean := lean_calls(self._client)) is not None:
            body = message_body(view, nonce=nonce)
            async with answered_within():
                posted = await lean.post(self._where(None), body)
                return Sent(MessageId(int(posted["id"])), picture(posted))
        new: Any = files  # a new message has no uploaded files to list
        async with answered_within(_patience(files)):
            message = await self._at(None).send(
                view=view, nonce=nonce, files=new, allowed_mentions=fast_path.NOBODY
            )
        return Sent(MessageId(message.id), _picture(message))

    async def edit(
        self,
        message: MessageId,
        view: LayoutView,
        attached: Sequence[Part] | None = None,
        channel: ChannelId | None = None,
    ) -> Sent:
        """Edit a message here, or in the given channel.

        `attached`: all its files from now on; None keeps them.
        """
        lean = None if _uploads(attached) else lean_calls(self._client)
        if lean is not None:
            body = message_body(view, attachments=_listed(attached))
            async with answered_within():
                edited = await lean.edit(self._where(channel), message, body)
                return Sent(message, picture(edited))
        more: dict[str, Any] = {} if attached is None else {"attachments": attached}
        async with answered_within(_patience(attached)):
            known = self._at(channel).get_partial_message(message)
            shown = await known.edit(view=view, allowed_mentions=fast_path.NOBODY, **more)
        return Sent(message, _picture(shown))

    async def delete(self, message: MessageId, channel: ChannelId | None = None) -> None:
        """Delete a message here, or in the given channel."""
        await self._turn()
        async with answered_within(BESIDE):
            if (lean := lean_calls(self._client)) is not None:
                await lean.delete(self._where(channel), message)
            else:
                await self._at(channel).get_partial_message(message).delete()

    async def is_gone(self) -> bool:
        """Ask Discord whether this channel or its server is gone. False if nobody says so."""
        await self._turn()
        try:
            async with answered_within():
                await self._client.fetch_channel(self._table.session.channel)
        except FAILURES as error:
            return trouble(error) is Trouble.PLACE_GONE
        return False

    async def answer_of(self, token: str) -> MessageId:
        """Return the id of the message that answered a command. Raises any of `FAILURES`."""
        app = self._client.application_id
        assert app is not None, "the client has logged in"
        hook = discord.Webhook.partial(app, token, client=self._client)
        original: Any = "@original"  # a message id as far as the route is concerned
        async with answered_within():
            message = await hook.fetch_message(original)
        return MessageId(message.id)

    def _at(self, channel: ChannelId | None) -> discord.PartialMessageable:
        guild = self._table.session.opened.guild
        return self._client.get_partial_messageable(self._where(channel), guild_id=guild)

    def _where(self, channel: ChannelId | None) -> ChannelId:
        return self._table.session.channel if channel is None else channel


def _uploads(files: Sequence[Part] | None) -> bool:
    return any(isinstance(one, discord.File) for one in files or ())


def _listed(files: Sequence[Part] | None) -> list[dict[str, str]] | None:
    """Return files that the message has already, as an edit lists them."""
    return None if files is None else [one.to_dict() for one in files if isinstance(one, Listed)]


def _patience(files: Sequence[Part] | None) -> float:
    """Return the seconds that a call with these files may take."""
    return UPLOAD if _uploads(files) else PATIENCE


def _picture(message: discord.Message) -> int | None:
    """Return the id of the file that a message shows.

    Discord puts it in the component, and need not list it among the attachments (PLATFORM 4).
    """
    named = (media.attachment_id for media in _media(message.components))
    listed = (one.id for one in message.attachments)
    return next((one for one in (*named, *listed) if one is not None), None)


def _media(parts: Iterable[Any]) -> Iterator[Any]:
    for part in parts:
        yield from (item.media for item in getattr(part, "items", ()))
        yield from _media(getattr(part, "children", ()))
