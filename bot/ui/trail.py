"""What a live check has posted and not yet deleted. It is kept across a kill."""

import json
import logging
from collections.abc import Sequence
from typing import NamedTuple, Protocol, cast

import discord

from bot.ui.errors import FAILURES, Trouble, trouble

log = logging.getLogger(__name__)

NOTE = "live check"
GONE = (Trouble.MESSAGE_GONE, Trouble.PLACE_GONE)


class Notes(Protocol):
    """Where it is kept. `remember` returns when it is on the disk."""

    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class Posted(NamedTuple):
    """A message in a channel; with none, the channel itself, which is a thread."""

    channel: int
    message: int | None = None


class Trail:
    """All that is left to delete, of every check. Raises what the database raises."""

    def __init__(self, client: discord.Client, notes: Notes) -> None:
        self._client = client
        self._notes = notes
        self._left: list[Posted] = []

    async def add(self, posted: Posted) -> None:
        self._left.append(posted)
        await self._write()

    async def clear(self, posted: Sequence[Posted]) -> tuple[Posted, ...]:
        """Delete these, the last first. Return those that Discord keeps: a thread that the bot may
        not delete is archived.
        """
        kept = [one for one in reversed(posted) if not await self._delete(one)]
        self._left = [one for one in self._left if one not in posted]
        await self._write()
        return tuple(kept)

    async def clean_up(self) -> None:
        """Delete what a process before this one has left."""
        left = [Posted(*one) for one in json.loads(await self._notes.note(NOTE) or "[]")]
        if left:
            log.info("deleting %d things that a live check has left", len(left))
            await self.clear(left)

    async def _write(self) -> None:
        await self._notes.remember(NOTE, json.dumps(self._left))

    async def _delete(self, posted: Posted) -> bool:
        """Return whether it is gone."""
        try:
            if posted.message is not None:
                channel = self._client.get_partial_messageable(posted.channel)
                await channel.get_partial_message(posted.message).delete()
                return True
            thread = await self._client.fetch_channel(posted.channel)
            return await _end(cast("discord.Thread", thread))
        except FAILURES as error:
            log.info("channel %d: a live check's post stays: %s", posted.channel, error)
            return trouble(error) in GONE


async def _end(thread: discord.Thread) -> bool:
    """Delete a thread, for which the bot seldom has the permission; else archive it."""
    try:
        await thread.delete()
    except discord.Forbidden:
        await thread.edit(archived=True)
        return False
    return True
