"""A player's private panel: kept live by the newest token of their own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token (PLATFORM 1).
A last edit before its death says how to go on. A direct message lives on: the bot edits it itself.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from bot.games.screen import Line, Screen
from bot.tables.painter import Painter
from bot.tables.panels import asleep
from bot.tables.places import Direct, Token
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui import panel_state as state
from bot.ui.claims import Claim, Worth, claim, last_word
from bot.ui.components import layout
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.office import Office
from bot.ui.old_panels import OldPanels
from bot.ui.panel_message import GAP, PanelMessage
from bot.ui.panel_notes import PanelNotes
from bot.ui.panel_picture import PanelPicture
from bot.ui.panel_place import Place, direct_of, ends, left_behind, message_id, token_of
from bot.ui.panel_sight import Sight
from bot.ui.panel_state import Delivery, PanelState
from bot.ui.panel_trouble import PASSING, failed
from bot.ui.token_life import is_alive, may_wait

log = logging.getLogger(__name__)

RETRY = 3.0


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent.

    What is known of the panel is one value (`bot.ui.panel_state`). A change after which a push may
    be due passes `_become`, which starts it.
    """

    def __init__(self, table: Table, user: int, locale: str, office: Office) -> None:
        self.table = table
        self.user = user
        self._state = PanelState()
        self._sight = Sight(table, user)
        self._office = office
        self.picture = PanelPicture(table, user, locale, office)
        self._notes = PanelNotes(table, user, office.store)
        self._message = PanelMessage(table, office)
        self._old = OldPanels(table, user, office, self._message)
        self._is_asked_for = False  # a push is under way that shows whatever happens until its turn
        start = partial(office.supervisor.start, table, f"panel {user}")
        self._painter = Painter(self._push, GAP, office.clock, lambda one: start(one.run))

    @property
    def message(self) -> int | None:
        """Where the panel is, while it can still be edited."""
        return message_id(self._state.place)

    def is_near(self, board: int) -> bool:
        """Whether a player at the table's message has this panel at hand: below, or direct."""
        return direct_of(self._state.place) is not None or (self.message or 0) > board

    @property
    def token(self) -> Token | None:
        """What edits it, until it dies."""
        return token_of(self._state.place)

    # -- what happens -----------------------------------------------------------------------

    def touch(self) -> None:
        """Something has happened at the table. What was said in an earlier phase is over."""
        self.picture.forget_what_is_over()
        self._old.tidy(self._state.place)
        is_known = state.is_outdated(self._state) and self._is_asked_for
        if not is_known or self._sight.waits_for_cards:
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

    def fall_asleep(self) -> None:
        """Push for the last time, since the token is about to die. A direct message needs none."""
        self._become(state.ending(self._state))

    def _become(self, after: PanelState) -> None:
        """Change what is known: forget what has died, delete what was left, push what is due."""
        before, self._state = self._state, after
        if after.place is not before.place:
            self._leave(before.place)
        if self.message is not None:
            self._sight.moved(self.message)
        if state.is_due(after) and self._is_worth_a_push():
            self._is_asked_for = True
            self._painter.touch(at_once=self._sight.waits_for_cards)

    def _leave(self, before: Place) -> None:
        now = self._state.place
        self._notes.left(before, now)
        if (old := left_behind(before, now)) is not None:
            self._old.leave(old)
        self._old.tidy(now)

    def _claim(self) -> Claim:
        """Return what a push claims now of what the channel takes."""
        if (token := ends(self._state.place)) is not None:
            return last_word(may_wait=may_wait(token, self._office.clock.wall()))
        return claim(
            state.shown(self._state),
            self.table.session,
            is_dealt=self._sight.waits_for_cards,
            is_free=self._message.is_free,
            says_why=self._sight.says_why,
        )

    def _is_worth_a_push(self) -> bool:
        """Whether the table's message doesn't do for it. Asked with every change of a table."""
        waits = self.table.session.phase in (Phase.READY, Phase.COUNT)
        return not waits or self._claim().worth is not Worth.NOTHING

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
        self.picture.say(said)
        delivery = self._sight.draw(self.picture.screen(), message)
        self._state = state.sent(self._state, delivery)
        try:
            yield delivery
        except BaseException:
            self._lost(delivery)
            raise

    def answered(self, delivery: Delivery, where: Token | Direct | None) -> None:
        """This answer is out, and edited with this from now on; None when it was lost."""
        if where is None:
            self._lost(delivery)
            self._become(self._state)
            return
        self._notes.keep(where, self.picture.locale)
        self._become(state.answered(self._state, delivery, where))
        if delivery.message is None:
            self._sight.made(delivery, where.message)
        else:
            self._sight.taken(delivery)

    def adopt_direct(self, direct: Direct) -> None:
        """The panel is this direct message from now on."""
        self._notes.keep(direct, self.picture.locale)
        self._become(state.placed(self._state, direct))

    def _lost(self, delivery: Delivery) -> None:
        """Nobody knows what has become of it. What else is under way may arrive all the same."""
        self._state = state.lost(self._state)
        self._sight.lost(delivery)

    # -- pushes -----------------------------------------------------------------------------

    async def _push(self) -> None:
        if self._compare() is not None:
            await self._message.turn(self._state.place, self._claim)
        self._is_asked_for = False
        if self.token is not None and not is_alive(self.token, self._office.clock.wall()):
            self._become(state.without_token(self._state, self.token))
        if (screen := self._compare()) is None:
            return
        delivery, last = self._sight.draw(screen, self.message), ends(self._state.place)
        self._state = state.sent(self._state, delivery)
        if await self._edit(delivery):
            # An answer that was sent meanwhile may lie below: then the newest is pushed.
            after = state.delivered(self._state, delivery)
            self._become(state.without_token(after, last))

    def _compare(self) -> Screen | None:
        """Return what to push; None if an answer comes, nobody sees it, it looks the same, or the
        table's message does for it. The last that a token can push says how to go on.
        """
        if not state.can_push(self._state) or not self._is_worth_a_push():
            return None
        screen = self.picture.screen()
        if ends(self._state.place) is not None:
            return asleep(screen)
        if not state.shows(self._state, screen):
            return screen
        self._state = state.looked_at(self._state)
        return None

    async def _edit(self, delivery: Delivery) -> bool:
        """Send it. Return whether Discord has taken it."""
        place = self._state.place
        try:
            view = layout(delivery.screen, self.table.id, self.picture.reader)
            is_taken = await self._message.edit(place, view)
        except FAILURES as error:
            await self._failed(error, delivery, place)
            return False
        except BaseException:
            self._lost(delivery)
            raise
        if not is_taken:  # a rate limit: the next one waits for it
            self._sight.refused(delivery)
            self._become(state.refused(self._state, delivery))
            return False
        self._sight.taken(delivery)
        return True

    async def _failed(self, error: Exception, delivery: Delivery, place: Place) -> None:
        kind = trouble(error)
        is_lost, is_bug = kind in PASSING, kind is Trouble.BUG
        is_final = kind is Trouble.REFUSED or (is_bug and not self._office.gallery.doubt(error))
        (self._sight.lost if is_lost else self._sight.refused)(delivery)
        after = failed(self._state, kind, delivery, place)
        if is_final:
            self._state = after  # the same picture would be refused again
            if (last := ends(place)) is not None:
                self._become(state.without_token(after, last))
            level = logging.ERROR if is_bug else logging.WARNING
            log.log(level, "%s: Discord refused a panel: %s", self.table, error)
            return
        level, what = (logging.WARNING, "late") if is_lost else (logging.INFO, "gone")
        log.log(level, "%s: a panel is %s: %r", self.table, what, error)
        self._become(after)
        if is_lost:
            await self._office.clock.sleep(RETRY)
