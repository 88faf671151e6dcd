"""The screen that a table's public message should show now."""

from dataclasses import dataclass

from discord.ui import LayoutView

from bot.screen import Screen
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import is_recorded
from bot.tables.running.epoch import Epoch
from bot.tables.running.table import Table
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import Chair
from bot.tables.views.results.records import NO_RECORDS, Records
from bot.tables.views.results.standings import Pictured
from bot.tables.views.screens.kept import KeptScreen
from bot.tables.views.screens.table_message import public
from bot.ui.limits.picture_lessons import Lesson
from bot.ui.render.components import layout
from bot.ui.render.marks import Reader
from bot.ui.render.score_image import Illustration, Way
from bot.ui.tables.public_message.context import MessageContext

ENDED = (Phase.OVER, Phase.CLOSED)


@dataclass(frozen=True, slots=True)
class Beside:
    """The input of a table's message beside its session."""

    presence: Presence
    picture: Pictured | None
    records: Records


def drawn(session: Session, beside: Beside) -> Screen:
    """Draw a table's message."""
    return public(session, beside.presence, beside.picture, beside.records)


class TableScreen:
    """One table's screen, with the score's image and the additions of a finished match."""

    def __init__(self, table: Table, message_context: MessageContext) -> None:
        context = message_context.context
        self.illustration = Illustration(table)
        self._table = table
        self._emojis = context.emojis
        self._learned = context.learned
        self._epoch = Epoch(table, context.discord_time)
        self._match_summary = message_context.match_summary
        self._champions = context.champions
        self._records = NO_RECORDS
        self._kept = KeptScreen(drawn)
        self._read_for: tuple[tuple[Chair, ...], int] | None = None

    async def prepare(self) -> None:
        """Load the ratings and the image of the current screen. Takes a few seconds at most."""
        session = self._table.session
        ended = session.phase in ENDED and is_recorded(session)
        now = (session.chairs, self._table.times_changed)  # chairs differ once one is forgotten
        if ended and now != self._read_for:
            self._read_for = now
            self._records = await self._match_summary(self._table)
            self._table.tell_records(self._records.bests, self._records.broken)
        is_apart = self._learned.holds(session.opened.guild, Lesson.PICTURES_APART)
        await self.illustration.draw(Way.APART if is_apart else Way.LISTED)

    def now(self) -> Screen:
        """Return the message as it should look now."""
        session, opened = self._table.session, self._table.session.opened
        presence = self._epoch.presence(self._champions.of(opened.guild, opened.game))
        beside = Beside(presence, self.illustration.pictured, self._records)
        return self._kept.now(session, beside)

    def layout(self, screen: Screen) -> LayoutView:
        """Return a screen ready to send, in the table's language."""
        locale = self._table.session.opened.locale
        return layout(screen, self._table.id, Reader(locale, faces=self._emojis.faces))
