"""The current screen of a table's public message."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from discord.ui import LayoutView

from bot.games.screen import Screen
from bot.tables.screens import public
from bot.tables.session import Phase
from bot.tables.standing import is_recorded
from bot.tables.table import Table
from bot.ui.components import layout
from bot.ui.gallery import Gallery
from bot.ui.illustration import Illustration, Way
from bot.ui.learned import Learned, Lesson
from bot.ui.marks import Reader

ENDED = (Phase.OVER, Phase.CLOSED)

Finish: TypeAlias = Callable[[Screen], Screen]
"""A function that adds the ratings and record buttons to a finished match's screen."""


class TablePicture:
    """The table's screen, with the score's image and the additions of a finished match."""

    def __init__(
        self,
        table: Table,
        gallery: Gallery,
        learned: Learned,
        epilogue: Callable[[Table], Awaitable[Finish]],
    ) -> None:
        self.illustration = Illustration(table)
        self._table = table
        self._gallery = gallery
        self._learned = learned
        self._epilogue = epilogue
        self._finish: Finish | None = None

    async def prepare(self) -> None:
        """Load the ratings and the image of the current screen. Takes a few seconds at most."""
        session = self._table.session
        if self._finish is None and session.phase in ENDED and is_recorded(session):
            self._finish = await self._epilogue(self._table)
        is_apart = self._learned.holds(session.opened.guild, Lesson.PICTURES_APART)
        await self.illustration.draw(Way.APART if is_apart else Way.LISTED)

    def screen(self) -> Screen:
        screen = public(self._table.session, self._table.moment())
        screen = screen if self._finish is None else self._finish(screen)
        return self.illustration.beside(screen)

    def layout(self, screen: Screen) -> LayoutView:
        """Return a screen ready to send, in the table's language."""
        locale = self._table.session.opened.locale
        return layout(screen, self._table.id, Reader(locale, faces=self._gallery.faces))
