"""The screen that somebody's panel in an arena should show now."""

from discord.ui import LayoutView

from bot.ids import UserId
from bot.screen import Line
from bot.tables.arena.panel import panel
from bot.tables.arenas.running import RunningArena
from bot.tables.views.plain_words import in_plain_words
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.custom_ids import layout
from bot.ui.render.marks import Reader


class ArenaPanelScreen:
    """One person's view of an arena, with the line about their last press."""

    def __init__(
        self, arena: RunningArena, user: UserId, locale: str, context: ArenaContext
    ) -> None:
        self.locale = locale
        self._said: Line | None = None
        self._said_on: object = None
        self._arena = arena
        self._user = user
        self._context = context

    @property
    def key(self) -> object:
        """The part of the screen that is worth a push: not each change of others' points."""
        state = self._arena.state
        member = state.members.get(self._user)
        status = None if member is None else (member.status, member.number)
        return (status, state.stopped, state.is_over, state.tally(self._user))

    def tell(self, said: Line | None) -> None:
        """Note what their last press led to. It is shown until the screen changes."""
        self._said, self._said_on = said, self.key

    def layout(self) -> LayoutView:
        """Return the screen as it is now, ready to send."""
        arena, tools = self._arena, self._context.panels
        said = self._said if self._said_on == self.key else None
        screen = panel(arena.state, self._user, self._context.around(arena), said)
        letters = arena.state.opened.locale
        if self._user in tools.plain:
            reader = Reader(self.locale, letters, plain=True)
            return layout(in_plain_words(screen), arena.id, reader)
        return layout(screen, arena.id, Reader(self.locale, letters, tools.emojis.faces))
