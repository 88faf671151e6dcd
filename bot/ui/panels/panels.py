"""The panels of every table, by table and person."""

from collections.abc import Iterator

from bot.ids import UserId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.ui.panels.context import PanelContext
from bot.ui.panels.panel import Panel


class Panels:
    """The panels of every table."""

    def __init__(self, context: PanelContext) -> None:
        self._context = context
        self._panels: dict[TableId, dict[UserId, Panel]] = {}

    def __iter__(self) -> Iterator[Panel]:
        return iter([panel for panels in self._panels.values() for panel in panels.values()])

    def get(self, table: TableId, user: UserId) -> Panel | None:
        return self._panels.get(table, {}).get(user)

    def of(self, table: Table, user: UserId, locale: str) -> Panel:
        """Return this player's panel at a table, made if there is none, in this language."""
        panels = self._panels.setdefault(table.id, {})
        if user not in panels:
            panels[user] = Panel(table, user, locale, self._context)
        panels[user].screen.locale = locale
        return panels[user]

    def watch(self, table: Table) -> None:
        """Touch each panel of a table. Called on every change of the table."""
        for one in self._panels.get(table.id, {}).values():
            one.touch()

    def draw_again(self, table: TableId) -> None:
        """Have each panel of a table pushed that may need it."""
        for one in self._panels.get(table, {}).values():
            one.draw_again()

    def drop(self, table: TableId) -> None:
        self._panels.pop(table, None)
