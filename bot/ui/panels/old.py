"""Messages that a player's panel has left for newer ones: deleted once nobody waits for cards."""

import logging
from functools import partial

from bot.ids import UserId
from bot.tables.running.table import Table
from bot.ui.limits.errors import FAILURES
from bot.ui.limits.urgency import BEFORE_DEAL
from bot.ui.panel_states.panel_place import Place, message_id
from bot.ui.panels.calls import PanelMessage
from bot.ui.panels.context import PanelContext

log = logging.getLogger(__name__)


class OldPanels:
    """The old messages of one panel. Before a deal its channel's calls are kept for the cards."""

    def __init__(
        self, table: Table, user: UserId, context: PanelContext, message: PanelMessage
    ) -> None:
        self._table = table
        self._user = user
        self._context = context
        self._message = message
        self._left: list[Place] = []

    def leave(self, place: Place) -> None:
        """Note a message to be deleted: the panel is another one from now on."""
        self._left.append(place)

    def tidy(self, now: Place) -> None:
        """Delete the messages that were left, where that may be.

        `now`: the panel's message, which may be one that it had left before.
        """
        if not self._left:
            return
        self._left = [one for one in self._left if message_id(one) != message_id(now)]
        if self._table.session.phase in BEFORE_DEAL and not self._message.is_free:
            return
        left, self._left = self._left, []
        for place in left:
            delete = partial(self._delete, place)
            self._context.supervisor.start(self._table, f"old panel {self._user}", delete)

    async def _delete(self, place: Place) -> None:
        try:
            await self._message.delete(place)
        except FAILURES as error:
            log.info("table %d: old panel not deleted: %s", self._table.id, error)
