"""The dependencies shared by the messages and panels of all arenas."""

from dataclasses import dataclass, field
from typing import Protocol

from bot.ids import ArenaId, MessageId, UserId
from bot.tables.arena.decisions import MOST
from bot.tables.arena.message import Around
from bot.tables.arenas.arenas import Arenas
from bot.tables.arenas.running import RunningArena
from bot.tables.state.message_refs import Token
from bot.tasks import Spawn
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.panels.context import PanelContext
from bot.ui.tables.messages import TableMessages

SHARE = 1 / 2
"""The people that a slow channel takes, for each call of a minute: a round is two calls to each,
its cards and its end, and takes a minute or longer.
"""
UNSTEADY = 5.0
"""Seconds by which Discord's clock may seem to move before a screen shows another date."""


class ArenaStore(Protocol):
    """The stored places of arenas' messages and of their people's panels."""

    async def token(self, arena: ArenaId) -> str | None: ...
    async def message(self, arena: ArenaId) -> MessageId | None: ...
    def shown_at(self, arena: ArenaId, message: MessageId) -> None: ...
    def panel_at(
        self, arena: ArenaId, user: UserId, token: Token, locale: str, *, is_known: bool = ...
    ) -> None: ...
    def panel_gone(self, arena: ArenaId, user: UserId) -> None: ...
    async def panels(self, arena: ArenaId, now: float) -> list[tuple[UserId, Token, str]]: ...


@dataclass(slots=True)
class ArenaContext:
    """The dependencies. `restarting` becomes true shortly before the bot stops."""

    panels: PanelContext
    messages: TableMessages
    arenas: Arenas
    store: ArenaStore
    spawn: Spawn
    restarting: bool = False
    _born: dict[ArenaId, float] = field(default_factory=dict)

    def where(self, arena: RunningArena) -> CountedChannel:
        """Return the channel whose calls are counted."""
        opened = arena.state.opened
        return CountedChannel(opened.channel, opened.channel, opened.guild)

    def room(self, arena: RunningArena) -> int:
        """Return how many people a channel takes: fewer where it is known to take few calls."""
        pace = self.panels.budget.pace(self.where(arena))
        if not pace.is_limited or pace.is_free:
            return MOST
        return max(arena.state.opened.seats, min(MOST, int(pace.in_a_minute * SHARE)))

    def deals(self, arena: RunningArena) -> int:
        """Return how many people a channel lets be dealt cards now, so that no deal is refused."""
        deals = self.panels.budget.deals(self.where(arena))
        return MOST if deals is None else deals

    def around(self, arena: RunningArena) -> Around:
        """Return what its screens show beside its state. The date keeps still."""
        born = self.panels.discord_time.now() - arena.lived / 1000
        if abs(born - self._born.get(arena.id, 0.0)) > UNSTEADY:
            self._born[arena.id] = born
        return Around(arena.id, self._born[arena.id], self.room(arena), self.restarting)

    def forget(self, arena: ArenaId) -> None:
        self._born.pop(arena, None)
