"""The private messages of running live checks.

They are kept across a kill, so that the next process can say that the test is over.
"""

import asyncio
import json
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from bot.text import Text
from bot.ui.live_check.edit_probe import Place
from bot.ui.live_check.leftovers import Notes
from bot.ui.live_check.participant import Part, show
from bot.ui.panels.context import PanelContext
from bot.ui.render import components

NOTE = "live check panels"


class Kept(NamedTuple):
    """A message in a channel, the token that can edit it, and its reader's language."""

    token: str
    message: int
    channel: int
    locale: str


class LivePanels:
    """The private messages of every server's test. Raises what the database raises."""

    def __init__(self, context: PanelContext, notes: Notes) -> None:
        self._context = context
        self._notes = notes
        self._kept: dict[int, list[Kept]] = {}

    async def keep(self, guild: int, parts: Sequence[Part]) -> None:
        """Keep a test's messages while it runs."""
        self._kept[guild] = [
            Kept(part.place.token, part.place.message, part.channel, part.locale)
            for part in parts
            if part.place is not None
        ]
        await self._write()

    async def drop(self, guild: int) -> None:
        """Forget a check that is over: no later process has to say so."""
        if self._kept.pop(guild, None) is not None:
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
        await show(self._context, Place(kept.token, kept.message), view, kept.channel)

    async def _write(self) -> None:
        await self._notes.remember(NOTE, json.dumps([*chain.from_iterable(self._kept.values())]))
