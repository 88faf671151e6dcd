"""The panels of every table, by table and person."""

from collections.abc import Iterator

from bot.tables.journal import TableId
from bot.tables.table import Table
from bot.ui.office import Office
from bot.ui.panel import Panel


class Panels:
    """The panels of every table."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._panels: dict[TableId, dict[int, Panel]] = {}

    def __iter__(self) -> Iterator[Panel]:
        return iter([panel for panels in self._panels.values() for panel in panels.values()])

    def get(self, table: TableId, user: int) -> Panel | None:
        return self._panels.get(table, {}).get(user)

    def of(self, table: Table, user: int, locale: str) -> Panel:
        """This person's panel at a table, made when there is none."""
        panels = self._panels.setdefault(table.id, {})
        if user not in panels:
            panels[user] = Panel(table, user, locale, self._office)
        panels[user].picture.locale = locale
        return panels[user]

    def watch(self, table: Table) -> None:
        """Called on every change of a table."""
        for one in self._panels.get(table.id, {}).values():
            one.touch()

    def drop(self, table: TableId) -> None:
        self._panels.pop(table, None)
