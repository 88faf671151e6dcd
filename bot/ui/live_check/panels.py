"""The private messages of live checks that wait or run.

They are kept across a kill, so that the next process can say that the test is over.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import NamedTuple

from bot.ids import ChannelId, MessageId
from bot.text import Text
from bot.ui.connection.fast_path import ORIGINAL
from bot.ui.live_check.edit_probe import EditableMessage
from bot.ui.live_check.leftovers import Notes
from bot.ui.live_check.participant import Participant, show
from bot.ui.panels.context import PanelContext
from bot.ui.render import components

NOTE = "live check panels"


class Kept(NamedTuple):
    """A message in a channel, the token that can edit it, and its reader's language.

    An answer has no id before Discord has taken it: until then it is `ORIGINAL`.
    """

    token: str
    message: MessageId | str
    channel: ChannelId
    locale: str


class LivePanels:
    """The private messages of every server's test. Raises what the database raises."""

    def __init__(self, context: PanelContext, notes: Notes) -> None:
        self._context = context
        self._notes = notes
        self._kept: dict[str, Kept] = {}

    async def keep(self, part: Participant) -> None:
        """Keep the answer to a press, which may be on its way, while its test waits or runs."""
        token = part.interaction.token
        self._kept[token] = Kept(token, ORIGINAL, part.channel, part.locale)
        await self._write()

    async def drop(self, parts: Sequence[Participant]) -> None:
        """Forget presses whose test is over: no later process has to say so."""
        for part in parts:
            self._kept.pop(part.interaction.token, None)
        await self._write()

    async def finish(self) -> None:
        """Say on the messages left by an earlier process that their test was interrupted.

        A message whose token is dead stays as it is.
        """
        left = [Kept(*one) for one in json.loads(await self._notes.note(NOTE) or "[]")]
        if left:
            await asyncio.gather(*map(self._interrupted, left))
            await self._write()

    async def _interrupted(self, kept: Kept) -> None:
        view = components.note(Text("live.interrupted"), kept.locale)
        await show(self._context, EditableMessage(kept.token, kept.message), view, kept.channel)

    async def _write(self) -> None:
        await self._notes.remember(NOTE, json.dumps([*self._kept.values()]))
