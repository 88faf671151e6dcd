"""A player's panel as the bot knows it, and what each change of it entails."""

from bot.ids import MessageId, UserId
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Direct, Token
from bot.ui.panel_states import state
from bot.ui.panel_states.panel_place import Place, left_behind, message_id, token_of
from bot.ui.panel_states.state import Delivery, PanelState
from bot.ui.panels.calls import PanelMessage
from bot.ui.panels.context import PanelContext
from bot.ui.panels.old import OldPanels
from bot.ui.panels.seen_pictures import SeenPictures
from bot.ui.panels.stored_place import StoredPlace


class KnownPanel:
    """The state of one panel (`state`), and the pictures that its player has seen.

    `lost_at`: when the last push or answer was lost, in seconds on the monotonic clock.
    """

    def __init__(self, table: Table, user: UserId, context: PanelContext) -> None:
        self.calls = PanelMessage(table, context)
        self.state = PanelState()
        self.seen = SeenPictures(table, user, context.clock)
        self.lost_at: float | None = None
        self._clock = context.clock
        self._stored = StoredPlace(table, user, context.store)
        self._old = OldPanels(table, user, context, self.calls)

    @property
    def place(self) -> Place:
        return self.state.place

    @property
    def message(self) -> MessageId | None:
        """The panel's message, while it can still be edited."""
        return message_id(self.place)

    @property
    def token(self) -> Token | None:
        """The token that edits it, until it dies."""
        return token_of(self.place)

    def become(self, after: PanelState) -> None:
        """Change what is known: forget what has died, and delete what was left."""
        before, self.state = self.state, after
        if after.place is not before.place:
            self._leave(before.place)
        if (message := self.message) is not None:
            self.seen.moved(message)

    def _leave(self, before: Place) -> None:
        self._stored.left(before, self.place)
        if (old := left_behind(before, self.place)) is not None:
            self._old.leave(old)
        self.tidy()

    def tidy(self) -> None:
        """Delete the messages that the panel has left, where that may be."""
        self._old.tidy(self.place)

    def store(self, where: Token | Direct, locale: str) -> None:
        """Store the place of the panel, and its language."""
        self._stored.keep(where, locale)

    def lost(self, delivery: Delivery) -> None:
        """Note that a delivery's outcome is unknown. Others under way may arrive all the same."""
        self.lost_at = self._clock.now()
        self.state = state.lost(self.state)
        self.seen.lost(delivery)
