"""The messages and panels of all arenas: redrawn on change, kept up, restored after a restart."""

import asyncio
import logging
from collections.abc import Mapping

from bot.ids import ArenaId, ChannelId
from bot.tables.arenas.running import RunningArena
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.message import ArenaMessage
from bot.ui.arena.panels import ArenaPanels

log = logging.getLogger(__name__)


class ArenaMessages:
    """The messages of every arena, and the panels of everybody in one."""

    def __init__(self, context: ArenaContext) -> None:
        self.panels = ArenaPanels(context)
        self._context = context
        self._messages: dict[ArenaId, ArenaMessage] = {}

    def of(self, arena: RunningArena) -> ArenaMessage:
        if arena.id not in self._messages:
            self._messages[arena.id] = ArenaMessage(arena, self._context, self._put_away)
        return self._messages[arena.id]

    def watch(self, arena: RunningArena) -> None:
        """Redraw an arena's message and panels. Called on every change of the arena."""
        self.of(arena).touch()
        self.panels.watch(arena)

    async def resume(self) -> None:
        """Restore what Discord shows of the arenas from before a restart. Failures are logged."""
        for arena in self._context.arenas:
            try:
                message = self.of(arena)
                await self.panels.resume(arena)
                await message.find()
            except Exception:
                log.exception("%s: not restored", arena)

    def channel_deleted(self, channel: ChannelId) -> None:
        """Have the arena of a channel look for its message: it ends if the channel is gone."""
        for message in self._messages.values():
            if message.arena.state.opened.channel == channel:
                message.asked()

    def held(self) -> Mapping[str, int]:
        """Count the objects kept in memory, by kind, for finding leaks."""
        return {"arenas": len(self._messages), "arena panels": len(tuple(self.panels))}

    async def farewell(self) -> None:
        """Show on every arena's message that the bot restarts."""
        self._context.restarting = True
        await asyncio.gather(*(message.farewell() for message in self._messages.values()))

    async def tick(self) -> None:
        for message in tuple(self._messages.values()):
            message.tick()
            if message.is_done:
                self._drop(message.arena)

    def _put_away(self, arena: RunningArena) -> None:
        self._context.arenas.put_away(arena)

    def _drop(self, arena: RunningArena) -> None:
        del self._messages[arena.id]
        self.panels.drop(arena.id)
        self._context.forget(arena.id)
