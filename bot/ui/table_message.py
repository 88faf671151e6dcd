"""A table's public message: what is known of it, and the calls that change it."""

import logging

from bot.games.screen import Screen
from bot.tables.table import Table
from bot.ui import message_state as state
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.first_message import FirstMessage
from bot.ui.means import Means
from bot.ui.message_state import MessageState, Posted, Posting, Unanswered, Unposted
from bot.ui.setbacks import Setbacks
from bot.ui.table_channel import TableChannel
from bot.ui.table_picture import TablePicture

log = logging.getLogger(__name__)


class TableMessage:
    """What is known of it is one value (`bot.ui.message_state`). One drawing at a time calls
    Discord, and applies what came of it; presses and commands only change the value.
    """

    def __init__(
        self,
        table: Table,
        means: Means,
        channel: TableChannel,
        picture: TablePicture,
        first: FirstMessage,
        setbacks: Setbacks,
    ) -> None:
        self.state: MessageState = Posting()
        self.strays: set[int] = set()  # pressed, and not known to be the table's
        self._deleted: set[int] = set()
        self._table = table
        self._places = means.places
        self._channel = channel
        self._picture = picture
        self._illustration = picture.illustration
        self._first = first
        self._setbacks = setbacks
        self._clock = means.office.clock
        self._gallery = means.office.gallery

    def become(self, after: MessageState) -> None:
        """Go on from here."""
        self.state = after
        self._table.message = state.message_id(after)

    def arrive(self, after: MessageState, message: int) -> None:
        """The message is there, and is found there after a restart."""
        self.become(after)
        self._places.message_at(self._table.id, message)

    def moved(self) -> None:
        """The table is in another channel: the message is posted there."""
        self.become(state.moved(self.state))
        self._places.message_at(self._table.id, None)

    async def find(self) -> None:
        """After a restart: the message as it was stored, or by what was under way then."""
        place = await self._places.place(self._table.id)
        message = place.message
        if message is None and place.token is not None:
            message = await self._channel.answer_of(place.token)
        self._illustration.forget()
        after = state.found(self.state, message, place.nonce)
        if message is None or place.nonce is not None:
            self.become(after)
        else:
            self.arrive(after, message)

    async def show(self, screen: Screen) -> bool:
        """Bring the message up to date. Return whether Discord has taken it; if not, it looks
        otherwise the next time. Raises `FAILURES` when it stays as it was, or nobody knows.
        """
        match self.state:
            case Posting() | Unanswered() as before:
                return await self._post(before, screen)
            case Posted(shown=shown) as before if shown != screen:
                return await self._edit(before, screen)
        return True

    async def _edit(self, before: Posted, screen: Screen) -> bool:
        """Edit the message. What it shows is unknown until Discord has answered."""
        message = before.message
        self.become(state.edited(self.state, message, None))
        attached = self._illustration.attached(anew=False)
        try:
            sent = await self._channel.edit(message, self._picture.layout(screen), attached)
        except FAILURES as error:
            if trouble(error) is not Trouble.LATER:
                self.become(state.edited(self.state, message, before.shown))
            if self._looks_otherwise(error):
                return False
            raise
        self._illustration.went_out(sent.picture)
        self.become(state.edited(self.state, message, screen))
        return True

    async def _post(self, before: Unposted, screen: Screen) -> bool:
        """Post the message. Its nonce is kept first: after a crash it finds the same message, if
        that does not take too long. Before the first deal it is noted each time that it goes out.
        """
        nonce = await self._nonce_of(before)
        await self._first.begin()
        self.become(state.sent(before, nonce))
        attached = self._illustration.attached(anew=True) or ()
        old = before.old.message if before.old is not None else None
        try:
            sent = await self._channel.post(self._picture.layout(screen), nonce, attached)
        except FAILURES as error:
            is_otherwise = self._looks_otherwise(error)
            await self._first.refused(error, old)
            if trouble(error) is not Trouble.LATER:
                self.become(before if is_otherwise else state.refused(before))
            if is_otherwise:
                return False
            raise
        await self._first.posted(nonce, sent.message, old)
        after = state.posted(before, sent.message, screen)
        if after.shown is not None:
            self._illustration.went_out(sent.picture)
        self.arrive(after, sent.message)
        if old is not None and old != sent.message and not self._first.keeps(old):
            self._setbacks.replaced(was_there=await self._delete(old))
        return True

    async def _nonce_of(self, before: Unposted) -> str:
        if isinstance(before, Unanswered):
            return before.nonce
        nonce = f"{self._first.mark}{int(self._clock.wall() * 1000) % 10**12}"
        await self._places.posting(self._table.id, nonce)
        return nonce

    def is_stray(self, message: int) -> bool:
        """A message with the table's buttons was pressed. Return whether it may be one whose
        posting was never heard of; `clear` deletes it.
        """
        there = state.on_screen(self.state)
        is_known = there is not None and there.message == message
        if is_known or message in self._deleted:
            return False
        self.strays.add(message)
        return True

    async def clear(self) -> None:
        """Delete strays, once it is known which message is the table's, and the lobby's."""
        if not isinstance(self.state, Posted):
            return
        strays, self.strays = self.strays - {self.state.message}, set()
        for message in strays:
            if not self._first.keeps(message):
                log.info("table %d: message %d is a stray: deleted", self._table.id, message)
                await self._delete(message)

    async def _delete(self, message: int) -> bool | None:
        """Return whether it was there until now; None where nobody knows."""
        try:
            await self._channel.delete(message)
        except FAILURES as error:
            if trouble(error) is Trouble.MESSAGE_GONE:
                return False
            log.info("table %d: its old message stays: %s", self._table.id, error)
            return None
        self._deleted.add(message)
        return True

    def _looks_otherwise(self, error: Exception) -> bool:
        """Go on without emojis that Discord has lost, or with the score's picture shown another
        way or not at all, where it may have failed because of these. Return whether it is so.
        """
        if self._gallery.doubt(error):
            return True
        if not self._illustration.failed(trouble(error)):
            return False
        log.warning("%s: its score cannot be shown with its picture: %r", self._table, error)
        return True
