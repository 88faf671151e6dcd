"""A player's private panel: kept live by the newest token of his own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token, a few
times a second at most (PLATFORM 1). After 15 minutes a token can do nothing more: a last edit
says how to go on. A panel that is a direct message lives on: the bot edits it itself, slowly.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from bot.games.screen import Line, Screen
from bot.tables.painter import Painter
from bot.tables.panels import asleep, news_first, panel, quiet
from bot.tables.places import Direct, Token
from bot.tables.session import Phase, Session
from bot.tables.table import Table
from bot.ui import wire
from bot.ui.components import layout
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.marks import Reader
from bot.ui.office import Office

log = logging.getLogger(__name__)

DRAWN = 8
"""Answers of one panel that may be under way together."""
GAP = 0.5
"""Seconds between two pushes to one panel."""
PATIENCE = 10.0
RETRY = 3.0
DIRECT_GAP = 2.0
"""Seconds between two edits without a token: a channel takes five in five seconds, and each
spends what the whole bot may send (PLATFORM 1, 2).
"""
SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made."""
TOKEN_LIFE = 15 * 60


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent."""

    def __init__(self, table: Table, user: int, locale: str, office: Office) -> None:
        self.table = table
        self.user = user
        self.locale = locale
        self.said: Line = quiet()
        self._office = office
        self._token: Token | None = None
        self._direct: Direct | None = None
        self._next_direct = 0.0
        self._sent: Screen | None = None
        self._said_in = (table.session.round, table.session.phase)
        self._answering = 0
        self._drawn: deque[tuple[Screen, Session]] = deque(maxlen=DRAWN)
        self._missed = False  # something has changed since the last answer was drawn
        self._live_round = 0
        self._painter = Painter(
            self._push,
            GAP,
            office.clock,
            lambda p: office.supervisor.start(table, f"panel {user}", p.run),
        )

    @property
    def message(self) -> int | None:
        """Where the panel is, while it can still be edited."""
        place = self._token or self._direct
        return place.message if place is not None else None

    @property
    def reader(self) -> Reader:
        """The words are the player's, the letters of cards the table's."""
        letters, faces = self.table.session.opened.locale, self._office.gallery.faces
        if self._is_plain:
            return Reader(self.locale, letters, plain=True)
        return Reader(self.locale, letters, faces)

    @property
    def _is_plain(self) -> bool:
        return self.user in self._office.plain

    def is_near(self, board: int) -> bool:
        """Whether a player at the table's message has this panel at hand: below, or direct."""
        return self._direct is not None or (self.message or 0) > board

    @property
    def asleep(self) -> bool:
        return self._token is None and self._direct is None

    def touch(self) -> None:
        if self._answering or self.asleep:
            self._missed = True
        else:
            self._painter.touch(at_once=self._is_dealt())

    def draw_anew(self) -> None:
        """It reads differently from now on."""
        self._sent = None
        self.touch()

    def _is_dealt(self) -> bool:
        """The cards are on the table and this player has not seen them: everybody at once."""
        session = self.table.session
        return session.phase is Phase.LIVE and self._live_round != session.round

    def picture(self) -> Screen:
        """The panel as it should look now. What was said in an earlier phase is over."""
        session = self.table.session
        if (session.round, session.phase) != self._said_in:
            self.said, self._said_in = quiet(), (session.round, session.phase)
        table = self.table
        screen = panel(session, self.user, table.moment(), self.said, table.half(self.user))
        return news_first(screen, self.said) if self._is_plain else screen

    # -- answers ----------------------------------------------------------------------------

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """While a press is worked on its answer is the next picture: nothing is pushed. What it
        does not show, or shows to nobody since it was lost, is pushed after it.
        """
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            if self._missed:
                self.touch()

    def answer(self, said: Line) -> Screen:
        """The picture for an answer that is sent now."""
        session = self.table.session
        self.said, self._said_in = said, (session.round, session.phase)
        screen = self.picture()
        self._sent, self._missed = screen, False
        self._drawn.append((screen, session))
        return screen

    def answered(self, screen: Screen, token: Token | None) -> None:
        """This answer is out, with this token for what comes; None when it was lost.

        When another picture was sent meanwhile nobody knows which of the two lies on top; what
        has changed since a first panel was drawn could not be shown on it before.
        """
        on_top = self._sent is screen
        if token is not None:
            self.adopt(token)
            self.delivered(screen)
        self._sent = screen if on_top and token is not None else None
        if self._missed or self._sent is None:
            self.touch()

    def delivered(self, screen: Screen) -> None:
        """This answer has reached Discord: what it shows can be read from now on."""
        for one, session in self._drawn:
            if one is screen:
                self.table.shown(self.user, session)

    def adopt(self, token: Token) -> None:
        """Use this token from now on. A panel that was elsewhere before is deleted."""
        self._moves_to(token.message)
        self._token = token
        self._office.store.panel_at(self.table.id, self.user, token, self.locale)

    def adopt_direct(self, direct: Direct) -> None:
        """The panel is this direct message from now on."""
        self._moves_to(direct.message)
        self._direct = direct
        self._office.store.direct_at(self.table.id, self.user, direct, self.locale)
        self.touch()

    def _moves_to(self, message: int) -> None:
        """Delete and forget what is not in this message."""
        token, direct = self._token, self._direct
        if token is not None and token.message != message:
            self._forget_token()
            if direct is None or direct.message != token.message:
                hook = self._office.hook(token.token)
                self._discard(partial(hook.delete_message, token.message))
        if direct is not None and direct.message != message:
            self._forget_direct()
            self._discard(self._office.letter(direct).delete)

    def let_go(self) -> None:
        """The message shows another table from now on."""
        self._forget_token()
        self._forget_direct()

    def restore(self, token: Token | None, direct: Direct | None = None) -> None:
        """After a restart: what is on it is not known, so it is drawn again."""
        self._token, self._direct = token or self._token, direct or self._direct
        self.touch()

    # -- pushes -----------------------------------------------------------------------------

    async def _push(self) -> None:
        if self._need_not(self.picture()):
            return
        office = self._office
        if self._token is None and self._direct is not None:
            await office.clock.sleep(self._next_direct - office.clock.now())
            await office.budget.take_own(urgent=self._is_dealt)
        else:
            await office.budget.take(self.table.session.channel, urgent=self._is_dealt)
        screen, session = self.picture(), self.table.session
        if self._need_not(screen):
            return
        if session.phase is Phase.LIVE:
            self._live_round = session.round
        before = self._sent
        if await self._edit(screen):
            # If an answer went out meanwhile, this older picture may now lie on top of it:
            # what is known to be sent is this one, so the newest is pushed once more.
            overtaken, self._sent = self._sent is not before, screen
            self.table.shown(self.user, session)
            if overtaken:
                self.touch()

    def _need_not(self, screen: Screen) -> bool:
        """An answer is coming, nobody can see it, or it looks as it did."""
        if self._answering:
            self._missed = True
            return True
        return self.asleep or screen == self._sent

    async def sleep_if_old(self, now: float) -> None:
        """The last edit that a token can make says how to go on; a direct message goes on by
        itself. `now`: Unix seconds.
        """
        token = self._token
        if token is None or now - token.born < SLEEPY:
            return
        if now - token.born < TOKEN_LIFE and self._direct is None:
            await self._edit(asleep(self.picture()))
        if self._token is token:
            self._forget_token()

    async def _edit(self, screen: Screen) -> bool:
        """With the token where there is one, else as the bot."""
        token, direct = self._token, self._direct
        view = layout(screen, self.table.id, self.reader)
        try:
            async with asyncio.timeout(PATIENCE):
                if token is not None:
                    await wire.push(self._office.hook(token.token), token.message, view)
                elif direct is not None:
                    self._next_direct = self._office.clock.now() + DIRECT_GAP
                    await self._office.letter(direct).edit(view=view, allowed_mentions=wire.NOBODY)
        except FAILURES as error:
            await self._failed(error, token, direct)
            return False
        return True

    async def _failed(self, error: Exception, token: Token | None, direct: Direct | None) -> None:
        kind = trouble(error)
        match kind:
            case Trouble.MESSAGE_GONE | Trouble.TOKEN_GONE | Trouble.PLACE_GONE | Trouble.FORBIDDEN:
                log.info("table %d: a panel is gone: %s", self.table.id, error)
                if token is not None and self._token is token:
                    self._forget_token()
                if kind is not Trouble.TOKEN_GONE and self._direct == direct:
                    self._forget_direct()
                self.touch()
            case Trouble.BUG if self._office.gallery.doubt(error):
                self.touch()
            case Trouble.BUG:
                log.error("%s: Discord refused a panel: %s", self.table, error)
            case Trouble.LATER | Trouble.ARCHIVED:
                log.warning("%s: a panel is late: %r", self.table, error)
                self._sent = None
                self._painter.touch()
                await self._office.clock.sleep(RETRY)

    def _forget_token(self) -> None:
        self._token, self._sent = None, None
        self._office.store.panel_gone(self.table.id, self.user)

    def _forget_direct(self) -> None:
        if self._direct is not None:
            self._direct, self._sent = None, None
            self._office.store.direct_gone(self.table.id, self.user)

    def _discard(self, deleting: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def delete() -> None:
            try:
                async with asyncio.timeout(PATIENCE):
                    await deleting()
            except FAILURES as error:
                log.info("table %d: an old panel stays: %s", self.table.id, error)

        self._office.supervisor.start(self.table, f"old panel {self.user}", delete)
