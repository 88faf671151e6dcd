"""The picture of a score, and how it is shown. Words wait for it a moment at most."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from io import BytesIO
from typing import TypeAlias

import discord

from bot.art import score
from bot.games.screen import Picture, Row, Screen
from bot.tables.scores import described, is_scored, standings, stoppers
from bot.tables.table import Table
from bot.ui.errors import Trouble
from bot.ui.studio import drawn

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which a score is shown without its picture."""
UPLOAD_FAILS = (Trouble.LATER, Trouble.FORBIDDEN, Trouble.REFUSED)
"""Failures that may be a file's: it takes longer, needs a permission, and may be too large."""


class Way(Enum):
    """How the picture of a score is shown. Where Discord refuses one way, the next is tried."""

    LISTED = auto()  # on the table's message; an edit that shows it again lists it
    BROUGHT = auto()  # on the table's message, sent again with each edit
    APART = auto()  # as a message of its own
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that a message has already, as an edit lists it (PLATFORM 4)."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, str]:
        return {"id": str(self.id), "filename": self.filename}


class Unlisted(Enum):
    """What is attached to a message that has no file, or of which nobody knows."""

    NOTHING = auto()
    UNKNOWN = auto()  # after a restart, and until Discord has answered


Attached: TypeAlias = Listed | Unlisted
Part: TypeAlias = Listed | discord.File


class Illustration:
    """Drawn once a round, shown for as long as the score is.

    Whatever goes wrong with it, the score is shown in words.
    """

    def __init__(self, table: Table) -> None:
        self.rounds = 0  # of the last score that was drawn, or could not be
        self.was_refused = False  # an edit that brought this picture
        self._table = table
        self._drawn: bytes | None = None
        self._way = Way.LISTED
        self._attached: Attached = Unlisted.NOTHING
        self._brings = False  # the message that went out last brought the file

    async def draw(self, first: Way) -> None:
        """Have the picture ready that belongs to the table as it is now. `first`: how a new one
        is shown.
        """
        session = self._table.session
        rounds = len(session.history) if is_scored(session) else 0
        if rounds == self.rounds:
            return
        self.rounds, self._drawn = rounds, None
        self._way, self.was_refused = first, False
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

    @property
    def is_apart(self) -> bool:
        """Return whether it is shown as a message of its own."""
        return self._drawn is not None and self._way is Way.APART

    @property
    def file(self) -> discord.File:
        """Return the picture to send. There has to be one."""
        assert self._drawn is not None, "a picture is drawn"
        return discord.File(BytesIO(self._drawn), self._name)

    @property
    def alone(self) -> Screen:
        """Return what a message of its own shows."""
        return Screen((self._picture,), self._table.session.round)

    def beside(self, screen: Screen) -> Screen:
        """Return the screen with its picture: above the buttons, below all words."""
        if not self._is_beside:
            return screen
        place = next((i for i, one in enumerate(screen.blocks) if isinstance(one, Row)), None)
        blocks = (*screen.blocks[:place], self._picture, *screen.blocks[place:])
        return replace(screen, blocks=blocks)

    def attached(self, *, anew: bool) -> Sequence[Part] | None:
        """Return all that is attached to the table's message as it goes out now; None leaves it
        as it is. `anew`: it is a new message.

        Where that changes something, nobody knows what is attached until it `went_out`: of a
        request whose answer is lost nobody knows whether it was carried out.
        """
        there = Unlisted.UNKNOWN if anew else self._attached
        self._brings = False
        if not self._is_beside and there is Unlisted.NOTHING:
            return None
        lists = self._is_beside and self._way is Way.LISTED
        if lists and isinstance(there, Listed) and there.filename == self._name:
            return (there,)
        self._attached, self._brings = Unlisted.UNKNOWN, self._is_beside
        return (self.file,) if self._is_beside else ()

    def went_out(self, picture: int | None) -> None:
        """Discord has answered. `picture`: the id of the file that the message shows."""
        if not self._is_beside:
            self._attached = Unlisted.NOTHING
        elif picture is not None:
            self._attached = Listed(picture, self._name)

    def forget(self) -> None:
        """After a restart nobody knows what is attached."""
        self._attached = Unlisted.UNKNOWN

    def failed(self, kind: Trouble) -> bool:
        """After a failure of this kind: return whether the picture may have been its reason. It
        is shown another way from now on, or not at all.
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
        """Show this score in words alone."""
        self._way = Way.NONE

    @property
    def _is_beside(self) -> bool:
        return self._drawn is not None and self._way in (Way.LISTED, Way.BROUGHT)

    @property
    def _picture(self) -> Picture:
        return Picture(self._name, described(self._table.session))

    @property
    def _name(self) -> str:
        return f"score-{self.rounds}.png"
