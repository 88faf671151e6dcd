"""A table's public message: its state, and the calls that change it."""

import logging

from bot.ids import MessageId
from bot.screen import Screen
from bot.tables.running.table import Table
from bot.ui.limits.answers import SETTLED
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.tables.public_message import state
from bot.ui.tables.public_message.calls import TableChannel
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.first_message import FirstMessage
from bot.ui.tables.public_message.retries import Refusals
from bot.ui.tables.public_message.state import MessageState, Posted, Posting, Unanswered, Unposted
from bot.ui.tables.public_message.table_screen import TableScreen

log = logging.getLogger(__name__)

TRIES = 3
"""Times that Discord is asked for the answer to a command, where it doesn't say."""
PAUSE = 5.0
"""Seconds between two of them."""


class TableMessage:
    """The public message of one table.

    Its state is one value (`bot.ui.tables.public_message.state`). Only one drawing at a time calls
    Discord and applies the result; presses and commands only replace the value.
    """

    def __init__(
        self,
        table: Table,
        message_context: MessageContext,
        channel: TableChannel,
        screen: TableScreen,
        first: FirstMessage,
        refusals: Refusals,
    ) -> None:
        self.state: MessageState = Posting()
        self.strays: set[MessageId] = set()  # pressed, but not known as the table's message
        self._deleted: set[MessageId] = set()
        self._lost_at: float | None = None  # when the last edit was lost
        self._table = table
        self._places = message_context.places
        self._channel = channel
        self._screen = screen
        self._illustration = screen.illustration
        self._first = first
        self._refusals = refusals
        self._clock = message_context.context.clock
        self._discord = message_context.context.discord_time
        self._emojis = message_context.context.emojis

    def become(self, after: MessageState) -> None:
        """Replace the state, and tell the table its message."""
        self.state = after
        self._table.message = state.message_id(after)

    def arrive(self, after: MessageState, message: MessageId) -> None:
        """Replace the state, and store the message, so that a restart finds it."""
        self.become(after)
        self._places.message_at(self._table.id, message)

    def end(self) -> None:
        """Draw nothing from now on."""
        self.become(state.ended(self.state))

    def repost(self) -> None:
        """Have the message posted at the bottom of its channel, with the next update."""
        self.become(state.move_down(self.state))

    def moved(self) -> None:
        """Have the message posted in the table's new channel. The old one stays."""
        self.become(state.moved(self.state))
        self._places.message_at(self._table.id, None)

    async def find(self) -> None:
        """Find the message after a restart or a lost answer.

        As stored, as a command's answer, or by its nonce.
        """
        place = await self._places.place(self._table.id)
        message = place.message
        if message is None and place.token is not None:
            message = await self._answer_of(place.token)
        self._illustration.forget()
        after = state.found(self.state, message, place.nonce)
        if message is None or place.nonce is not None:
            self.become(after)
        else:
            self.arrive(after, message)

    async def _answer_of(self, token: str) -> MessageId | None:
        """Return the message that answers a command.

        None if there is none, or Discord has not said in three tries.
        """
        for _ in range(TRIES):
            try:
                return await self._channel.answer_of(token)
            except FAILURES as error:
                if trouble(error) is not Trouble.LATER:
                    return None
                log.warning("%s: message of its command not found yet: %r", self._table, error)
            await self._clock.sleep(PAUSE)
        return None

    async def show(self, screen: Screen) -> bool:
        """Bring the message up to date. Return whether Discord accepted it.

        If not, the next attempt will differ: without lost emojis, or without the score's image.
        Raises `FAILURES` if the message is unchanged or its state unknown.
        """
        match self.state:
            case Posting() | Unanswered() as before:
                return await self._post(before, screen)
            case Posted(shown=shown) as before if shown != screen:
                return await self._edit(before, screen)
        return True

    async def _edit(self, before: Posted, screen: Screen) -> bool:
        """Edit the message. Its screen counts as unknown until Discord responds."""
        message = before.message
        self.become(state.edited(self.state, message, None))
        attached = self._illustration.attached(is_new=False)
        try:
            sent = await self._channel.edit(message, self._screen.layout(screen), attached)
        except FAILURES as error:
            if trouble(error) is Trouble.LATER:
                self._lost_at = self._clock.now()
            else:
                self.become(state.edited(self.state, message, before.shown))
            if self._goes_without(error):
                return False
            raise
        self._illustration.went_out(sent.picture)
        self.become(state.edited(self.state, message, screen))
        return True

    def settle(self) -> bool:
        """Have the message edited once more some time after an edit was lost. True if it is due.

        Discord may have carried that one out after those that followed it.
        """
        if self._lost_at is None or self._clock.now() - self._lost_at < SETTLED:
            return False
        there = state.on_screen(self.state)
        if there is None or there.shown is None:
            return False  # the trouble isn't over
        self._lost_at = None
        self.become(state.in_doubt(self.state))
        return True

    async def _post(self, before: Unposted, screen: Screen) -> bool:
        """Post the message.

        Its nonce is stored first: after a crash it finds the same message, if that isn't too
        late. Before the first deal, every attempt is journalled.
        """
        nonce = await self._nonce_of(before)
        await self._first.begin()
        self.become(state.sent(before, nonce))
        attached = self._illustration.attached(is_new=True) or ()
        old = before.old.message if before.old is not None else None
        try:
            sent = await self._channel.post(self._screen.layout(screen), nonce, attached)
        except FAILURES as error:
            is_otherwise = self._goes_without(error)
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
            self._refusals.replaced(was_there=await self._delete(old))
        return True

    async def _nonce_of(self, before: Unposted) -> str:
        if isinstance(before, Unanswered):
            return before.nonce
        nonce = f"{self._first.mark}{int(self._discord.now() * 1000) % 10**12}"
        await self._places.posting(self._table.id, nonce)
        return nonce

    def suspect(self, message: MessageId) -> bool:
        """Note a pressed message with the table's buttons. Return whether it may be a stray.

        A stray is one whose posting was never answered; `clear` deletes it.
        """
        there = state.on_screen(self.state)
        is_known = there is not None and there.message == message
        if is_known or message in self._deleted:
            return False
        self.strays.add(message)
        return True

    async def clear(self) -> None:
        """Delete strays, once the table's message is known. The lobby's message is kept."""
        if not isinstance(self.state, Posted):
            return
        strays, self.strays = self.strays - {self.state.message}, set()
        for message in strays:
            if not self._first.keeps(message):
                log.info("%s: deleting stray message %d", self._table, message)
                await self._delete(message)

    async def _delete(self, message: MessageId) -> bool | None:
        """Delete a message. Return whether it was there until now; None if unknown."""
        try:
            await self._channel.delete(message)
        except FAILURES as error:
            if trouble(error) is Trouble.MESSAGE_GONE:
                return False
            log.info("%s: message %d not deleted: %s", self._table, message, error)
            return None
        self._deleted.add(message)
        return True

    def _goes_without(self, error: Exception) -> bool:
        """Return whether emojis or the score's image may have caused a failure.

        If so, the next attempt does without the emojis, or shows the image another way or not at
        all.
        """
        if self._emojis.doubt(error):
            return True
        if not self._illustration.failed(trouble(error)):
            return False
        log.warning("%s: refused with the score image, trying another way: %r", self._table, error)
        return True
