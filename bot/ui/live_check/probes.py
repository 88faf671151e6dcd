"""Probes of what Discord takes from the bot in a channel: one call of each kind, timed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import Any, Literal, TypeVar, cast

import discord

from bot.clock import Clock
from bot.ids import ChannelId, MessageId
from bot.screen import Picture, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Text
from bot.ui.live_check.attempt import Attempt, attempt
from bot.ui.live_check.leftovers import Left, Leftovers, Posted
from bot.ui.render import components
from bot.ui.render.marks import Reader

T = TypeVar("T")
FILE = "moving.gif"
THREAD_NAME = "Ligretto"
KEPT_OPEN: Literal[60] = 60
"""Minutes without a message after which Discord archives the thread by itself: the fewest."""
INVALID = "400/"


class ProbeKind(StrEnum):
    """A thing that is tried. The value ends the key of its name."""

    POST = "post"
    EDIT = "edit"
    POST_PICTURE = "post_picture"
    MOVING = "moving"
    THREAD = "thread"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Probe:
    """The outcome of a try. `problem` and `wait`: as in an `Attempt`."""

    what: ProbeKind
    seconds: float
    problem: str = ""
    wait: float = 0.0

    @property
    def works(self) -> bool:
        return not self.problem

    @property
    def is_invalid(self) -> bool:
        """True if Discord has refused it as something that nobody may send."""
        return self.problem.startswith(INVALID)


class Probes:
    """The calls of one check. `picture`: a file that it shows."""

    def __init__(self, clock: Clock, picture: bytes) -> None:
        self.done: list[Probe] = []
        self._clock = clock
        self._picture = picture

    def file(self) -> discord.File:
        return discord.File(BytesIO(self._picture), FILE)

    async def attempt(self, what: ProbeKind, call: Callable[[], Awaitable[T]]) -> Attempt[T]:
        """Call once, and note how it went."""
        began = self._clock.now()
        tried = await attempt(call)
        self._note(what, began, tried.problem, tried.wait)
        return tried

    def _note(self, what: ProbeKind, began: float, problem: str, wait: float = 0.0) -> None:
        self.done.append(Probe(what, self._clock.now() - began, problem, wait))

    def of(self, what: ProbeKind) -> Probe | None:
        return next((one for one in self.done if one.what is what), None)

    @property
    def pictures_apart(self) -> bool | None:
        """True if a picture has to be a message of its own; None if that isn't known."""
        edited, posted = self.of(ProbeKind.EDIT), self.of(ProbeKind.POST_PICTURE)
        if edited is not None and edited.works:
            return False
        is_apart = edited is not None and edited.is_invalid and posted is not None and posted.works
        return True if is_apart else None

    async def in_channel(
        self,
        client: discord.Client,
        channel: ChannelId,
        leftovers: Leftovers,
        locale: str,
        *,
        takes_threads: bool,
    ) -> Left:
        """Post, edit and open a thread in a channel, and delete it all.

        If an edit may not bring a picture, post one with a picture. A thread is opened only where
        one can be. Return what could not be deleted.
        """
        made: list[Posted] = []
        place = client.get_partial_messageable(channel)
        plain, pictured = (_view(locale, shows) for shows in (False, True))
        sent = await self._post(ProbeKind.POST, place, leftovers, made, view=plain)
        if sent is not None:
            message = place.get_partial_message(sent)
            edited = await self.attempt(
                ProbeKind.EDIT, lambda: message.edit(view=pictured, attachments=[self.file()])
            )
            if edited.problem:
                await self._post(
                    ProbeKind.POST_PICTURE, place, leftovers, made, view=pictured, file=self.file()
                )
            if takes_threads:
                await self._open_thread(client, Posted(channel, sent), leftovers, made)
        if not made:
            return Left()
        began = self._clock.now()
        left = await leftovers.clear(made)
        self._note(ProbeKind.DELETE, began, left.problem, left.wait)
        return left

    async def _post(
        self,
        what: ProbeKind,
        place: discord.PartialMessageable,
        leftovers: Leftovers,
        made: list[Posted],
        **shown: Any,  # noqa: ANN401 what discord.py takes
    ) -> MessageId | None:
        """Post a message that is kept before it goes out: its answer may be lost."""
        going = await leftovers.sends(ChannelId(place.id))
        sent = await self.attempt(what, lambda: place.send(nonce=going.nonce, **shown))
        if sent.result is not None:
            message = MessageId(sent.result.id)
            posted = Posted(ChannelId(place.id), message)
            made.append(await leftovers.add(posted, instead=going))
            return message
        if sent.is_refused:
            await leftovers.drop(going)
        else:
            made.append(going)
        return None

    async def _open_thread(
        self, client: discord.Client, on: Posted, leftovers: Leftovers, made: list[Posted]
    ) -> None:
        """Open a thread on a message: it gets the message's id, whether or not that is heard."""
        assert on.message is not None, "it was posted"
        number = on.message
        thread = await leftovers.add(Posted(ChannelId(number)))
        opened = await self.attempt(ProbeKind.THREAD, lambda: _thread(client, on.channel, number))
        if opened.is_refused:
            await leftovers.drop(thread)
        else:
            made.append(thread)


def takes_threads(place: object) -> bool:
    """Return whether a message there can get a thread: not in a thread or a voice channel."""
    return isinstance(place, discord.TextChannel)


async def _thread(client: discord.Client, channel: ChannelId, message: MessageId) -> discord.Thread:
    place = cast("discord.TextChannel", await client.fetch_channel(channel))
    return await place.get_partial_message(message).create_thread(
        name=THREAD_NAME, auto_archive_duration=KEPT_OPEN
    )


def _view(locale: str, shows: bool) -> discord.ui.LayoutView:  # noqa: FBT001 one of two
    said = Words((sentence("live.message"),))
    blocks = (said, Picture(FILE, Text("live.picture"))) if shows else (said,)
    return components.view(Screen(blocks), str, Reader(locale))
