"""The message of a table that everybody sees: posted once, edited by one writer, moved down."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

import discord

from bot.games.screen import Screen
from bot.tables.decisions import close
from bot.tables.painter import Painter
from bot.tables.places import TablePlace
from bot.tables.screens import public
from bot.tables.session import Phase
from bot.tables.table import Table, TableId
from bot.ui.components import layout
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.illustration import Illustration
from bot.ui.marks import Reader
from bot.ui.office import Office
from bot.ui.pause import Pause
from bot.ui.threads import OwnThread

log = logging.getLogger(__name__)

GAP = 1.05
"""Seconds between two edits: five in five seconds is what a channel takes (PLATFORM 2)."""
PATIENCE = 10.0
"""Seconds after which an edit counts as lost; nobody waits for it."""
RETRY = 5.0
ENDED = (Phase.OVER, Phase.CLOSED)
OLD = 50 * 60
"""Seconds: a message older than an hour takes few edits (PLATFORM 2, 30046)."""


class Places(Protocol):
    """Where the message of a table is, kept across restarts."""

    def opened_by(self, table: TableId, token: str) -> None: ...
    def message_at(self, table: TableId, message: int | None) -> None: ...
    async def posting(self, table: TableId, nonce: str) -> None: ...
    async def place(self, table: TableId) -> TablePlace: ...


Finish: TypeAlias = Callable[[Screen], Screen]
"""What is added to the picture of a match that is over."""


@dataclass(frozen=True, slots=True)
class Means:
    """What every board works with. `occupied`: whether a table is in that channel; `epilogue`:
    what a finished match gets added, which never fails and takes a moment at most.
    """

    office: Office
    places: Places
    occupied: Callable[[int], bool]
    epilogue: Callable[[Table], Awaitable[Finish]]


class Board:
    """Keeps one table's message up to date. A slow or dead Discord never delays a move."""

    def __init__(self, table: Table, means: Means) -> None:
        self.table = table
        self.done = False  # nothing is drawn any more: the table is closed, or its channel gone
        office = means.office
        self._client = office.client
        self._places = means.places
        self._clock = office.clock
        self._gallery = office.gallery
        self._budget = office.budget
        self._epilogue = means.epilogue
        self._finish: Finish | None = None
        self._sent: Screen | None = None
        self._illustration = Illustration(table)
        self._nonce: str | None = None
        self._move_down = False
        self._awaited = False
        self._pause = Pause()
        self._farewell = asyncio.Event()
        self._thread = OwnThread(table, office.client, office.clock, means.occupied, self._pause)
        self._painter = Painter(
            self._draw, GAP, office.clock, lambda p: office.supervisor.start(table, "board", p.run)
        )

    @property
    def message(self) -> int | None:
        return self.table.message

    def picture(self) -> Screen:
        """The message as it should look now."""
        screen = public(self.table.session, self.table.moment())
        screen = screen if self._finish is None else self._finish(screen)
        return self._illustration.beside(screen)

    def layout(self, screen: Screen) -> discord.ui.LayoutView:
        """A picture of the message as it is sent."""
        locale = self.table.session.opened.locale
        return layout(screen, self.table.id, Reader(locale, faces=self._gallery.faces))

    def touch(self) -> None:
        self._painter.touch()

    def opened(self, token: str) -> None:
        """The table's message will be the answer to a command: nothing is posted before it."""
        self._awaited = True
        self._places.opened_by(self.table.id, token)

    def at(self, message: int, shown: Screen | None) -> None:
        """The message is there, showing this."""
        self.table.message = message
        self._sent, self._awaited, self._nonce = shown, False, None
        self._pause.over()
        self._places.message_at(self.table.id, message)
        self.touch()

    def is_sought(self) -> None:
        """After a restart, until `find` has ended: nothing is posted before it."""
        self._awaited = True

    def unanswered(self) -> None:
        """The command could not be answered: the board posts itself."""
        self._awaited = False
        self.touch()

    def move_down(self) -> None:
        """Post the message anew below everything, and delete the old one."""
        self._move_down = True
        self.touch()

    async def farewell(self) -> None:
        """Say that the bot restarts. Returns when the message says so."""
        if self.done or self.message is None or self.table.session.phase in ENDED:
            return
        self.table.restarting = True
        self._painter.touch(at_once=True)
        await self._farewell.wait()

    def grow_old(self, now: float) -> None:
        """Called now and then, with Unix seconds."""
        if self.message is None or self.table.session.phase is Phase.CLOSED:
            return
        if now - discord.utils.snowflake_time(self.message).timestamp() > OLD:
            self.move_down()

    async def find(self) -> None:
        """After a restart: the message as it was stored, or by what was under way then."""
        self._thread.signpost = True
        place = await self._places.place(self.table.id)
        message = place.message
        if message is None and place.token is not None:
            message = await self._answer_of(place.token)
        if message is not None:
            self.table.message = message
        self._nonce = place.nonce
        if place.nonce is not None:
            await self._post()
        elif message is not None:
            self._illustration.is_unknown()
            self.at(message, None)
        self.unanswered()

    async def _answer_of(self, token: str) -> int | None:
        """The command's answer, if Discord has it."""
        hook = discord.Webhook.partial(self._app, token, client=self._client)
        original: Any = "@original"  # a message id as far as the route is concerned
        try:
            async with asyncio.timeout(PATIENCE):
                message = await hook.fetch_message(original)
        except FAILURES:
            return None
        return message.id

    async def _draw(self) -> None:
        if self._awaited or self.done:
            return
        if self._thread.is_wanted and self.message is not None:
            await self._move_to(self._thread.open(self.message))
        await self._thread.point_to()
        session = self.table.session
        if self._finish is None and session.phase in ENDED and session.history:
            self._finish = await self._epilogue(self.table)
        await self._illustration.draw()
        if self._move_down or self.message is None or self.picture() != self._sent:
            await self._budget.take_own()
        screen = self.picture()
        if self._move_down or self.message is None:
            await self._post()
        elif screen != self._sent:
            await self._edit(self.message, screen)
        if self.table.restarting and screen == self._sent:
            self._farewell.set()
        if self.table.session.phase is Phase.CLOSED and not self._painter.dirty:
            await self._thread.put_away()
            self.done = True

    async def _move_to(self, moving: Coroutine[Any, Any, None]) -> None:
        """Into the table's own thread, or back: the message is posted there."""
        before = self.table.session.channel
        try:
            await moving
        except FAILURES as error:
            await self._failed(error)
        if self.table.session.channel != before:
            self.table.message, self._sent = None, None
            self._places.message_at(self.table.id, None)

    async def _edit(self, message: int, screen: Screen) -> None:
        view = self.layout(screen)
        known = self._channel.get_partial_message(message)
        files = self._illustration.files(anew=False)
        more: dict[str, Any] = {} if files is None else {"attachments": files}
        try:
            async with asyncio.timeout(PATIENCE):
                await known.edit(view=view, allowed_mentions=discord.AllowedMentions.none(), **more)
        except FAILURES as error:
            if not self._blames_picture(error):
                await self._failed(error)
        else:
            self._illustration.went_out()
            self._sent = screen
            self._pause.over()

    async def _post(self) -> None:
        """Post the message. Its nonce is kept until the message is known to be there: posting
        again finds the same one.
        """
        old, table = self.message, self.table
        screen = self.picture()
        nonce = self._nonce or f"{table.id}-{int(self._clock.wall() * 1000) % 10**12}"
        if nonce != self._nonce:
            await self._places.posting(table.id, nonce)
        self._nonce = nonce
        view = self.layout(screen)
        try:
            async with asyncio.timeout(PATIENCE):
                message = await self._channel.send(
                    view=view,
                    nonce=nonce,
                    files=self._illustration.files(anew=True) or (),
                    allowed_mentions=discord.AllowedMentions.none(),
                )
        except FAILURES as error:
            if self._blames_picture(error):
                return
            self._move_down &= trouble(error) is Trouble.LATER
            await self._failed(error)
            return
        self._illustration.went_out()
        self._move_down = False
        self.at(message.id, screen)
        if old is not None and old != message.id:
            await self._delete(old)

    async def _delete(self, message: int) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._channel.get_partial_message(message).delete()
        except FAILURES as error:
            log.info("table %d: its old message stays: %s", self.table.id, error)

    def _blames_picture(self, error: Exception) -> bool:
        """Whether its picture may be why a message failed: it is tried without it."""
        if not self._illustration.give_up(refused=trouble(error) is Trouble.BUG):
            return False
        log.warning("table %d: its score is shown without a picture: %r", self.table.id, error)
        self._painter.touch()
        return True

    async def _failed(self, error: Exception) -> None:
        table = self.table
        match trouble(error):
            case Trouble.MESSAGE_GONE:
                table.message = None
                self._painter.touch()
            case Trouble.PLACE_GONE:
                self.done = True
                log.info("table %d: its channel is gone", table.id)
                await table.do(partial(close, reason="table.closed.channel"))
            case Trouble.FORBIDDEN | Trouble.ARCHIVED if table.session.phase is Phase.CLOSED:
                self.done = True
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
            case Trouble.LATER:
                log.warning("%s: its message is late: %r", table, error)
                await self._again(RETRY)

    async def _again(self, pause: float) -> None:
        """Draw once more after so many seconds."""
        self._painter.touch()
        await self._clock.sleep(pause)

    @property
    def _app(self) -> int:
        app = self._client.application_id
        assert app is not None, "the client has logged in"
        return app

    @property
    def _channel(self) -> discord.PartialMessageable:
        session = self.table.session
        return self._client.get_partial_messageable(session.channel, guild_id=session.opened.guild)
