"""The picture of a score as a message of its own, where a server takes no edit that brings one."""

import logging
from typing import Protocol

from bot.tables.journal import TableId
from bot.tables.places import PicturePlace
from bot.tables.table import Table
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.learned import Learned, Lesson
from bot.ui.table_channel import TableChannel
from bot.ui.table_picture import TablePicture

log = logging.getLogger(__name__)

TRIES = 3
"""Postings of one picture whose answers may be lost; then its score is told in words."""


class Pictures(Protocol):
    """Where each table's picture of its own is, kept across restarts."""

    async def picture(self, table: TableId) -> PicturePlace | None: ...
    def picture_at(self, table: TableId, place: PicturePlace) -> None: ...


class PictureMessage:
    """Posted once a score, and replaced by the next one's."""

    def __init__(
        self,
        table: Table,
        channel: TableChannel,
        picture: TablePicture,
        places: Pictures,
        learned: Learned,
    ) -> None:
        self._table = table
        self._channel = channel
        self._picture = picture
        self._illustration = picture.illustration
        self._places = places
        self._learned = learned
        self._there: PicturePlace | None = None
        self._lost = 0

    async def find(self) -> None:
        """After a restart: the one that was posted last."""
        self._there = await self._places.picture(self._table.id)

    @property
    def is_due(self) -> bool:
        """Return whether the score has a picture that nobody sees yet."""
        posted = self._there.rounds if self._there is not None else 0
        return self._illustration.is_apart and self._illustration.rounds != posted

    async def post(self) -> bool:
        """Post it, and delete the one before. Return False where that has to be tried again: the
        nonce finds the same message then.
        """
        rounds, before = self._illustration.rounds, self._there
        view = self._picture.layout(self._illustration.alone)
        nonce = f"{self._table.id}p{rounds}"
        channel = self._table.session.channel
        try:
            sent = await self._channel.post(view, nonce, (self._illustration.file,))
        except FAILURES as error:
            self._lost += 1
            if trouble(error) is Trouble.LATER and self._lost < TRIES:
                return False
            log.warning("%s: its score is shown without a picture: %r", self._table, error)
            self._illustration.give_up()
        else:
            self._there = PicturePlace(rounds, channel, sent.message)
            self._places.picture_at(self._table.id, self._there)
            if self._illustration.was_refused:
                self._learned.learn(self._table.session.opened.guild, Lesson.PICTURES_APART)
            if before is not None:
                await self._delete(before)
        self._lost = 0
        return True

    async def _delete(self, old: PicturePlace) -> None:
        try:
            await self._channel.delete(old.message, old.channel)
        except FAILURES as error:
            log.info("table %d: its old picture stays: %s", self._table.id, error)
