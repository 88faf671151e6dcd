"""The place of a player's panel in the database, so that a restart finds it."""

from bot.ids import MessageId, UserId
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Direct, Token
from bot.ui.panel_states.panel_place import Place, direct_of, message_id, token_of
from bot.ui.panels.context import PanelStore


class StoredPlace:
    """The stored place of one player's panel. It is written behind: losing it costs an edit.

    A new message is written at once. A newer token of the same message may wait: until then the
    older one edits it after a kill.
    """

    def __init__(self, table: Table, user: UserId, store: PanelStore) -> None:
        self._table = table
        self._user = user
        self._store = store
        self._known: MessageId | None = None

    def keep(self, where: Token | Direct, locale: str) -> None:
        """Store the place of the panel, and its language."""
        table, user, is_known = self._table.id, self._user, where.message == self._known
        self._known = where.message
        match where:
            case Token():
                self._store.panel_at(table, user, where, locale, is_known=is_known)
            case Direct():
                self._store.direct_at(table, user, where, locale, is_known=is_known)

    def left(self, before: Place, now: Place) -> None:
        """Delete what is stored of a place that the panel has left."""
        if message_id(now) != self._known:
            self._known = None
        if token_of(before) is not None and token_of(now) is None:
            self._store.panel_gone(self._table.id, self._user)
        if direct_of(before) is not None and direct_of(now) is None:
            self._store.direct_gone(self._table.id, self._user)
