"""A player's private panel: kept live by the newest token of their own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token (PLATFORM 1).
A last edit before its death says how to go on. A direct message lives on: the bot edits it itself.
"""

import asyncio

from bot.ids import MessageId, UserId
from bot.screen import Line
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Direct, Token
from bot.ui.limits.answers import SETTLED
from bot.ui.panel_states import state
from bot.ui.panel_states.panel_place import direct_of
from bot.ui.panel_states.state import Delivery
from bot.ui.panels.context import PanelContext
from bot.ui.panels.known_panel import KnownPanel
from bot.ui.panels.panel_screen import PanelScreen
from bot.ui.panels.pushes import PanelPushes


class HeldBack:
    """The time in which a press is answered, as a context. A generator's would cost more."""

    __slots__ = ("_known", "_pushes")

    def __init__(self, known: KnownPanel, pushes: PanelPushes) -> None:
        self._known, self._pushes = known, pushes

    def __enter__(self) -> None:
        self._known.state = state.begun(self._known.state)  # nothing is due before the answer

    def __exit__(self, *_: object) -> None:
        self._pushes.become(state.finished(self._known.state))


class Answering:
    """An answer that is sent, as a context."""

    __slots__ = ("_delivery", "_known")

    def __init__(self, known: KnownPanel, delivery: Delivery) -> None:
        self._known, self._delivery = known, delivery

    def __enter__(self) -> Delivery:
        self._known.state = state.sent(self._known.state, self._delivery)
        return self._delivery

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._known.lost(self._delivery)


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent.

    `posting`: held while a new direct message is sent. discord.py holds back the sixth in five
    seconds: those behind it would use their turns later than they were given.

    Every change of what is known passes `PanelPushes.become`, after which a push may be due, except
    around an answer: that is the next picture itself.
    """

    def __init__(self, table: Table, user: UserId, locale: str, context: PanelContext) -> None:
        self.table = table
        self.user = user
        self.screen = PanelScreen(table, user, locale, context)
        self.posting = asyncio.Lock()
        self._clock = context.clock
        self._known = KnownPanel(table, user, context)
        self._pushes = PanelPushes(table, user, context, self._known, self.screen)

    @property
    def message(self) -> MessageId | None:
        """The panel's message, while it can still be edited."""
        return self._known.message

    @property
    def token(self) -> Token | None:
        """The token that edits it, until it dies."""
        return self._known.token

    @property
    def is_pushing(self) -> bool:
        """True while a picture is on its way to Discord, which may carry it out late."""
        return self._pushes.is_under_way

    def is_near(self, table_message: MessageId) -> bool:
        """Return whether a player at the table message has this panel near: below it, or direct."""
        return direct_of(self._known.place) is not None or (self.message or 0) > table_message

    # -- what happens -----------------------------------------------------------------------

    def touch(self) -> None:
        """Take note of a change at the table. What was said in an earlier phase is over."""
        self.screen.forget_what_is_over()
        self._known.tidy()
        self._pushes.touch()

    def redraw_now(self) -> None:
        """Count the picture as lost: it reads differently from now on."""
        self._pushes.become(state.lost(self._known.state))

    def settle(self) -> None:
        """Push once more some time after a push or an answer was lost. Called every few seconds.

        Discord may have carried that one out after those that followed it.
        """
        if self._known.lost_at is not None and self._clock.now() - self._known.lost_at >= SETTLED:
            self._known.lost_at = None
            self.redraw_now()

    def let_go(self) -> None:
        """Let go of the message: it shows another table from now on."""
        self._pushes.become(state.let_go(self._known.state))

    def restore(self, where: Token | Direct) -> None:
        """Restore the panel after a restart. What is on it is not known: `draw_again` pushes it."""
        self._known.state = state.restored(self._known.state, where)

    def draw_again(self) -> None:
        """Push what is due, if anything is."""
        self._pushes.become(self._known.state)

    def fall_asleep(self) -> None:
        """Push for the last time, since the token is about to die. A direct message needs none."""
        self._pushes.become(state.ending(self._known.state))

    # -- answers ----------------------------------------------------------------------------

    def held_back(self) -> "HeldBack":
        """Hold back pushes while a press is answered: its answer is the next picture.

        Changes that the answer missed, or a lost answer, are pushed afterwards.
        """
        return HeldBack(self._known, self._pushes)

    def answer(self, said: Line | None, message: MessageId | None = None) -> "Answering":
        """Yield the picture for an answer that is sent within this block.

        Tell `answered` there what came of it. An answer that fails before that is lost. `message`:
        the one that it redraws; None for an answer that is a new message.
        """
        self.screen.say(said)
        return Answering(self._known, self._known.seen.draw(self.screen.now(), message))

    def answered(self, delivery: Delivery, where: Token | Direct | None) -> None:
        """Note that this answer is out, edited with `where` from now on; None if it was lost."""
        if where is None:
            self._known.lost(delivery)
            self._pushes.become(self._known.state)
            return
        self._known.store(where, self.screen.locale)
        self._pushes.become(state.answered(self._known.state, delivery, where))
        if delivery.message is None:
            self._known.seen.made(delivery, where.message)
        else:
            self._known.seen.taken(delivery)

    def adopt_direct(self, direct: Direct) -> None:
        """Take this direct message for the panel from now on."""
        self._known.store(direct, self.screen.locale)
        self._pushes.become(state.placed(self._known.state, direct))
