"""A player's private panel: kept live by the newest token of their own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token, a few
times a second at most (PLATFORM 1). After 15 minutes a token can do nothing more: a last edit
says how to go on. A panel that is a direct message lives on: the bot edits it itself, slowly.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from bot.games.screen import Line, Screen
from bot.tables.painter import Painter
from bot.tables.panels import asleep, news_first, panel, quiet
from bot.tables.places import TOKEN_LIFE, Direct, Token
from bot.tables.session import Phase, Session
from bot.tables.table import Table
from bot.ui import panel_state as state
from bot.ui import panel_top
from bot.ui.components import layout
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.marks import Reader
from bot.ui.office import Office
from bot.ui.panel_message import PanelMessage
from bot.ui.panel_state import Delivery, PanelState, Place
from bot.ui.panel_top import Top

log = logging.getLogger(__name__)

GAP = 0.5
"""Seconds between two pushes to one panel."""
RETRY = 3.0
SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made."""


@dataclass(frozen=True, slots=True)
class Said:
    """The line of what the player's last press led to, in the phase it was said in."""

    line: Line
    round: int
    phase: Phase

    def is_over(self, session: Session) -> bool:
        """Return whether it was said in an earlier phase."""
        return session.round != self.round or session.phase is not self.phase


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent.

    What is known of the panel is one value (`bot.ui.panel_state`); every change of it passes
    `_become`, which starts a push where one is due.
    """

    def __init__(self, table: Table, user: int, locale: str, office: Office) -> None:
        self.table = table
        self.user = user
        self.locale = locale
        self._state = PanelState()
        self._top = Top()
        self._said = self._say(quiet())
        self._office = office
        self._message = PanelMessage(table, office)
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
        return state.message_id(self._state.place)

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
        return state.direct_of(self._state.place) is not None or (self.message or 0) > board

    def picture(self) -> Screen:
        """The panel as it should look now."""
        table, session = self.table, self.table.session
        said = quiet() if self._said.is_over(session) else self._said.line
        screen = panel(session, self.user, table.moment(), said, table.half(self.user))
        return news_first(screen, said) if self._is_plain else screen

    # -- what happens -----------------------------------------------------------------------

    def touch(self) -> None:
        """Something has happened at the table. What was said in an earlier phase is over."""
        if self._said.is_over(self.table.session):
            self._said = self._say(quiet())
        if not state.is_outdated(self._state) or self._is_dealt():
            self._become(state.touched(self._state))

    def draw_anew(self) -> None:
        """It reads differently from now on."""
        self._become(state.lost(self._state))

    def let_go(self) -> None:
        """The message shows another table from now on."""
        self._become(state.let_go(self._state))

    def restore(self, where: Token | Direct) -> None:
        """After a restart: what is on it is not known, so it is drawn again."""
        self._become(state.restored(self._state, where))

    def _become(self, after: PanelState) -> None:
        """Change what is known: forget what has died, delete what was left, push what is due."""
        before, self._state = self._state, after
        if after.place is not before.place:
            self._leave(before.place)
        if self.message is not None:
            self._top = panel_top.moved(self._top, self.message)
        if state.is_due(after):
            self._painter.touch(at_once=self._is_dealt())

    def _leave(self, before: Place) -> None:
        store, now = self._office.store, self._state.place
        if state.token_of(before) is not None and state.token_of(now) is None:
            store.panel_gone(self.table.id, self.user)
        if state.direct_of(before) is not None and state.direct_of(now) is None:
            store.direct_gone(self.table.id, self.user)
        if (old := state.left_behind(before, now)) is not None:
            delete = partial(self._delete, old)
            self._office.supervisor.start(self.table, f"old panel {self.user}", delete)

    def _say(self, said: Line) -> Said:
        session = self.table.session
        return Said(said, session.round, session.phase)

    def _is_dealt(self) -> bool:
        """The cards are on the table and this player has not seen them: everybody at once."""
        session = self.table.session
        return session.phase is Phase.LIVE and self._live_round != session.round

    # -- answers ----------------------------------------------------------------------------

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """While a press is worked on its answer is the next picture: nothing is pushed. What it
        does not show, or shows to nobody since it was lost, is pushed after it.
        """
        self._state = state.begun(self._state)  # nothing is due before the answer
        try:
            yield
        finally:
            self._become(state.finished(self._state))

    @contextmanager
    def answer(self, said: Line, message: int | None = None) -> Iterator[Delivery]:
        """The picture for an answer that is sent within this; `answered` must be told there what
        came of it. One that fails before that is lost. `message`: what it redraws; None for an
        answer that is a new message.
        """
        self._said = self._say(said)
        delivery = self._draw(self.picture(), message)
        self._state = state.sent(self._state, delivery)
        try:
            yield delivery
        except BaseException:
            self._lost(delivery)
            raise

    def answered(self, delivery: Delivery, where: Token | Direct | None) -> None:
        """This answer is out, and edited with this from now on; None when it was lost.

        A panel that was elsewhere before is deleted.
        """
        if where is None:
            self._lost(delivery)
            self._become(self._state)
            return
        self._keep(where)
        self._become(state.answered(self._state, delivery, where))
        if delivery.message is None:
            self._sees(panel_top.made(self._top, delivery, where.message))
        else:
            self._sees(panel_top.taken(self._top, delivery))

    def adopt_direct(self, direct: Direct) -> None:
        """The panel is this direct message from now on."""
        self._keep(direct)
        self._become(state.placed(self._state, direct))

    def _keep(self, where: Token | Direct) -> None:
        """Keep where the panel is across a restart."""
        match where:
            case Token():
                self._office.store.panel_at(self.table.id, self.user, where, self.locale)
            case Direct():
                self._office.store.direct_at(self.table.id, self.user, where, self.locale)

    def _draw(self, screen: Screen, message: int | None) -> Delivery:
        """A picture that is sent now, to this message."""
        delivery = Delivery(screen, self.table.session, self._top.heard, message)
        self._top = panel_top.sent(self._top, delivery)
        return delivery

    def _sees(self, top: Top) -> None:
        """The fate of an answer or a push is known. The only place that knows what has reached the
        player.
        """
        self._top = top
        if (session := panel_top.shown(top)) is not None:
            self.table.shown(self.user, session)

    def _lost(self, delivery: Delivery) -> None:
        """Nobody knows what has become of it. What else is under way may arrive all the same."""
        self._state = state.lost(self._state)
        self._sees(panel_top.lost(self._top, delivery))

    # -- pushes -----------------------------------------------------------------------------

    async def _push(self) -> None:
        if self._compare() is None:
            return
        await self._message.turn(self._state.place, self._is_dealt)
        if (screen := self._compare()) is None:
            return
        delivery = self._draw(screen, self.message)
        if delivery.session.phase is Phase.LIVE:
            self._live_round = delivery.session.round
        self._state = state.sent(self._state, delivery)
        if await self._edit(delivery):
            self._become(state.delivered(self._state, delivery))

    def _compare(self) -> Screen | None:
        """Return what to push; None if an answer comes, nobody sees it, or it looks the same."""
        if not state.can_push(self._state):
            return None
        screen = self.picture()
        if not state.shows(self._state, screen):
            return screen
        self._state = state.looked_at(self._state)
        return None

    async def sleep_if_old(self, now: float) -> None:
        """The last edit that a token can make says how to go on; a direct message goes on by
        itself. `now`: Unix seconds.
        """
        token = state.token_of(self._state.place)
        if token is None or now - token.born < SLEEPY:
            return
        is_told = now - token.born < TOKEN_LIFE and state.direct_of(self._state.place) is None
        if is_told and await self._edit(last := self._draw(asleep(self.picture()), self.message)):
            # An answer that was sent meanwhile may lie below: then the newest is pushed.
            self._state = state.delivered(self._state, last)
        self._become(state.without_token(self._state, token))

    async def _edit(self, delivery: Delivery) -> bool:
        """Send it. Return whether Discord has taken it."""
        place = self._state.place
        try:
            await self._message.edit(place, layout(delivery.screen, self.table.id, self.reader))
        except FAILURES as error:
            await self._failed(error, delivery, place)
            return False
        except BaseException:
            self._lost(delivery)
            raise
        self._sees(panel_top.taken(self._top, delivery))
        return True

    async def _failed(self, error: Exception, delivery: Delivery, place: Place) -> None:
        after, kind = state.refused(self._state, delivery), trouble(error)
        is_lost = kind in (Trouble.LATER, Trouble.ARCHIVED)
        fate = panel_top.lost if is_lost else panel_top.refused
        self._sees(fate(self._top, delivery))
        match kind:
            case Trouble.MESSAGE_GONE | Trouble.PLACE_GONE | Trouble.FORBIDDEN:
                log.info("table %d: a panel is gone: %s", self.table.id, error)
                self._become(state.without_message(after, place))
            case Trouble.TOKEN_GONE:
                log.info("table %d: a panel's token is gone: %s", self.table.id, error)
                self._become(state.without_token(after, state.token_of(place)))
            case Trouble.BUG if self._office.gallery.doubt(error):
                self._become(after)
            case Trouble.BUG:
                self._state = after  # the same picture would be refused again
                log.error("%s: Discord refused a panel: %s", self.table, error)
            case Trouble.LATER | Trouble.ARCHIVED:
                log.warning("%s: a panel is late: %r", self.table, error)
                self._become(state.lost(self._state))
                await self._office.clock.sleep(RETRY)

    async def _delete(self, old: Place) -> None:
        """Delete a message that the panel has left."""
        try:
            await self._message.delete(old)
        except FAILURES as error:
            log.info("table %d: an old panel stays: %s", self.table.id, error)
