"""The image of a score, and how it is attached. The text waits for it a moment at most."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from io import BytesIO
from typing import TypeAlias

import discord

from bot.art import score
from bot.art.score import ScoreRow
from bot.games.values import Seat
from bot.screen import Picture, Screen
from bot.tables.running.table import Table
from bot.tables.views.results.standings import Pictured, described, is_scored, score_rows, stopper
from bot.ui.limits.errors import Trouble
from bot.ui.render.image_worker import drawn

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which a score is shown without its image."""
AGAIN = 1_000
"""Added to an image's number when it is drawn again. No match has so many rounds."""
UPLOAD_FAILS = (Trouble.LATER, Trouble.FORBIDDEN, Trouble.REFUSED)
"""Failures that a file may cause: it takes longer, needs a permission, and may be too large."""


class Way(Enum):
    """The ways to show the image of a score. If Discord refuses one, the next is tried."""

    LISTED = auto()  # on the table's message; later edits list the uploaded file
    BROUGHT = auto()  # on the table's message, uploaded again with each edit
    APART = auto()  # as a message of its own
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that a message already has, in the form an edit lists it (PLATFORM 4)."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, str]:
        return {"id": str(self.id), "filename": self.filename}


class Unlisted(Enum):
    """The attachments of a message that has no file, or may have one."""

    NOTHING = auto()
    UNKNOWN = auto()  # after a restart, and until Discord has answered


Attached: TypeAlias = Listed | Unlisted
Part: TypeAlias = Listed | discord.File


class Illustration:
    """The image of a table's score, drawn once per round and shown as long as the score is.

    It is drawn again if its rows change meanwhile: somebody asked to be forgotten, or the match has
    ended since others left. If anything goes wrong with it, the score is shown as text.
    """

    def __init__(self, table: Table) -> None:
        self._rounds = 0  # of the last score drawn or failed
        self._rows: tuple[ScoreRow, ...] = ()
        self._again = 0  # how often it was drawn again since
        self.was_refused = False  # an edit that uploaded this image
        self._table = table
        self._drawn: bytes | None = None
        self._nameless: tuple[Seat, ...] = ()
        self._way = Way.LISTED
        self._attached: Attached = Unlisted.NOTHING
        self._brings = False  # the last request uploaded the file

    async def draw(self, first: Way) -> None:
        """Draw the image of the table's current score, if it has one. Takes `PATIENCE` at most.

        `first`: the way to show a new one. Failures are logged, not raised.
        """
        session = self._table.session
        rounds = len(session.history) if is_scored(session) else 0
        rows = score_rows(session) if rounds else ()
        if (rounds, rows) == (self._rounds, self._rows):
            return
        if rounds != self._rounds:
            self._way, self.was_refused, self._again = first, False, 0
        else:
            self._again += 1
        self._rounds, self._rows, self._drawn = rounds, rows, None
        if not rounds:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                seats = await drawn(score.nameless, rows)
                self._nameless = tuple(Seat(seat - 1) for seat in seats)
                self._drawn = await drawn(score.png, rows, stopper(session))
        except TimeoutError:
            log.warning("%s: score image not drawn in %g s, left out", self._table, PATIENCE)
        except Exception:
            log.exception("%s: score image not drawn, left out", self._table)

    @property
    def number(self) -> int:
        """A number that no other image of this table has; that of its rounds for the first."""
        return self._rounds + AGAIN * self._again

    @property
    def is_apart(self) -> bool:
        """True if there is an image, shown as a message of its own."""
        return self._drawn is not None and self._way is Way.APART

    @property
    def file(self) -> discord.File:
        """The image to upload. There must be one."""
        assert self._drawn is not None, "an image is drawn"
        return discord.File(BytesIO(self._drawn), self._name)

    @property
    def alone(self) -> Screen:
        """The screen of a message with the image only."""
        picture = Picture(self._name, described(self._table.session))
        return Screen((picture,), self._table.session.round)

    @property
    def pictured(self) -> Pictured | None:
        """The image as the table's message shows it; None if it shows the score as text."""
        return Pictured(self._name, self._nameless) if self._is_beside else None

    def attached(self, *, is_new: bool) -> Sequence[Part] | None:
        """Return the attachments to send with the table's message; None leaves them as they are.

        `is_new`: it is a new message. If this changes the attachments, they are unknown until
        `went_out` is called, since a request whose answer is lost may have been carried out.
        """
        there = Unlisted.UNKNOWN if is_new else self._attached
        self._brings = False
        if not self._is_beside and there is Unlisted.NOTHING:
            return None
        lists = self._is_beside and self._way is Way.LISTED
        if lists and isinstance(there, Listed) and there.filename == self._name:
            return (there,)
        self._attached, self._brings = Unlisted.UNKNOWN, self._is_beside
        return (self.file,) if self._is_beside else ()

    def went_out(self, picture: int | None) -> None:
        """Record a request that succeeded. `picture`: the id of the file that the message shows."""
        if not self._is_beside:
            self._attached = Unlisted.NOTHING
        elif picture is not None:
            self._attached = Listed(picture, self._name)

    def forget(self) -> None:
        """Treat the attachments as unknown, as after a restart."""
        self._attached = Unlisted.UNKNOWN

    def failed(self, kind: Trouble) -> bool:
        """Return whether the image may have caused a failure of this kind.

        If so, it is shown another way from now on, or not at all.
        """
        if not self._is_beside:
            return False
        if kind is Trouble.BUG:
            self._way = Way.APART if self._brings else Way.BROUGHT
            self.was_refused = self._brings
            return True
        if kind in UPLOAD_FAILS and self._brings:
            self._way = Way.NONE
            return True
        return False

    def give_up(self) -> None:
        """Show this score as text only."""
        self._way = Way.NONE

    @property
    def _is_beside(self) -> bool:
        return self._drawn is not None and self._way in (Way.LISTED, Way.BROUGHT)

    @property
    def _name(self) -> str:
        return f"score-{self.number}.png"
