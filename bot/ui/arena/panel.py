"""Somebody's private panel in an arena: theirs between two rounds, lent to a table in a round.

The message and the newest token go from here to the panel of the table at which they sit, and come
back when its round is over for them.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from discord.ui import LayoutView

from bot.ids import MessageId, UserId
from bot.screen import Line
from bot.tables.arena.state import Status
from bot.tables.arenas.running import RunningArena
from bot.tables.running.redraw import Redraw
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Token
from bot.tasks import keep_running
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.panel_screen import ArenaPanelScreen
from bot.ui.connection import fast_path
from bot.ui.connection.token_life import is_alive
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, Trouble, trouble
from bot.ui.limits.urgency import Claim, Worth
from bot.ui.panels.calls import GAP
from bot.ui.panels.panel import Panel

log = logging.getLogger(__name__)

RETRY = 3.0
"""Seconds until a push is sent again that was lost."""
OVERTAKEN = 1.5
"""Seconds after which a picture that was on its way has arrived."""


class ArenaPanel:
    """One person's panel. `token` is None while a table has it, and once it is lost."""

    def __init__(
        self, arena: RunningArena, user: UserId, locale: str, context: ArenaContext
    ) -> None:
        self.user = user
        self.screen = ArenaPanelScreen(arena, user, locale, context)
        self.token: Token | None = None
        self.table: Table | None = None
        self.arena = arena
        self._context = context
        self._clock = context.panels.clock
        self._answering = 0
        self._shown: object = None
        self._redraw = Redraw(self._push, GAP, self._clock, self._start)

    def _start(self, redraw: Redraw) -> None:
        name = f"{self.arena} panel {self.user}"
        self._context.spawn(keep_running(redraw.run, name, self._clock), name=name)

    @property
    def message(self) -> MessageId | None:
        """The message that it is, or that the panel of its table is."""
        if self.token is not None:
            return self.token.message
        panel = self._panel_at(self.table) if self.table is not None else None
        return panel.message if panel is not None else None

    # -- from the arena to a table, and back --------------------------------------------------

    def sync(self) -> None:
        """Follow its person to the table at which they sit, and back, and bring it up to date."""
        table = self.arena.table_of(self.user)
        if self.table is not None and self.table is not table:
            self._take_back()
        if table is not None and self.table is None and not self._answering:
            self._lend(table)
        if self._is_due():
            self._redraw.touch()

    def _lend(self, table: Table) -> None:
        """Give the message to the panel of a table, which shows the cards on it."""
        token, context = self.token, self._context
        if token is None:
            return
        panel = context.messages.panels.of(table, self.user, self.screen.locale)
        panel.restore(token)
        context.panels.store.panel_at(table.id, self.user, token, self.screen.locale)
        self.lent(table)

    def lent(self, table: Table) -> None:
        """Note that the panel of a table has the message from now on."""
        self.table, self.token, self._shown = table, None, None
        self._context.store.panel_gone(self.arena.id, self.user)

    def after(self, table: Table) -> None:
        """Note that a press at this table has been answered.

        Its answer may have arrived after the round was over, and lie on top of what came then.
        """
        if self.arena.table_of(self.user) is table:
            return
        self._take_from(table)
        if self.table is not None and (panel := self._panel_at(self.table)) is not None:
            panel.redraw_now()
        self.sync()

    def _take_back(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            self._take_from(table)

    def _take_from(self, table: Table) -> None:
        """Take the message from the panel of a table, which shows nothing from now on."""
        panel, self._shown = self._panel_at(table), None
        token = panel.token if panel is not None else None
        if panel is not None:
            if panel.is_pushing:
                name = f"{self.arena} panel {self.user} overtaken"
                self._context.spawn(self._overtaken(), name=name)
            panel.let_go()
        is_newer = token is not None and (self.token is None or token.born >= self.token.born)
        if token is not None and is_newer and self.table is None:
            self._keep(token)

    async def _overtaken(self) -> None:
        """Push once more: a picture of the table was on its way, and may lie on top."""
        await self._clock.sleep(OVERTAKEN)
        self._shown = None
        self.sync()

    def _panel_at(self, table: Table) -> Panel | None:
        return self._context.messages.panels.get(table.id, self.user)

    def restore(self, token: Token) -> None:
        """Take the message over from before a restart. What is on it is not known."""
        if self.token is None and self.table is None:
            self.token = token

    def _keep(self, token: Token) -> None:
        is_known = self.token is not None and self.token.message == token.message
        self.token, locale = token, self.screen.locale
        self._context.store.panel_at(self.arena.id, self.user, token, locale, is_known=is_known)

    # -- answers ----------------------------------------------------------------------------

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Push nothing, and lend nothing, while a press is answered: its answer is next."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            self.sync()

    def draw(self, said: Line | None) -> LayoutView:
        """Return the panel for an answer."""
        self.screen.tell(said)
        self._shown = self.screen.key
        return self.screen.layout()

    def answered(self, token: Token | None) -> None:
        """Note that an answer is out, edited with `token` from now on; None if it was lost."""
        if self.table is not None:
            self._take_back()
            self._shown = self.screen.key
        if token is None:
            self._shown = None
            return
        before = self.token
        self._keep(token)
        if before is not None and before.message != token.message:
            self._context.spawn(self._delete(before), name=f"{self.arena} old panel")

    async def _delete(self, token: Token) -> None:
        """Delete a message that the panel has left, if there is room for that."""
        context, where = self._context.panels, self._context.where(self.arena)
        await context.budget.take(where, lambda: Claim(Worth.TIDY))
        if not is_alive(token, context.discord_time.now()):
            return
        context.budget.spend(where)
        try:
            async with answered_within():
                await fast_path.delete(context.client, token.token, token.message)
        except FAILURES as error:
            log.info("%s: old panel not deleted: %s", self.arena, error)

    # -- pushes -----------------------------------------------------------------------------

    def _is_due(self) -> bool:
        if self._answering or self.token is None or self._shown == self.screen.key:
            return False
        return self.arena.table_of(self.user) is None and not self._waits_for_its_table()

    def _waits_for_its_table(self) -> bool:
        member = self.arena.state.members.get(self.user)
        return member is not None and member.status is Status.SEATED

    async def _push(self) -> None:
        context, where = self._context.panels, self._context.where(self.arena)
        if not self._is_due():
            return
        await context.budget.take(where, self._claim)
        token = self.token
        if not self._is_due() or token is None:
            return
        if not is_alive(token, context.discord_time.now()):
            self.token = None
            return
        self._shown = key = self.screen.key
        sent = context.budget.spend(where)
        try:
            async with answered_within():
                view = self.screen.layout()
                limits = await fast_path.push(context.client, token.token, token.message, view)
        except FAILURES as error:
            await self._failed(error, token, key)
            return
        if limits.refused is None:
            context.budget.taken(where)
            return
        context.budget.refused(where, whose=limits.refused, wait=limits.pause, sent=sent)
        await self._again(key, limits.pause)

    def _claim(self) -> Claim:
        """Return its claim: it shows a round that is over, and its person can't go on before."""
        if not self._is_due():
            return Claim(Worth.NOTHING)
        return Claim(Worth.TURN, promised=self.arena.undealt)

    async def _failed(self, error: Exception, token: Token, key: object) -> None:
        kind = trouble(error)
        log.info("%s: panel not pushed: %r", self.arena, error)
        if kind is Trouble.LATER:
            await self._again(key, RETRY)
        elif self.token is token:
            self.token = None

    async def _again(self, key: object, pause: float) -> None:
        if self._shown == key:
            self._shown = None
        await self._clock.sleep(pause)
        self._redraw.touch()
