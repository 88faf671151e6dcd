"""Every screen that is taken as it was kept is compared with the one that would be drawn anew."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bot.screen import Screen
from bot.tables.state.session import Session
from bot.tables.views.screens.kept import KeptScreen


@contextmanager
def compared(tell: Callable[[str, str], None]) -> Iterator[None]:
    """Have kept screens compared, also those that a planted fault hands out."""
    taken = KeptScreen.now

    def now(self: KeptScreen[Any], session: Session, beside: Any) -> Screen:
        screen = taken(self, session, beside)
        if screen != self.draw(session, beside):
            tell("a kept screen is the one that would be drawn", f"{beside}: {screen}")
        return screen

    KeptScreen.now = now  # type: ignore[method-assign]
    try:
        yield
    finally:
        KeptScreen.now = taken  # type: ignore[method-assign]
