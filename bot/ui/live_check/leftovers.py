"""Posts of a live check that are not yet deleted. The list is kept across a kill."""

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol, cast

import discord

from bot.i18n import FALLBACK, say
from bot.ids import ChannelId, MessageId
from bot.tables.presses.discord_time import DiscordTime
from bot.text import Text
from bot.ui.limits.errors import Trouble, trouble
from bot.ui.live_check.attempt import Attempt, attempt

log = logging.getLogger(__name__)

NOTE = "live check"
GONE = (Trouble.MESSAGE_GONE, Trouble.PLACE_GONE)
NONCE_LIFE = 120.0
"""Seconds in which Discord surely still knows a nonce: a few minutes (PLATFORM 4)."""
AROUND = 60.0
"""Seconds around a lost posting in which it is looked for."""
LOOKED_AT = 100
"""Messages of a channel that are looked through for it."""


class Notes(Protocol):
    """The store of notes by key. `remember` returns when the note is on the disk."""

    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class Posted(NamedTuple):
    """A message in a channel.

    One without an id was sent at `at` (Unix seconds by Discord's clock) with a `nonce`, and may be
    there. With neither, it is the channel itself, which is a thread.
    """

    channel: ChannelId
    message: MessageId | None = None
    nonce: str = ""
    at: float = 0.0


class Left(NamedTuple):
    """The posts left behind by a clearing. `problem`, `wait`: of the first of them."""

    is_archived: bool = False
    kept: tuple[Posted, ...] = ()
    problem: str = ""
    wait: float = 0.0


class Leftovers:
    """The posts of every check that are still to be deleted. Raises what the database raises."""

    def __init__(self, client: discord.Client, notes: Notes, time: DiscordTime) -> None:
        self._client = client
        self._notes = notes
        self._time = time
        self._left: list[Posted] = []
        self._is_read = False

    async def add(self, posted: Posted, instead: Posted | None = None) -> Posted:
        """Store a post before it can exist in Discord. `instead`: the entry that it replaces."""
        await self._read()
        self._left = [one for one in self._left if one != instead]
        self._left.append(posted)
        await self._write()
        return posted

    async def sends(self, channel: ChannelId) -> Posted:
        """Store that a message is about to be sent, with a new nonce."""
        at = self._time.now()
        return await self.add(Posted(channel, None, f"live{int(at * 1000)}", at))

    async def drop(self, posted: Posted) -> None:
        """Forget a post that was never there, or is gone."""
        self._left = [one for one in self._left if one != posted]
        await self._write()

    async def clear(self, posted: Sequence[Posted]) -> Left:
        """Delete these, the last first, and return those that are left.

        A thread that the bot may not delete is archived and forgotten; whatever else isn't gone is
        kept for the next start.
        """
        left = Left()
        for one in reversed(posted):
            ended = await self._delete(one)
            if ended.error is None or trouble(ended.error) in GONE:
                left = left._replace(is_archived=left.is_archived or ended.result is False)
                await self.drop(one)
            else:
                log.info("channel %d: live check's post not deleted: %s", one.channel, ended.error)
                if not left.kept:
                    left = left._replace(problem=ended.problem, wait=ended.wait)
                left = left._replace(kept=(*left.kept, one))
        return left

    async def clean_up(self) -> None:
        """Delete what an earlier process has left."""
        await self._read()
        if self._left:
            log.info("deleting %d leftovers of live checks", len(self._left))
            await self.clear(tuple(self._left))

    async def _read(self) -> None:
        if self._is_read:
            return
        stored = await self._notes.note(NOTE)
        if not self._is_read:
            self._is_read = True
            self._left[:0] = [Posted(*one) for one in json.loads(stored or "[]")]

    async def _write(self) -> None:
        await self._notes.remember(NOTE, json.dumps(self._left))

    async def _delete(self, posted: Posted) -> Attempt[bool]:
        """Return whether it is gone; a thread may be archived instead."""
        number = posted.message
        if posted.nonce and number is None:
            found = await attempt(lambda: self._found(posted))
            if found.error is not None or found.result is None:
                return Attempt(None, found.problem, found.wait, found.error)
            number = found.result
        if number is None:
            return await attempt(lambda: self._end(posted.channel))
        message = self._at(posted.channel).get_partial_message(number)
        deleted = await attempt(message.delete)
        return Attempt(result=True, problem=deleted.problem, wait=deleted.wait, error=deleted.error)

    async def _found(self, posted: Posted) -> MessageId | None:
        """Return the id of a message whose posting wasn't answered, if it is there.

        Posting again with a nonce that Discord still knows posts nothing: it returns the message.
        """
        place, words = self._at(posted.channel), say(Text("live.message"), FALLBACK)
        if self._time.now() - posted.at < NONCE_LIFE:
            return MessageId((await place.send(words, nonce=posted.nonce)).id)
        sent = datetime.fromtimestamp(posted.at, UTC)
        margin = timedelta(seconds=AROUND)
        near = place.history(after=sent - margin, before=sent + margin, limit=LOOKED_AT)
        async for message in near:
            is_ours = self._client.user is not None and message.author.id == self._client.user.id
            if is_ours and any(words in said for said in _said(message)):
                return MessageId(message.id)
        log.warning(
            "channel %d: live check's message not found, delete it if you see it", posted.channel
        )
        return None

    async def _end(self, thread: ChannelId) -> bool:
        """Delete a thread or, without the permission, archive it. Return whether it is deleted.

        The bot seldom has that permission.
        """
        there = cast("discord.Thread", await self._client.fetch_channel(thread))
        try:
            await there.delete()
        except discord.Forbidden:
            await there.edit(archived=True)
            return False
        return True

    def _at(self, channel: ChannelId) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel)


def _said(message: discord.Message) -> Iterator[str]:
    yield message.content
    yield from _contents(message.components)


def _contents(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        yield getattr(part, "content", "")
        yield from _contents(getattr(part, "children", ()))
