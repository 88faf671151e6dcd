"""The pictures that a player has seen on their panel, as far as the bot can know."""

from bot.clock import Clock
from bot.ids import MessageId, UserId
from bot.screen import Screen
from bot.tables.running.table import Table
from bot.tables.state.notices import Stuck
from bot.tables.state.session import Phase
from bot.ui.panel_states import picture_on_top
from bot.ui.panel_states.picture_on_top import Top
from bot.ui.panel_states.state import Delivery


class SeenPictures:
    """The outcome of each picture that was sent to one panel.

    Only this tells the table what the player sees. `since`: when the last one was drawn, in seconds
    on the monotonic clock.
    """

    def __init__(self, table: Table, user: UserId, clock: Clock) -> None:
        self._table = table
        self._user = user
        self._clock = clock
        self.since = 0.0
        self._top = Top()
        self._seen_round = 0
        self._stuck: Stuck | None = None

    @property
    def waits_for_cards(self) -> bool:
        """True if the cards are on the table and this player has not seen them."""
        session = self._table.session
        return session.phase is Phase.LIVE and self._seen_round != session.round

    @property
    def says_why(self) -> bool:
        """True if the panel says why the table message stands still, if it does.

        Nothing else can say it.
        """
        return self._stuck is self._table.notices.stuck

    def draw(self, screen: Screen, message: MessageId | None) -> Delivery:
        """Return a picture that is sent now, to this message; None for one of its own."""
        self._stuck = self._table.notices.stuck
        self.since = self._clock.now()
        delivery = Delivery(screen, self._table.session, self._top.heard, message)
        self._top = picture_on_top.sent(self._top, delivery)
        return delivery

    def moved(self, message: MessageId) -> None:
        """Note that the panel is this message from now on."""
        self._top = picture_on_top.moved(self._top, message)

    def made(self, delivery: Delivery, message: MessageId) -> None:
        """Note that Discord has made a message of a picture."""
        self._note_cards(delivery)
        self._tell(picture_on_top.made(self._top, delivery, message))

    def taken(self, delivery: Delivery) -> None:
        """Note that Discord has taken a picture."""
        self._note_cards(delivery)
        self._tell(picture_on_top.taken(self._top, delivery))

    def refused(self, delivery: Delivery) -> None:
        """Note that Discord has not taken a picture."""
        self._tell(picture_on_top.refused(self._top, delivery))

    def lost(self, delivery: Delivery) -> None:
        """Note that nobody knows what has become of a picture."""
        self._tell(picture_on_top.lost(self._top, delivery))

    def _note_cards(self, delivery: Delivery) -> None:
        if delivery.session.phase is Phase.LIVE:
            self._seen_round = max(self._seen_round, delivery.session.round)

    def _tell(self, top: Top) -> None:
        self._top = top
        if (session := picture_on_top.shown(top)) is not None:
            self._table.shown(self._user, session)
