"""The message of a table that everybody sees: posted once, edited by one writer, moved down."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import discord

from bot.games.screen import Screen
from bot.tables.decisions import close
from bot.tables.journal import TableId
from bot.tables.painter import Painter
from bot.tables.places import TablePlace
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui import message_state as state
from bot.ui.errors import FAILURES, Trouble, is_too_old, trouble
from bot.ui.first_message import FirstMessage
from bot.ui.message_state import Awaited, Gone, MessageState, Posted, Posting, Unanswered, Unposted
from bot.ui.office import Office
from bot.ui.pause import Pause
from bot.ui.picture_message import PictureMessage, Pictures
from bot.ui.table_channel import TableChannel
from bot.ui.table_picture import ENDED, Finish, TablePicture
from bot.ui.threads import OwnThread

log = logging.getLogger(__name__)

GAP = 1.05
"""Seconds between two edits: five in five seconds is what a channel takes (PLATFORM 2)."""
RETRY = 5.0
OLD = 50 * 60
"""Seconds: a message older than an hour takes few edits (PLATFORM 2, 30046)."""


class Places(Pictures, Protocol):
    """Where the message of a table is, kept across restarts."""

    def opened_by(self, table: TableId, token: str) -> None: ...
    def message_at(self, table: TableId, message: int | None) -> None: ...
    async def posting(self, table: TableId, nonce: str) -> None: ...
    async def place(self, table: TableId) -> TablePlace: ...


@dataclass(frozen=True, slots=True)
class Means:
    """What every board works with. `occupied`: whether a table is in that channel; `followed`:
    whether a newer one is in this one's; `epilogue`: what a finished match gets added, which
    never fails and takes a moment at most.
    """

    office: Office
    places: Places
    occupied: Callable[[int], bool]
    followed: Callable[[Table], bool]
    epilogue: Callable[[Table], Awaitable[Finish]]


class Board:
    """Keeps one table's message up to date. A slow or dead Discord never delays a move.

    What is known of the message is one value (`bot.ui.message_state`). One drawing at a time
    calls Discord, and applies what came of it; presses and commands only change the value.
    """

    def __init__(self, table: Table, means: Means) -> None:
        self.table = table
        office = means.office
        self._state: MessageState = Posting()
        self._places = means.places
        self._followed = means.followed
        self._clock = office.clock
        self._gallery = office.gallery
        self._budget = office.budget
        self._picture = TablePicture(table, office.gallery, office.learned, means.epilogue)
        self._illustration = self._picture.illustration
        self._first = FirstMessage(table, office.client)
        self._pause = Pause()
        self._farewell = asyncio.Event()
        self._channel = TableChannel(table, office.client)
        self._apart = PictureMessage(
            table, self._channel, self._picture, means.places, office.learned
        )
        self._thread = OwnThread(table, office.client, office.clock, means.occupied, self._pause)
        self._painter = Painter(
            self._draw, GAP, office.clock, lambda p: office.supervisor.start(table, "board", p.run)
        )

    @property
    def done(self) -> bool:
        """Nothing is drawn any more."""
        return isinstance(self._state, Gone)

    def picture(self) -> Screen:
        """The message as it should look now."""
        return self._picture.screen()

    def layout(self, screen: Screen) -> discord.ui.LayoutView:
        """A picture of the message as it is sent."""
        return self._picture.layout(screen)

    def touch(self) -> None:
        self._painter.touch()

    # -- what others bring about ------------------------------------------------------------

    def opened(self, token: str) -> None:
        """Leave the message to the answer of a command: nothing is posted before it."""
        self.hold()
        self._places.opened_by(self.table.id, token)

    def hold(self) -> None:
        """Post nothing until the message is there, or `find` has looked for it."""
        self._become(Awaited())

    def at(self, message: int, shown: Screen) -> None:
        """The command's answer is there, showing this."""
        self._arrive(state.arrived(self._state, message, shown), message)

    def unanswered(self) -> None:
        """The command could not be answered: the board posts itself."""
        self._become(state.not_coming(self._state))
        self.touch()

    def move_down(self) -> None:
        """Post the message anew below everything, and delete the old one."""
        self._become(state.move_down(self._state))
        self.touch()

    def grow_old(self, now: float) -> None:
        """Called now and then, with Unix seconds."""
        message = state.message_id(self._state)
        if message is None or self.table.session.phase is Phase.CLOSED or self._is_past:
            return
        if now - discord.utils.snowflake_time(message).timestamp() > OLD:
            self.move_down()

    async def farewell(self) -> None:
        """Say that the bot restarts. Returns when the message says so."""
        there = state.on_screen(self._state)
        if there is None or self.table.session.phase in ENDED:
            return
        self.table.restarting = True
        self._painter.touch(at_once=True)
        await self._farewell.wait()

    async def find(self) -> None:
        """After a restart: the message as it was stored, or by what was under way then."""
        self._thread.signpost = True
        place = await self._places.place(self.table.id)
        message = place.message
        if message is None and place.token is not None:
            message = await self._channel.answer_of(place.token)
        self._illustration.forget()
        await self._apart.find()
        after = state.found(self._state, message, place.nonce)
        if message is None or place.nonce is not None:
            self._become(after)
            self.touch()
        else:
            self._arrive(after, message)

    def _become(self, after: MessageState) -> None:
        self._state = after
        self.table.message = state.message_id(after)

    def _arrive(self, after: MessageState, message: int) -> None:
        self._become(after)
        self._pause.over()
        self._places.message_at(self.table.id, message)
        self.touch()

    @property
    def _is_past(self) -> bool:
        """The match is over, and people play on at a newer table: whatever is posted now would
        hide that table's message.
        """
        return self.table.session.phase in ENDED and self._followed(self.table)

    # -- drawing ----------------------------------------------------------------------------

    async def _draw(self) -> None:
        if isinstance(self._state, Awaited | Gone):
            return
        await self._make_ready()
        await self._show()
        if self.table.session.phase is Phase.CLOSED and not self._painter.dirty:
            await self._thread.put_away()
            self._become(state.ended(self._state))

    async def _show(self) -> None:
        """Bring the message up to date, in its turn: what it should look like is asked after it."""
        if self._first.is_wanted:
            self._become(state.move_down(self._state))
        if self._state == Posting() and self._is_past:
            self._become(state.ended(self._state))
        if state.is_due(self._state, self.picture()):
            here = self.table.session.channel
            await self._budget.take_own(channel=here, urgent=lambda: self._first.is_wanted)
        screen = self.picture()
        match self._state:
            case Posting() | Unanswered() as before:
                await self._post(before, screen)
            case Posted(shown=shown) as before if shown != screen:
                await self._edit(before, screen)
            case Awaited() | Posted() | Gone():
                pass
        if self._apart.is_due and state.shows(self._state, self.picture()):
            await self._budget.take_own()
            if not await self._apart.post():
                await self._again(RETRY)
        if self._first.is_link_due:
            await self._budget.take_own()
            await self._first.link()
        if self.table.restarting and state.shows(self._state, screen):
            self._farewell.set()

    async def _make_ready(self) -> None:
        """Everything that comes before the picture: the table's thread, what a picture needs."""
        there = state.on_screen(self._state)
        if self._thread.is_wanted and there is not None:
            await self._move_to(self._thread.open(there.message))
        await self._thread.point_to()
        await self._picture.prepare()

    async def _move_to(self, moving: Coroutine[Any, Any, None]) -> None:
        """Into the table's own thread, or back: the message is posted there."""
        before = self.table.session.channel
        try:
            await moving
        except FAILURES as error:
            await self._failed(error)
        if self.table.session.channel != before:
            self._become(state.moved(self._state))
            self._places.message_at(self.table.id, None)

    async def _edit(self, before: Posted, screen: Screen) -> None:
        """Edit the message. What it shows is unknown until Discord has answered."""
        message = before.message
        self._become(state.edited(self._state, message, None))
        attached = self._illustration.attached(anew=False)
        try:
            sent = await self._channel.edit(message, self.layout(screen), attached)
        except FAILURES as error:
            if trouble(error) is not Trouble.LATER:
                self._become(state.edited(self._state, message, before.shown))
            if not self._give_up_picture(error):
                await self._failed(error)
        else:
            self._illustration.went_out(sent.picture)
            self._become(state.edited(self._state, message, screen))
            self._pause.over()

    async def _post(self, before: Unposted, screen: Screen) -> None:
        """Post the message. Its nonce is kept first: after a crash it finds the same message, if
        that does not take too long. Before the first deal it is noted each time that it goes out.
        """
        nonce = await self._nonce_of(before)
        await self._first.begin()
        self._become(state.sent(before, nonce))
        attached = self._illustration.attached(anew=True) or ()
        try:
            sent = await self._channel.post(self.layout(screen), nonce, attached)
        except FAILURES as error:
            await self._not_posted(before, error)
            return
        message, old = sent.message, before.old.message if before.old is not None else None
        await self._first.posted(nonce, message, old)
        after = state.posted(before, message, screen)
        if after.shown is not None:
            self._illustration.went_out(sent.picture)
        self._arrive(after, message)
        if old is not None and old != message and not self._first.keeps(old):
            await self._delete(old)

    async def _nonce_of(self, before: Unposted) -> str:
        if isinstance(before, Unanswered):
            return before.nonce
        nonce = f"{self._first.mark}{int(self._clock.wall() * 1000) % 10**12}"
        await self._places.posting(self.table.id, nonce)
        return nonce

    async def _not_posted(self, before: Unposted, error: Exception) -> None:
        is_tried_without = self._give_up_picture(error)
        await self._first.refused(error, before.old.message if before.old is not None else None)
        if trouble(error) is not Trouble.LATER:
            self._become(before if is_tried_without else state.refused(before))
        if not is_tried_without:
            await self._failed(error)

    async def _delete(self, message: int) -> None:
        try:
            await self._channel.delete(message)
        except FAILURES as error:
            log.info("table %d: its old message stays: %s", self.table.id, error)

    # -- failures ---------------------------------------------------------------------------

    def _give_up_picture(self, error: Exception) -> bool:
        """Try without its picture what may have failed because of it. Return whether it is so."""
        if not self._illustration.failed(trouble(error)):
            return False
        log.warning("table %d: its score is shown without a picture: %r", self.table.id, error)
        self._painter.touch()
        return True

    async def _failed(self, error: Exception) -> None:
        table = self.table
        match trouble(error):
            case Trouble.MESSAGE_GONE:
                after = state.move_down if is_too_old(error) else state.deleted
                self._become(after(self._state))
                self._painter.touch()
            case Trouble.PLACE_GONE:
                self._become(state.ended(self._state))
                log.info("table %d: its channel is gone", table.id)
                await table.do(partial(close, reason="table.closed.channel"))
            case Trouble.FORBIDDEN | Trouble.ARCHIVED if table.session.phase is Phase.CLOSED:
                self._become(state.ended(self._state))
            case Trouble.FORBIDDEN | Trouble.TOKEN_GONE:
                log.warning("%s: its message cannot be changed: %s", table, error)
                await self._again(self._pause.longer())
            case Trouble.ARCHIVED:
                await self._move_to(self._thread.reopen())
                self._painter.touch()
            case Trouble.BUG if self._gallery.doubt(error):
                self._painter.touch()
            case Trouble.BUG:
                log.error("%s: Discord refused its message: %s", table, error)
            case Trouble.LATER | Trouble.REFUSED:
                log.warning("%s: its message is late: %r", table, error)
                await self._again(RETRY)

    async def _again(self, pause: float) -> None:
        """Draw once more after so many seconds."""
        self._painter.touch()
        await self._clock.sleep(pause)
