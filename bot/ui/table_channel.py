"""The calls to Discord about a table's public message."""

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import LayoutView

from bot.tables.table import Table
from bot.ui.errors import FAILURES

PATIENCE = 10.0
"""Seconds after which a call counts as lost; nobody waits for it."""
NOBODY = discord.AllowedMentions.none()


class TableChannel:
    """The channel or thread that a table is in now. Calls raise `FAILURES`."""

    def __init__(self, table: Table, client: discord.Client) -> None:
        self._table = table
        self._client = client

    async def post(self, view: LayoutView, nonce: str, files: Sequence[discord.File]) -> int:
        """Return the id of the new message, or of the one that this nonce has posted already."""
        async with asyncio.timeout(PATIENCE):
            message = await self._here.send(
                view=view, nonce=nonce, files=files, allowed_mentions=NOBODY
            )
        return message.id

    async def edit(
        self, message: int, view: LayoutView, files: Sequence[discord.File] | None
    ) -> None:
        """Show this on a message. `files`: all that is attached from now on; None changes none."""
        more: dict[str, Any] = {} if files is None else {"attachments": files}
        async with asyncio.timeout(PATIENCE):
            known = self._here.get_partial_message(message)
            await known.edit(view=view, allowed_mentions=NOBODY, **more)

    async def delete(self, message: int) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._here.get_partial_message(message).delete()

    async def answer_of(self, token: str) -> int | None:
        """Return the message that answers a command, if Discord has it. Raises nothing."""
        app = self._client.application_id
        assert app is not None, "the client has logged in"
        hook = discord.Webhook.partial(app, token, client=self._client)
        original: Any = "@original"  # a message id as far as the route is concerned
        try:
            async with asyncio.timeout(PATIENCE):
                message = await hook.fetch_message(original)
        except FAILURES:
            return None
        return message.id

    @property
    def _here(self) -> discord.PartialMessageable:
        session = self._table.session
        return self._client.get_partial_messageable(session.channel, guild_id=session.opened.guild)
