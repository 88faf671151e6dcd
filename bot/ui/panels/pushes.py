"""The pushes of a player's panel: what is due, when it may go, and what each failure leads to."""

import logging
from functools import partial

from bot.ids import UserId
from bot.screen import Screen
from bot.tables.running.redraw import Redraw
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.tables.views.screens.panel import asleep
from bot.ui.connection.token_life import is_alive, may_wait
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.limits.urgency import Claim, Worth, beside, claim, last_word, of_leaver, overtaken
from bot.ui.panel_states import state
from bot.ui.panel_states.failed_edits import PASSING, failed
from bot.ui.panel_states.panel_place import Asleep, Place, direct_of, ends
from bot.ui.panel_states.state import Delivery, PanelState
from bot.ui.panels.calls import GAP
from bot.ui.panels.context import PanelContext
from bot.ui.panels.known_panel import KnownPanel
from bot.ui.panels.panel_screen import PanelScreen

log = logging.getLogger(__name__)

RETRY = 3.0
GONE = (Trouble.MESSAGE_GONE, Trouble.TOKEN_GONE, Trouble.PLACE_GONE)
"""Refusals that Discord has to repeat before a panel is given up: one alone may be untrue."""


class PanelPushes:
    """The pushes of one panel, never two at once. A change may be due one after `become`."""

    def __init__(
        self,
        table: Table,
        user: UserId,
        context: PanelContext,
        known: KnownPanel,
        screen: PanelScreen,
    ) -> None:
        self._table = table
        self._user = user
        self._context = context
        self._known = known
        self._calls = known.calls
        self._screen = screen
        self._is_asked_for = False  # a push is under way that shows whatever happens until its turn
        self._signs: tuple[object, ...] = ()  # of urgency, when the push has last looked
        self._doubted: Place | None = None  # called unknown once
        self.is_under_way = False  # a picture is on its way to Discord
        start = partial(context.supervisor.start, table, f"panel {user}")
        self._redraw = Redraw(self._push, GAP, context.clock, lambda one: start(one.run))

    def touch(self) -> None:
        """Take note of a change at the table. Costs little while a push that shows it waits."""
        is_known = state.is_outdated(self._known.state) and self._is_asked_for
        if not is_known or self._known.seen.waits_for_cards:
            self.become(state.touched(self._known.state))
        self._hurry()

    def become(self, after: PanelState) -> None:
        """Change what is known of the panel, and start a push if one is due."""
        self._known.become(after)
        self._hurry()
        if state.is_due(after) and self._is_worth_a_push():
            self._is_asked_for = True
            self._redraw.touch(at_once=self._known.seen.waits_for_cards)

    def _hurry(self) -> None:
        """Tell the push that waits, if there is one, of what may have made it urgent."""
        if self._is_asked_for and self._signs != (signs := self._urgency()):
            self._signs = signs
            self._calls.hurry()

    def _urgency(self) -> tuple[object, ...]:
        """Return all that can make a push urgent."""
        known, session, stuck = self._known, self._table.session, self._table.notices.stuck
        is_waited_for = known.seen.waits_for_cards, ends(known.place)
        return *is_waited_for, state.is_overtaken(known.state), session.phase, session.chairs, stuck

    def _claim(self) -> Claim:
        """Return what a push claims now of what the channel takes."""
        if isinstance(self._known.place, Asleep):
            return Claim(Worth.NOTHING)
        if (token := ends(self._known.place)) is not None:
            return last_word(may_wait=may_wait(token, self._context.discord_time.now()))
        shown, now = state.shown(self._known.state), self._table.session
        asked = claim(
            shown,
            now,
            is_dealt=self._known.seen.waits_for_cards,
            is_free=self._calls.is_free,
            says_why=self._known.seen.says_why,
            since=self._known.seen.since,
        )
        asked = beside(asked, self._table.people_beside())
        was_in = shown is not None and shown.seat_of(self._user) is not None
        if was_in and now.seat_of(self._user) is None:
            return of_leaver(asked)
        return overtaken(asked) if state.is_overtaken(self._known.state) else asked

    def _is_worth_a_push(self) -> bool:
        """Return whether the table message is not enough. Asked with each change of a table.

        A direct message stands by itself: no table beside it says that the match has started.
        """
        phase, shown = self._table.session.phase, state.shown(self._known.state)
        if phase not in (Phase.READY, Phase.COUNT):
            return True
        if direct_of(self._known.place) is not None and shown is not None:
            return shown.phase is not phase or self._claim().worth is not Worth.NOTHING
        return self._claim().worth is not Worth.NOTHING

    async def _push(self) -> None:
        self._signs = self._urgency()
        if self._is_worth_a_turn():
            await self._calls.turn(self._known.place, self._claim)
        self._is_asked_for = False
        token = self._known.token
        if token is not None and not is_alive(token, self._context.discord_time.now()):
            self.become(state.without_token(self._known.state, token))
        if (screen := self._compare()) is None:
            return
        delivery, last = self._known.seen.draw(screen, self._known.message), ends(self._known.place)
        self._known.state = state.sent(self._known.state, delivery)
        if await self._edit(delivery):
            # An answer that was sent meanwhile may lie below: then the newest is pushed.
            after = state.delivered(self._known.state, delivery)
            self.become(state.without_token(after, last))

    def _is_worth_a_turn(self) -> bool:
        """Return whether a push has to wait for its turn. It is drawn only then.

        In play, news alters the panel of everybody who plays, so nothing is drawn to find that out.
        Whoever has left, or sits the round out, sees none: their turns would be the others' loss.
        """
        known, now = self._known.state, self._table.session
        shown, seat = state.shown(known), now.seat_of(self._user)
        plays = now.phase is Phase.LIVE and seat is not None and now.dealt_in(seat)
        is_news = plays and shown is not None and shown.news is not now.news
        if is_news and state.is_due(known):
            return self._is_worth_a_push()
        return self._compare() is not None

    def _compare(self) -> Screen | None:
        """Return what to push, or None.

        None if an answer comes, nobody sees it, nothing has changed since the last picture, it
        looks the same, or the table message is enough. The last push of a token says how to go on.
        """
        if not state.is_due(self._known.state) or not self._is_worth_a_push():
            return None
        screen = self._screen.now()
        if ends(self._known.place) is not None:
            return asleep(self._table.session, screen)
        if not state.shows(self._known.state, screen):
            return screen
        self._known.state = state.looked_at(self._known.state)
        return None

    async def _edit(self, delivery: Delivery) -> bool:
        """Send it. Return whether Discord has taken it."""
        self.is_under_way = True
        try:
            return await self._sent(delivery)
        finally:
            self.is_under_way = False

    async def _sent(self, delivery: Delivery) -> bool:
        place = self._known.place
        try:
            view = self._screen.layout(delivery.screen)
            is_taken = await self._calls.edit(place, view)
        except FAILURES as error:
            await self._failed(error, delivery, place)
            return False
        except BaseException:
            self._known.lost(delivery)
            raise
        if not is_taken:  # a rate limit: the next one waits for it
            self._known.seen.refused(delivery)
            self.become(state.refused(self._known.state, delivery))
            return False
        self._known.seen.taken(delivery)
        return True

    async def _failed(self, error: Exception, delivery: Delivery, place: Place) -> None:
        kind = trouble(error)
        if kind in GONE and self._doubted is not place:
            self._doubted, kind = place, Trouble.LATER
        is_lost, is_bug = kind in PASSING, kind is Trouble.BUG
        is_final = kind is Trouble.REFUSED or (is_bug and not self._context.emojis.doubt(error))
        (self._known.seen.lost if is_lost else self._known.seen.refused)(delivery)
        after = failed(self._known.state, kind, delivery, place)
        if is_final:
            self._known.state = after  # the same picture would be refused again
            if (last := ends(place)) is not None:
                self.become(state.without_token(after, last))
            level = logging.ERROR if is_bug else logging.WARNING
            log.log(level, "%s: panel edit refused: %s", self._table, error)
            return
        level, what = (logging.WARNING, "late") if is_lost else (logging.INFO, "gone")
        log.log(level, "%s: a panel is %s: %r", self._table, what, error)
        self.become(after)
        if is_lost:
            self._known.lost_at = self._context.clock.now()
            await self._context.clock.sleep(RETRY)
