"""The screen that a player's panel should show now."""

from dataclasses import dataclass

from discord.ui import LayoutView

from bot.ids import ChannelId, UserId
from bot.screen import Line, Screen
from bot.tables.decisions.presence import Presence
from bot.tables.running.epoch import Epoch
from bot.tables.running.table import Table
from bot.tables.state.session import Phase, Session
from bot.tables.views import newcomer
from bot.tables.views.newcomer import First
from bot.tables.views.plain_words import in_plain_words
from bot.tables.views.screens.kept import KeptScreen
from bot.tables.views.screens.panel import elsewhere, panel
from bot.ui.panels.context import PanelContext
from bot.ui.render.components import layout
from bot.ui.render.marks import Reader


@dataclass(frozen=True, slots=True)
class Said:
    """The line of what the player's last press led to, None for none, and the phase of it."""

    line: Line | None
    round: int
    phase: Phase

    def is_over(self, session: Session) -> bool:
        """Return whether it was said in an earlier phase."""
        return session.round != self.round or session.phase is not self.phase


@dataclass(frozen=True, slots=True)
class Beside:
    """The input of a panel beside the session. `is_left_behind`: its table has a thread by now."""

    user: UserId
    presence: Presence
    said: Line | None
    half: str | None
    first: First | None
    is_left_behind: bool
    is_plain: bool


def drawn(session: Session, beside: Beside) -> Screen:
    """Draw a panel."""
    screen = panel(session, beside.user, beside.presence, beside.said, beside.half, beside.first)
    if beside.is_left_behind:
        screen = elsewhere(session, screen)
    return in_plain_words(screen) if beside.is_plain else screen


class PanelScreen:
    """One player's view of a table, with the line about their last press."""

    def __init__(self, table: Table, user: UserId, locale: str, context: PanelContext) -> None:
        self.locale = locale
        self.channel: ChannelId | None = None  # where it stands, if it has been answered there
        self._table = table
        self._user = user
        self._context = context
        self._epoch = Epoch(table, context.discord_time)
        self._kept = KeptScreen(drawn)
        self.say(None)

    def say(self, line: Line | None) -> None:
        """Show this line from now on, until the phase is over."""
        session = self._table.session
        self._said = Said(line, session.round, session.phase)

    def forget_what_is_over(self) -> None:
        """Forget what was said in an earlier phase, so that it doesn't come back in a later one."""
        if self._said.is_over(self._table.session):
            self.say(None)

    def layout(self, screen: Screen) -> LayoutView:
        """Return a screen ready to send, as this player reads it now."""
        return layout(screen, self._table.id, self.reader)

    def now(self) -> Screen:
        """Return the panel as it should look now."""
        table, session = self._table, self._table.session
        beside = Beside(
            self._user,
            self._epoch.presence(),
            None if self._said.is_over(session) else self._said.line,
            table.half(self._user),
            self._first(session),
            session.parent is not None and self.channel == session.parent,
            self._is_plain,
        )
        return self._kept.now(session, beside)

    def _first(self, session: Session) -> First | None:
        """Return what this player does for the first time at this table, and note it."""
        doing = newcomer.doing(session, self._user)
        if doing is None:
            return None
        newcomers = self._context.newcomers
        return doing if newcomers.is_first(self._user, doing, self._table.id) else None

    @property
    def reader(self) -> Reader:
        """The words are the player's, the letters of cards the table's."""
        letters, faces = self._table.session.opened.locale, self._context.emojis.faces
        if self._is_plain:
            return Reader(self.locale, letters, plain=True)
        return Reader(self.locale, letters, faces)

    @property
    def _is_plain(self) -> bool:
        return self._user in self._context.plain
