"""The picture of a score on a table's message: words never wait for it longer than a moment."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import discord

from bot.art import score
from bot.games.screen import Picture, Row, Screen
from bot.tables.scores import described, is_scored, standings, stoppers
from bot.tables.table import Table
from bot.ui.studio import drawn

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which a score is shown without its picture."""
UNKNOWN = "?"
"""What is attached while nobody knows: after a restart, and until Discord has said it."""


class Illustration:
    """Drawn once a round, kept on the message for as long as the score is, then taken away.

    Whatever goes wrong with it, the score is shown in words.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._drawn: bytes | None = None
        self._rounds = 0  # of the last score that was drawn, or could not be
        self._attached: str | None = None

    async def draw(self) -> None:
        """Have the picture ready that belongs to the table as it is now."""
        session = self._table.session
        rounds = len(session.history) if is_scored(session) else 0
        if rounds == self._rounds:
            return
        self._rounds, self._drawn = rounds, None
        if not rounds:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                self._drawn = await drawn(score.png, standings(session), stoppers(session))
        except TimeoutError:
            number = self._table.id
            log.warning(
                "table %d: there was no time to draw its score, which is told in words", number
            )
        except Exception:
            log.exception("table %d: its score could not be drawn", self._table.id)

    def beside(self, screen: Screen) -> Screen:
        """The screen with its picture: above the buttons, below all words."""
        if self._drawn is None:
            return screen
        place = next((i for i, one in enumerate(screen.blocks) if isinstance(one, Row)), None)
        picture = Picture(self._name, described(self._table.session))
        blocks = (*screen.blocks[:place], picture, *screen.blocks[place:])
        return replace(screen, blocks=blocks)

    def files(self, *, anew: bool) -> Sequence[discord.File] | None:
        """What to attach; None leaves what is on the message. `anew`: it is a new message."""
        if self._attached == self._wanted and not anew:
            return None
        return () if self._drawn is None else (discord.File(BytesIO(self._drawn), self._name),)

    def went_out(self) -> None:
        self._attached = self._wanted

    def forget(self) -> None:
        """Something is sent: nobody knows what is attached until it `went_out`, since of a request
        whose answer is lost nobody knows whether it was carried out. After a restart too.
        """
        self._attached = UNKNOWN

    def give_up(self, *, refused: bool) -> bool:
        """After a failure: whether a picture may have been its reason, a new one, or any where
        Discord refused the message. There is none for this score any more.
        """
        tried = self._drawn is not None and (refused or self._attached != self._wanted)
        if tried:
            self._drawn = None
        return tried

    @property
    def _wanted(self) -> str | None:
        return self._name if self._drawn is not None else None

    @property
    def _name(self) -> str:
        return f"score-{self._rounds}.png"
