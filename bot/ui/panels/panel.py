"""A player's private panel: kept live by the newest token of their own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token (PLATFORM 1).
A last edit before its death says how to go on. A direct message lives on: the bot edits it itself.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from discord.ui import LayoutView

from bot.ids import MessageId, UserId
from bot.screen import Line, Screen
from bot.tables.running.redraw import Redraw
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Direct, Token
from bot.tables.state.session import Phase
from bot.tables.views.panel import asleep
from bot.ui.connection.token_life import is_alive, may_wait
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.limits.urgency import Claim, Worth, claim, last_word, overtaken
from bot.ui.panel_states import state
from bot.ui.panel_states.failed_edits import PASSING, failed
from bot.ui.panel_states.panel_place import (
    Place,
    direct_of,
    ends,
    left_behind,
    message_id,
    token_of,
)
from bot.ui.panel_states.state import Delivery, PanelState
from bot.ui.panels.calls import GAP, PanelMessage
from bot.ui.panels.context import PanelContext
from bot.ui.panels.look import PanelPicture
from bot.ui.panels.old import OldPanels
from bot.ui.panels.refs import PanelNotes
from bot.ui.panels.seen import Sight
from bot.ui.render.components import layout

log = logging.getLogger(__name__)

RETRY = 3.0
GONE = (Trouble.MESSAGE_GONE, Trouble.TOKEN_GONE, Trouble.PLACE_GONE)
"""Refusals that Discord has to repeat before a panel is given up: one alone may be untrue."""
SETTLED = 30.0
"""Seconds after a call was lost in which Discord may still carry it out, over newer ones."""


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent.

    What is known of the panel is one value (`state`). A change after which a push may
    be due passes `_become`, which starts it.
    """

    def __init__(self, table: Table, user: UserId, locale: str, context: PanelContext) -> None:
        self.table = table
        self.user = user
        self._state = PanelState()
        self._sight = Sight(table, user, context.clock)
        self._context = context
        self.picture = PanelPicture(table, user, locale, context)
        self._notes = PanelNotes(table, user, context.store)
        self._message = PanelMessage(table, context)
        self._old = OldPanels(table, user, context, self._message)
        self._is_asked_for = False  # a push is under way that shows whatever happens until its turn
        self._lost_at: float | None = None  # when the last push or answer was lost
        self._doubted: Place | None = None  # called unknown once
        start = partial(context.supervisor.start, table, f"panel {user}")
        self._redraw = Redraw(self._push, GAP, context.clock, lambda one: start(one.run))

    @property
    def message(self) -> MessageId | None:
        """The panel's message, while it can still be edited."""
        return message_id(self._state.place)

    def is_near(self, upkeep: MessageId) -> bool:
        """Return whether a player at the table message has this panel near: below it, or direct."""
        return direct_of(self._state.place) is not None or (self.message or 0) > upkeep

    @property
    def token(self) -> Token | None:
        """The token that edits it, until it dies."""
        return token_of(self._state.place)

    # -- what happens -----------------------------------------------------------------------

    def touch(self) -> None:
        """Take note of a change at the table. What was said in an earlier phase is over."""
        self.picture.forget_what_is_over()
        self._old.tidy(self._state.place)
        is_known = state.is_outdated(self._state) and self._is_asked_for
        if not is_known or self._sight.waits_for_cards:
            self._become(state.touched(self._state))

    def redraw_now(self) -> None:
        """Count the picture as lost: it reads differently from now on."""
        self._become(state.lost(self._state))

    def settle(self) -> None:
        """Push once more some time after a push or an answer was lost. Called every few seconds.

        Discord may have carried that one out after those that followed it.
        """
        if self._lost_at is not None and self._context.clock.now() - self._lost_at >= SETTLED:
            self._lost_at = None
            self.redraw_now()

    def let_go(self) -> None:
        """Let go of the message: it shows another table from now on."""
        self._become(state.let_go(self._state))

    def restore(self, where: Token | Direct) -> None:
        """Restore the panel after a restart. What is on it is not known, so it is drawn again."""
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
            self._redraw.touch(at_once=self._sight.waits_for_cards)

    def _leave(self, before: Place) -> None:
        now = self._state.place
        self._notes.left(before, now)
        if (old := left_behind(before, now)) is not None:
            self._old.leave(old)
        self._old.tidy(now)

    def _claim(self) -> Claim:
        """Return what a push claims now of what the channel takes."""
        if (token := ends(self._state.place)) is not None:
            return last_word(may_wait=may_wait(token, self._context.discord_time.now()))
        asked = claim(
            state.shown(self._state),
            self.table.session,
            is_dealt=self._sight.waits_for_cards,
            is_free=self._message.is_free,
            says_why=self._sight.says_why,
            since=self._sight.since,
        )
        return overtaken(asked) if state.is_overtaken(self._state) else asked

    def _is_worth_a_push(self) -> bool:
        """Return whether the table message is not enough. Asked with each change of a table."""
        waits = self.table.session.phase in (Phase.READY, Phase.COUNT)
        return not waits or self._claim().worth is not Worth.NOTHING

    def layout(self, screen: Screen) -> LayoutView:
        """Return a screen ready to send, as this player reads it now."""
        return layout(screen, self.table.id, self.picture.reader)

    # -- answers ----------------------------------------------------------------------------

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Hold back pushes while a press is answered: its answer is the next picture.

        Changes that the answer missed, or a lost answer, are pushed afterwards.
        """
        self._state = state.begun(self._state)  # nothing is due before the answer
        try:
            yield
        finally:
            self._become(state.finished(self._state))

    @contextmanager
    def answer(self, said: Line, message: MessageId | None = None) -> Iterator[Delivery]:
        """Yield the picture for an answer that is sent within this block.

        Tell `answered` there what came of it. An answer that fails before that is lost. `message`:
        the one that it redraws; None for an answer that is a new message.
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
        """Note that this answer is out, edited with `where` from now on; None if it was lost."""
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
        """Take this direct message for the panel from now on."""
        self._notes.keep(direct, self.picture.locale)
        self._become(state.placed(self._state, direct))

    def _lost(self, delivery: Delivery) -> None:
        """Note that a delivery's fate is unknown. Others under way may arrive all the same."""
        self._lost_at = self._context.clock.now()
        self._state = state.lost(self._state)
        self._sight.lost(delivery)

    # -- pushes -----------------------------------------------------------------------------

    async def _push(self) -> None:
        if self._compare() is not None:
            await self._message.turn(self._state.place, self._claim)
        self._is_asked_for = False
        if self.token is not None and not is_alive(self.token, self._context.discord_time.now()):
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
        """Return what to push, or None.

        None if an answer comes, nobody sees it, it looks the same, or the table message is enough.
        The last push of a token says how to go on.
        """
        if not state.can_push(self._state) or not self._is_worth_a_push():
            return None
        screen = self.picture.screen()
        if ends(self._state.place) is not None:
            return asleep(self.table.session, screen)
        if not state.shows(self._state, screen):
            return screen
        self._state = state.looked_at(self._state)
        return None

    async def _edit(self, delivery: Delivery) -> bool:
        """Send it. Return whether Discord has taken it."""
        place = self._state.place
        try:
            view = self.layout(delivery.screen)
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
        if kind in GONE and self._doubted is not place:
            self._doubted, kind = place, Trouble.LATER
        is_lost, is_bug = kind in PASSING, kind is Trouble.BUG
        is_final = kind is Trouble.REFUSED or (is_bug and not self._context.emojis.doubt(error))
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
            self._lost_at = self._context.clock.now()
            await self._context.clock.sleep(RETRY)
