"""Every player's private panel: kept live by the newest token of his own presses on it.

A press is answered by the redrawn panel; what others do is pushed with the same token, a few
times a second at most (PLATFORM 1). After 15 minutes a token can do nothing more: a last edit
says how to go on.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import discord

from bot.games.screen import Line, Screen
from bot.tables.clock import Clock
from bot.tables.painter import Painter
from bot.tables.panels import asleep, panel, quiet
from bot.tables.places import Token
from bot.tables.session import Phase
from bot.tables.supervisor import Supervisor
from bot.tables.table import Table, TableId
from bot.ui.budget import Budget
from bot.ui.components import layout
from bot.ui.errors import FAILURES, Trouble, trouble

log = logging.getLogger(__name__)

GAP = 0.5
"""Seconds between two pushes to one panel."""
PATIENCE = 10.0
RETRY = 3.0
SLEEPY = 14 * 60
"""Seconds of a token's life after which the last edit is made."""
TOKEN_LIFE = 15 * 60


class PanelStore(Protocol):
    """Where panels are kept across restarts."""

    def panel_at(self, table: TableId, user: int, token: Token) -> None: ...
    def panel_gone(self, table: TableId, user: int) -> None: ...


@dataclass(slots=True)
class Office:
    """What every panel works with."""

    client: discord.Client
    store: PanelStore
    budget: Budget
    supervisor: Supervisor
    clock: Clock

    def hook(self, token: str) -> discord.Webhook:
        app = self.client.application_id
        assert app is not None, "the client has logged in"
        return discord.Webhook.partial(app, token, client=self.client)


class Panel:
    """One player's panel. One writer: the newest picture is always the last one sent."""

    def __init__(self, table: Table, user: int, locale: str, office: Office) -> None:
        self.table = table
        self.user = user
        self.locale = locale
        self.said: Line = quiet()
        self._office = office
        self._token: Token | None = None
        self._sent: Screen | None = None
        self._said_in = (table.session.round, table.session.phase)
        self._answering = 0
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
        return self._token.message if self._token is not None else None

    @property
    def asleep(self) -> bool:
        return self._token is None

    def touch(self) -> None:
        if not self.asleep:
            self._painter.touch(at_once=self._is_dealt())

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
        return panel(session, self.user, table.moment(), self.said, table.half(self.user))

    # -- answers ----------------------------------------------------------------------------

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """While a press is worked on its answer is the next picture: nothing is pushed."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            self.touch()

    def answer(self, said: Line) -> Screen:
        """The picture for an answer that is sent now."""
        session = self.table.session
        self.said, self._said_in = said, (session.round, session.phase)
        screen = self.picture()
        self._sent = screen
        self.table.shown(self.user, self.table.session)
        return screen

    def answered(self, token: Token | None) -> None:
        """The answer is out, with this token for what comes; None when it was lost."""
        if token is None:
            self._sent = None
        else:
            self.adopt(token)

    def adopt(self, token: Token) -> None:
        """Use this token from now on. A panel that was elsewhere before is deleted."""
        before, self._token = self._token, token
        self._office.store.panel_at(self.table.id, self.user, token)
        if before is not None and before.message != token.message:
            self._office.supervisor.start(
                self.table, f"old panel {self.user}", lambda: self._delete(before)
            )

    def restore(self, token: Token) -> None:
        """After a restart: what is on it is not known, so it is drawn again."""
        self._token = token
        self.touch()

    # -- pushes -----------------------------------------------------------------------------

    async def _push(self) -> None:
        if self._need_not():
            return
        session = self.table.session
        await self._office.budget.take(session.opened.channel, urgent=self._is_dealt)
        screen, session, token = self.picture(), self.table.session, self._token
        if token is None or self._need_not():
            return
        if session.phase is Phase.LIVE:
            self._live_round = session.round
        if await self._edit(token, screen):
            # If an answer went out meanwhile, this older picture may now lie on top of it:
            # what is known to be sent is this one, so the newest is pushed once more.
            self._sent = screen
            self.table.shown(self.user, session)

    def _need_not(self) -> bool:
        """An answer is coming, nobody can see it, or it looks as it did."""
        return bool(self._answering) or self.asleep or self.picture() == self._sent

    async def sleep_if_old(self, now: float) -> None:
        """The last edit that a token can make says how to go on. `now`: Unix seconds."""
        token = self._token
        if token is None or now - token.born < SLEEPY:
            return
        if now - token.born < TOKEN_LIFE:
            await self._edit(token, asleep(self.picture()))
        if self._token is token:
            self._lose()

    async def _edit(self, token: Token, screen: Screen) -> bool:
        view = layout(screen, self.table.id, self.locale)
        try:
            async with asyncio.timeout(PATIENCE):
                await self._office.hook(token.token).edit_message(
                    token.message, view=view, allowed_mentions=discord.AllowedMentions.none()
                )
        except FAILURES as error:
            await self._failed(error, token)
            return False
        return True

    async def _failed(self, error: Exception, token: Token) -> None:
        match trouble(error):
            case Trouble.MESSAGE_GONE | Trouble.TOKEN_GONE | Trouble.PLACE_GONE | Trouble.FORBIDDEN:
                log.info("table %d: a panel is gone: %s", self.table.id, error)
                if self._token is token:
                    self._lose()
            case Trouble.BUG:
                log.error("table %d: Discord refused a panel: %s", self.table.id, error)
            case Trouble.LATER:
                log.warning("table %d: a panel is late: %r", self.table.id, error)
                self._sent = None
                self._painter.touch()
                await self._office.clock.sleep(RETRY)

    def _lose(self) -> None:
        self._token = None
        self._sent = None
        self._office.store.panel_gone(self.table.id, self.user)

    async def _delete(self, token: Token) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._office.hook(token.token).delete_message(token.message)
        except FAILURES as error:
            log.info("table %d: an old panel stays: %s", self.table.id, error)


class Panels:
    """The panels of every table."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._panels: dict[TableId, dict[int, Panel]] = {}

    def __iter__(self) -> Iterator[Panel]:
        return iter([panel for panels in self._panels.values() for panel in panels.values()])

    def get(self, table: TableId, user: int) -> Panel | None:
        return self._panels.get(table, {}).get(user)

    def of(self, table: Table, user: int, locale: str) -> Panel:
        """This person's panel at a table, made when there is none."""
        panels = self._panels.setdefault(table.id, {})
        if user not in panels:
            panels[user] = Panel(table, user, locale, self._office)
        panels[user].locale = locale
        return panels[user]

    def watch(self, table: Table) -> None:
        """Called on every change of a table."""
        for one in self._panels.get(table.id, {}).values():
            one.touch()

    def drop(self, table: TableId) -> None:
        self._panels.pop(table, None)
