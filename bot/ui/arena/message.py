"""The one message of an arena, and its upkeep."""

import logging
from collections.abc import Callable

from discord.ui import LayoutView

from bot.ids import MessageId
from bot.screen import Screen
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.message import message
from bot.tables.arenas.running import RunningArena
from bot.tables.running.redraw import Redraw
from bot.tasks import keep_running
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.custom_ids import layout
from bot.ui.connection import fast_path
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, Trouble, one_line, trouble
from bot.ui.render.marks import Reader

log = logging.getLogger(__name__)

GAP = 2.0
"""Seconds between two edits: many tables change at once, and an edit shows all of them."""
RETRY, REFUSED = 3.0, 60.0
"""Seconds until a call is made again that was lost, or refused."""
REPOSTS = 3
"""Messages that are posted in the place of deleted ones."""
KEPT_FOR = 15 * 60.0
"""Seconds for which panels are kept after the end of an arena: as long as their tokens live."""
GIVEN_UP_AFTER = 10 * 60.0
"""Seconds after its end in which an arena's message is tried to be shown."""


class ArenaMessage:
    """One arena's message: the answer of the command, or else one that the bot has posted."""

    def __init__(
        self, arena: RunningArena, context: ArenaContext, put_away: Callable[[RunningArena], None]
    ) -> None:
        self.arena = arena
        self.message: MessageId | None = None
        self._context = context
        self._client = context.panels.client
        self._clock = context.panels.clock
        self._put_away = put_away
        self._is_held = True
        self._shown: Screen | None = None
        self._reposts = 0
        self._rests_until = 0.0
        self._over_since: float | None = None
        self._redraw = Redraw(self._draw, GAP, self._clock, self._start)

    def _start(self, redraw: Redraw) -> None:
        name = f"{self.arena} message"
        self._context.spawn(keep_running(redraw.run, name, self._clock), name=name)

    def touch(self) -> None:
        if not self._is_held:
            self._redraw.touch()

    def screen(self) -> Screen:
        return message(self.arena.state, self._context.around(self.arena))

    def layout(self, screen: Screen) -> LayoutView:
        faces = self._context.panels.emojis.faces
        return layout(screen, self.arena.id, Reader(self.arena.state.opened.locale, faces=faces))

    # -- where it is ------------------------------------------------------------------------

    async def at(self, where: MessageId, shown: Screen | None) -> None:
        """Take over this message. The first one goes into every seed, and is in the journal first.

        Raises what the journal raises.
        """
        self.message, self._shown, self._is_held = where, shown, False
        if self.arena.state.message is None:
            await self.arena.do(lambda _, __: d.Done((e.Published(where),), d.NOTHING.said))
        elif where != self.arena.state.message:
            self._context.store.shown_at(self.arena.id, where)
        self.touch()

    async def find(self) -> None:
        """Find the message after a restart or a lost answer; post one if there is none."""
        stored = await self._context.store.message(self.arena.id)
        token = await self._context.store.token(self.arena.id)
        if stored is None and token is not None:
            stored = await self._answer_of(token)
        if stored is not None:
            await self.at(stored, None)
            return
        self._is_held = False
        self.touch()

    async def _answer_of(self, token: str) -> MessageId | None:
        original: object = "@original"  # a message id as far as the route is concerned
        try:
            async with answered_within():
                hook = self._context.panels.hook(token)
                return MessageId((await hook.fetch_message(original)).id)  # type: ignore[arg-type]
        except FAILURES as error:
            log.info("%s: message of its command not found: %s", self.arena, one_line(error))
            return None

    def unanswered(self) -> None:
        """Post a message, since the command could not be answered."""
        self._is_held = False
        self.touch()

    def pressed(self, where: MessageId) -> None:
        """Delete a pressed message that isn't the one known: an answer that nobody heard of."""
        if self.message not in (None, where):
            log.info("%s: deleting stray message %d", self.arena, where)
            self._context.spawn(self._delete(where), name=f"{self.arena} stray message")

    async def _delete(self, where: MessageId) -> None:
        opened = self.arena.state.opened
        place = self._client.get_partial_messageable(opened.channel, guild_id=opened.guild)
        try:
            async with answered_within():
                await place.get_partial_message(where).delete()
        except FAILURES as error:
            log.info("%s: stray message not deleted: %s", self.arena, one_line(error))

    # -- drawing ----------------------------------------------------------------------------

    async def _draw(self) -> None:
        if self._is_held or self._clock.now() < self._rests_until:
            return
        if self.message is not None and self.screen() == self._shown:
            self._end_if_over()
            return
        await self._context.panels.budget.take_own(channel=self.arena.state.opened.channel)
        screen = self.screen()
        try:
            await self._show(screen)
        except FAILURES as error:
            await self._failed(error)
            return
        self._shown = screen
        self._end_if_over()

    async def _show(self, screen: Screen) -> None:
        opened, view = self.arena.state.opened, self.layout(screen)
        place = self._client.get_partial_messageable(opened.channel, guild_id=opened.guild)
        if self.message is not None:
            async with answered_within():
                known = place.get_partial_message(self.message)
                await known.edit(view=view, allowed_mentions=fast_path.NOBODY)
            return
        nonce = f"arena-{self.arena.id}-{self._reposts}"
        async with answered_within():
            posted = await place.send(view=view, nonce=nonce, allowed_mentions=fast_path.NOBODY)
        await self.at(MessageId(posted.id), screen)

    def _end_if_over(self) -> None:
        if self.arena.state.is_over and self._shown == self.screen():
            self._is_held = True
            self._put_away(self.arena)

    async def _failed(self, error: Exception) -> None:
        kind = trouble(error)
        if kind is Trouble.LATER:
            self._rest(RETRY)
            return
        log.warning("%s: message not shown: %s", self.arena, one_line(error))
        if kind is Trouble.PLACE_GONE:
            await self._give_up("table.closed.channel")
        elif kind is Trouble.MESSAGE_GONE and self._reposts < REPOSTS:
            self.message, self._shown = None, None
            self._reposts += 1
            self._rest(RETRY)
        elif self.arena.state.message is None:
            await self._give_up("arena.stopped.no_message")
        else:
            self._rest(REFUSED)

    def _rest(self, seconds: float) -> None:
        """Try again after a while. `tick` begins the next try."""
        self._shown = None
        self._rests_until = self._clock.now() + seconds

    async def _give_up(self, reason: str) -> None:
        """End an arena that can have no message."""
        self._is_held = True
        await self.arena.do(lambda now, _: d.close(now, reason))
        self._put_away(self.arena)

    @property
    def is_done(self) -> bool:
        """True once its panels are no longer needed."""
        since = self._over_since
        return since is not None and self._clock.now() - since > KEPT_FOR

    async def farewell(self) -> None:
        """Show that the bot restarts, unless the message can't be drawn."""
        if self.message is None or self.arena.state.is_over:
            return
        try:
            await self._show(self.screen())
        except FAILURES as error:
            log.info("%s: final message not shown: %s", self.arena, one_line(error))

    def asked(self) -> None:
        """Draw it whatever it shows, to find out whether it is still there."""
        self._shown, self._rests_until = None, 0.0
        self.touch()

    def tick(self) -> None:
        """Try again what has failed. An arena that is over is not tried for ever."""
        now = self._clock.now()
        if self.arena.state.is_over:
            self._over_since = now if self._over_since is None else self._over_since
            if now - self._over_since > GIVEN_UP_AFTER:
                self._is_held = True
                self._put_away(self.arena)
                return
        if now >= self._rests_until:
            self.touch()
