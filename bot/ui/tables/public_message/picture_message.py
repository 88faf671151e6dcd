"""The image of a score as a separate message, for servers that refuse edits with a file."""

import logging

from bot.tables.running.table import Table
from bot.tables.state.message_refs import PicturePlace
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.limits.picture_lessons import Lesson
from bot.ui.tables.public_message.calls import TableChannel
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.table_screen import TableScreen

log = logging.getLogger(__name__)

TRIES = 3
"""Lost postings of one image after which the score is shown as text only."""
PAUSE = 5.0
"""Seconds after a lost posting until the next: the table's message doesn't wait for it."""


class PictureMessage:
    """The image message of one table: posted once per score, replaced by the next score's."""

    def __init__(
        self,
        table: Table,
        channel: TableChannel,
        table_screen: TableScreen,
        message_context: MessageContext,
    ) -> None:
        self._table = table
        self._channel = channel
        self._table_screen = table_screen
        self._illustration = table_screen.illustration
        self._places = message_context.places
        self._learned = message_context.context.learned
        self._there: PicturePlace | None = None
        self._lost = 0
        self._clock = message_context.context.clock
        self._next = 0.0

    async def find(self) -> None:
        """Find the message posted last, after a restart."""
        self._there = await self._places.picture(self._table.id)

    @property
    def is_due(self) -> bool:
        """True if the score has a separate image to post now."""
        if self._clock.now() < self._next:
            return False
        posted = self._there.rounds if self._there is not None else 0
        return self._illustration.is_apart and self._illustration.number != posted

    async def post(self) -> None:
        """Post the image and delete the previous one. One that is lost is due again.

        A retry uses the same nonce, so it finds a message whose answer was lost. Does not raise
        `FAILURES`.
        """
        number, before = self._illustration.number, self._there
        view = self._table_screen.layout(self._illustration.alone)
        nonce = f"{self._table.id}p{number}"
        channel = self._table.session.channel
        try:
            sent = await self._channel.post(view, nonce, (self._illustration.file,))
        except FAILURES as error:
            self._lost += 1
            if trouble(error) is Trouble.LATER and self._lost < TRIES:
                self._next = self._clock.now() + PAUSE
                return
            log.warning("%s: score image not posted, left out: %r", self._table, error)
            self._illustration.give_up()
        else:
            self._there = PicturePlace(number, channel, sent.message)
            self._places.picture_at(self._table.id, self._there)
            if self._illustration.was_refused:
                self._learned.learn(self._table.session.opened.guild, Lesson.PICTURES_APART)
            if before is not None:
                await self._delete(before)
        self._lost = 0

    async def _delete(self, old: PicturePlace) -> None:
        try:
            await self._channel.delete(old.message, old.channel)
        except FAILURES as error:
            log.info("%s: old score image not deleted: %s", self._table, error)
