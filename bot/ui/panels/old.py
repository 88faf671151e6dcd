"""Messages that a player's panel has left for newer ones: deleted once nobody waits for cards."""

import logging

from bot.ids import UserId
from bot.tables.running.table import Table
from bot.tables.state.session import BEFORE_DEAL
from bot.ui.limits.errors import FAILURES
from bot.ui.panel_states.panel_place import Place, message_id
from bot.ui.panels.calls import PanelMessage
from bot.ui.panels.context import PanelContext

log = logging.getLogger(__name__)


class OldPanels:
    """The old messages of one panel, deleted one after the other.

    Before a deal its channel's calls are kept for the cards. A message whose token has died stays
    where it is, and is forgotten.
    """

    def __init__(
        self, table: Table, user: UserId, context: PanelContext, message: PanelMessage
    ) -> None:
        self._table = table
        self._user = user
        self._context = context
        self._message = message
        self._left: list[Place] = []
        self._is_deleting = False

    def leave(self, place: Place) -> None:
        """Note a message to be deleted: the panel is another one from now on."""
        self._left.append(place)

    def tidy(self, now: Place) -> None:
        """Delete the messages that were left, where that may be.

        `now`: the panel's message, which may be one that it had left before.
        """
        if not self._left:
            return
        own = message_id(now)
        self._left = [p for p in self._left if message_id(p) != own and self._message.can_delete(p)]
        if self._table.session.phase in BEFORE_DEAL and not self._message.is_free:
            return
        if self._left and not self._is_deleting:
            self._is_deleting = True
            supervisor = self._context.supervisor
            supervisor.start(self._table, f"old panels {self._user}", self._delete)

    async def _delete(self) -> None:
        try:
            while self._left:
                place = self._left[0]
                await self._deleted(place)
                if place in self._left:  # else it is the panel again
                    self._left.remove(place)
        finally:
            self._is_deleting = False

    async def _deleted(self, place: Place) -> None:
        try:
            await self._message.delete(place)
        except FAILURES as error:
            log.info("table %d: old panel not deleted: %s", self._table.id, error)
