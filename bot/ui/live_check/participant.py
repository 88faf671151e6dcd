"""One press that takes part in the test of Discord, and what is shown to its person."""

import asyncio
import logging
from typing import Any

import discord

from bot.ids import ChannelId, GuildId, UserId
from bot.screen import Choice, Picture, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Text
from bot.ui.connection import fast_path
from bot.ui.connection.responses import Interaction, answer
from bot.ui.limits.answers import answered_within
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.live_check.attempt import PATIENCE
from bot.ui.live_check.edit_probe import EDITS, EditableMessage
from bot.ui.live_check.probes import FILE, Probes
from bot.ui.live_check.report import Report, lines
from bot.ui.panels.context import PanelContext
from bot.ui.render import components
from bot.ui.render.marks import Reader
from bot.ui.toolkit.command_answers import page
from bot.ui.toolkit.command_router import custom_id

log = logging.getLogger(__name__)

SUBJECT = "live"
TOLD_FOR, BETWEEN = 150.0, 5.0
"""Seconds for which showing the report is tried, and between two tries at least."""


def to_id(words: str) -> str:
    return custom_id(SUBJECT, words)


class Participant:
    """One press that takes part: its token, and the private message that answers it.

    Discord may have shown that message even if its answer was lost. `at`: the time of the press,
    in seconds of the clock.
    """

    def __init__(self, interaction: Interaction, at: float) -> None:
        self.interaction = interaction
        self.at = at
        self.place: EditableMessage | None = None
        self._went_out = False
        self._is_over = asyncio.Event()

    @property
    def channel(self) -> ChannelId:
        return ChannelId(self.interaction.channel_id or 0)

    @property
    def user(self) -> UserId:
        return UserId(self.interaction.user.id)

    @property
    def locale(self) -> str:
        return str(self.interaction.locale)

    async def answer(self, said: Text) -> bool:
        """Answer the press. Return whether that went out."""
        is_first = not self.interaction.response.is_done()
        try:
            message = await answer(self.interaction, note(self, said))
            self._went_out = message is not None
            if message is not None or is_first:
                self.place = EditableMessage(self.interaction.token, message or fast_path.ORIGINAL)
        finally:
            self._is_over.set()
        return self._went_out

    async def is_answered(self) -> bool:
        """Return whether the answer went out, when that is known."""
        await self._is_over.wait()
        return self._went_out

    def where(self, guild: GuildId) -> CountedChannel:
        """Return the channel in which the calls are counted: a thread's for its parent too."""
        parent = getattr(self.interaction.channel, "parent_id", None)
        return CountedChannel(self.channel, parent or self.channel, guild)


async def show_to(context: PanelContext, part: Participant, view: discord.ui.LayoutView) -> None:
    """Show something on the message that answers a press, if there is one."""
    if part.place is not None:
        await show(context, part.place, view, part.channel)


async def show(
    context: PanelContext, place: EditableMessage, view: discord.ui.LayoutView, channel: ChannelId
) -> None:
    """Show a view on a private message in a channel, after rate limits if need be.

    A message that Discord no longer lets us edit stays as it is.
    """
    ends = context.clock.now() + TOLD_FOR
    while True:
        pause = BETWEEN
        try:
            async with answered_within(PATIENCE):
                heard = await fast_path.push(context.client, place.token, place.message, view)
            if heard.refused is None:
                return
            pause = max(pause, heard.pause)
        except FAILURES as error:
            if trouble(error) is not Trouble.LATER:
                log.info("channel %d: report not shown: %s", channel, error)
                return
        if context.clock.now() + pause >= ends:
            return
        await context.clock.sleep(pause)


async def ask(part: Participant, probes: Probes) -> object:
    """Show the moving picture to the manager who pressed, and ask whether it moves."""
    choices = (Choice(Text("button.moves"), "moves"), Choice(Text("button.still"), "still"))
    question = Words((sentence("live.question"),))
    view = page(
        part.interaction, to_id, question, Picture(FILE, Text("live.picture")), Row(choices)
    )
    send = part.interaction.followup.send
    return await send(view=view, file=probes.file(), ephemeral=True, wait=True)


def note(part: Participant, said: Text) -> Any:  # noqa: ANN401 discord.py's layouts
    return components.note(said, part.locale)


def progress(locale: str, number: int) -> Any:  # noqa: ANN401 discord.py's layouts
    values = (("n", number), ("of", EDITS))
    return components.note(Text("live.progress", values), locale)


def in_full(report: Report, locale: str) -> Any:  # noqa: ANN401 discord.py's layouts
    return components.view(Screen((Words(lines(report)),)), to_id, Reader(locale))
