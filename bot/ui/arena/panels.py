"""The panels of everybody in every arena."""

from collections.abc import Iterator

from bot.ids import ArenaId, UserId
from bot.tables.arenas.running import RunningArena
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.panel import ArenaPanel


class ArenaPanels:
    """The panels, by arena and person."""

    def __init__(self, context: ArenaContext) -> None:
        self._context = context
        self._panels: dict[ArenaId, dict[UserId, ArenaPanel]] = {}

    def __iter__(self) -> Iterator[ArenaPanel]:
        return iter([one for panels in self._panels.values() for one in panels.values()])

    def get(self, arena: ArenaId, user: UserId) -> ArenaPanel | None:
        return self._panels.get(arena, {}).get(user)

    def of(self, arena: RunningArena, user: UserId, locale: str) -> ArenaPanel:
        """Return somebody's panel, made if there is none, in this language."""
        panels = self._panels.setdefault(arena.id, {})
        if user not in panels:
            panels[user] = ArenaPanel(arena, user, locale, self._context)
        panels[user].screen.locale = locale
        return panels[user]

    def watch(self, arena: RunningArena) -> None:
        """Let every panel follow its person. Called on every change of an arena."""
        for one in self._panels.get(arena.id, {}).values():
            one.sync()

    async def resume(self, arena: RunningArena) -> None:
        """Take over the panels from before a restart: those of tables, and the others."""
        messages, spoken = self._context.messages, arena.state.opened.locale
        for table in tuple(arena.tables.values()):
            await messages.recall(table)
            await messages.resume(table)
            for chair in table.session.chairs:
                known = chair.user and messages.panels.get(table.id, chair.user)
                if chair.user and known:
                    self.of(arena, chair.user, known.screen.locale or spoken).lent(table)
        now = self._context.panels.discord_time.now()
        for user, token, locale in await self._context.store.panels(arena.id, now):
            self.of(arena, user, locale).restore(token)
        self.watch(arena)

    def drop(self, arena: ArenaId) -> None:
        self._panels.pop(arena, None)
