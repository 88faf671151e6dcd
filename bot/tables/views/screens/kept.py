"""A screen that is drawn again only once something that it shows has changed."""

from collections.abc import Callable
from typing import Generic, TypeVar

from bot.screen import Screen
from bot.tables.state.session import Session

T = TypeVar("T")


class KeptScreen(Generic[T]):
    """The last screen of one reader, and what it was drawn from.

    `draw` returns the screen of a session and of what is shown beside it. It must be pure. A
    session never changes, so it is known by its identity; what is beside it is compared by value.
    """

    def __init__(self, draw: Callable[[Session, T], Screen]) -> None:
        self.draw = draw
        self.last: tuple[Session, T, Screen] | None = None

    def now(self, session: Session, beside: T) -> Screen:
        """Return the screen of this session: the kept one, if it would look the same."""
        if self.last is not None:
            known, shown, screen = self.last
            if known is session and shown == beside:
                return screen
        screen = self.draw(session, beside)
        self.last = session, beside, screen
        return screen
