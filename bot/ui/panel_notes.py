"""Where one player's panel is, kept across a restart."""

from bot.tables.places import Direct, Token
from bot.tables.table import Table
from bot.ui.office import PanelStore
from bot.ui.panel_place import Place, direct_of, token_of


class PanelNotes:
    """Written behind; losing the last one costs an edit."""

    def __init__(self, table: Table, user: int, store: PanelStore) -> None:
        self._table = table
        self._user = user
        self._store = store

    def keep(self, where: Token | Direct, locale: str) -> None:
        """The panel is there, in this language."""
        match where:
            case Token():
                self._store.panel_at(self._table.id, self._user, where, locale)
            case Direct():
                self._store.direct_at(self._table.id, self._user, where, locale)

    def left(self, before: Place, now: Place) -> None:
        """Forget what is gone."""
        if token_of(before) is not None and token_of(now) is None:
            self._store.panel_gone(self._table.id, self._user)
        if direct_of(before) is not None and direct_of(now) is None:
            self._store.direct_gone(self._table.id, self._user)
