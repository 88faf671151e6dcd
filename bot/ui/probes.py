"""What Discord takes of the bot in a channel: each thing is tried once, and timed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import Literal, TypeVar, cast

import discord

from bot.games.screen import Picture, Screen, Text, Words
from bot.tables.clock import Clock
from bot.tables.phrases import sentence
from bot.ui import components
from bot.ui.errors import FAILURES
from bot.ui.marks import Reader
from bot.ui.trail import Posted, Trail

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds after which a call counts as unanswered."""
FILE = "moving.gif"
THREAD_NAME = "Ligretto"
KEPT_OPEN: Literal[60] = 60
"""Minutes without a message after which Discord archives the thread by itself: the fewest."""
NO_ANSWER = "-"
INVALID = "400/"


class What(StrEnum):
    """A thing that is tried. The value ends the key of its name."""

    POST = "post"
    EDIT = "edit"
    POST_PICTURE = "post_picture"
    MOVING = "moving"
    THREAD = "thread"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Probe:
    """How a try went. `problem`: status and code of a refusal, or `NO_ANSWER`; else empty."""

    what: What
    seconds: float
    problem: str = ""

    @property
    def works(self) -> bool:
        return not self.problem

    @property
    def is_invalid(self) -> bool:
        """Whether Discord has refused it as something that nobody may send."""
        return self.problem.startswith(INVALID)


def problem(error: Exception) -> str:
    """Return what a report says of a failure."""
    if not isinstance(error, discord.HTTPException):
        return NO_ANSWER
    return f"{error.status}/{error.code}"


class Probes:
    """The calls of one check. `picture`: a file that it shows."""

    def __init__(self, clock: Clock, picture: bytes) -> None:
        self.done: list[Probe] = []
        self._clock = clock
        self._picture = picture

    def file(self) -> discord.File:
        return discord.File(BytesIO(self._picture), FILE)

    async def attempt(self, what: What, call: Callable[[], Awaitable[T]]) -> T | None:
        """Call once, for ten seconds at most. Return None where that failed."""
        began, failed = self._clock.now(), ""
        result: T | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                result = await call()
        except FAILURES as error:
            failed = problem(error)
        self.done.append(Probe(what, self._clock.now() - began, failed))
        return result

    def of(self, what: What) -> Probe | None:
        return next((one for one in self.done if one.what is what), None)

    @property
    def pictures_apart(self) -> bool | None:
        """Whether a picture has to be a message of its own; None where that isn't known."""
        edited, posted = self.of(What.EDIT), self.of(What.POST_PICTURE)
        if edited is not None and edited.works:
            return False
        is_apart = edited is not None and edited.is_invalid and posted is not None and posted.works
        return True if is_apart else None

    async def in_channel(
        self, client: discord.Client, channel: int, trail: Trail, locale: str
    ) -> tuple[Posted, ...]:
        """Post, edit, post with a picture where an edit may not bring one, open a thread, and
        delete it all. Return what could not be deleted.
        """
        made: list[Posted] = []

        async def keep(posted: Posted) -> None:
            made.append(posted)
            await trail.add(posted)

        place = client.get_partial_messageable(channel)
        plain, pictured = (_view(locale, shows) for shows in (False, True))
        sent = await self.attempt(What.POST, lambda: place.send(view=plain))
        if sent is not None:
            await keep(Posted(channel, sent.id))
            message = place.get_partial_message(sent.id)
            await self.attempt(
                What.EDIT, lambda: message.edit(view=pictured, attachments=[self.file()])
            )
            edited = self.of(What.EDIT)
            if edited is not None and not edited.works:
                await self._post_picture(place, pictured, keep)
            thread = await self.attempt(What.THREAD, lambda: _thread(client, channel, sent.id))
            if thread is not None:
                await keep(Posted(thread.id))
        left: tuple[Posted, ...] | None = ()
        if made:
            left = await self.attempt(What.DELETE, lambda: trail.clear(made))
        return tuple(made) if left is None else left

    async def _post_picture(
        self,
        place: discord.PartialMessageable,
        view: discord.ui.LayoutView,
        keep: Callable[[Posted], Awaitable[None]],
    ) -> None:
        sent = await self.attempt(
            What.POST_PICTURE, lambda: place.send(view=view, file=self.file())
        )
        if sent is not None:
            await keep(Posted(place.id, sent.id))


async def _thread(client: discord.Client, channel: int, message: int) -> discord.Thread:
    place = cast("discord.TextChannel", await client.fetch_channel(channel))
    return await place.get_partial_message(message).create_thread(
        name=THREAD_NAME, auto_archive_duration=KEPT_OPEN
    )


def _view(locale: str, shows: bool) -> discord.ui.LayoutView:  # noqa: FBT001 one of two
    said = Words((sentence("live.message"),))
    blocks = (said, Picture(FILE, Text("live.picture"))) if shows else (said,)
    return components.view(Screen(blocks), str, Reader(locale))
