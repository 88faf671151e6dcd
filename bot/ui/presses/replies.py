"""The one answer to a press, once its table has decided it."""

from bot.ids import ChannelId, MessageId, UserId
from bot.screen import Screen
from bot.tables.decisions.decide import Done
from bot.tables.presses.press import Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.running.table import Table
from bot.tables.state import actions as a
from bot.tables.state.actions import Action
from bot.tables.state.message_refs import Direct
from bot.tables.state.options import by_dm
from bot.tables.state.session import Phase
from bot.tables.views.host_options import form, lists_for, options
from bot.tables.views.lines import sentence
from bot.tables.views.screens.lobby import watching
from bot.tables.views.screens.panel import note
from bot.text import Text
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.responses import (
    Interaction,
    answer,
    asked,
    is_private,
    pressed_message,
    private,
    redrawn,
    token,
    went_out,
)
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.panels import direct_messages
from bot.ui.panels.calls import PLAYED
from bot.ui.panels.panel import Panel
from bot.ui.presses.questions import IN_WORDS, MAY_COME, NEW_PANEL, STRANGE, question
from bot.ui.render import components
from bot.ui.render.forms import modal
from bot.ui.render.marks import Reader
from bot.ui.tables.messages import TableMessages


class Replies:
    """The answers to presses: on the pressed panel, as a new panel, or as a note."""

    def __init__(self, messages: TableMessages, load: Load) -> None:
        self._messages = messages
        self._load = load

    async def answer(self, interaction: Interaction, outcome: Outcome, action: Action) -> None:
        """Answer once, the way the press asks for."""
        table, refused = outcome.table, outcome.refused
        if outcome.is_repeated:
            return
        if refused is not None and refused.why is Stale.TOO_OLD:
            self._load.drop()
        elif table is None:
            await private(interaction, outcome.said)
        elif isinstance(action, a.Move) and refused is None:
            await self._on_own(interaction, table, outcome, action)
        elif isinstance(action, IN_WORDS) and is_private(interaction):
            await self._in_words(interaction, outcome)
        elif refused is not None and refused.why in MAY_COME:
            await self._may_come(interaction, table, outcome)
        elif isinstance(action, a.NextMatch) or (refused is not None and refused.why in STRANGE):
            await self._note(interaction, table, outcome.said)
        elif isinstance(action, a.ShowForm) and refused is None:
            await self._form(interaction, table)
        elif isinstance(action, a.ShowOptions | a.SetOption):
            await self._options(interaction, table, outcome, action)
        elif (asked_first := question(table.session, outcome.decision, action)) is not None:
            await self._beside(interaction, table, asked_first)
        elif refused is None and self._moves_down(interaction, table, outcome, action):
            await self._below(interaction, table, outcome, action)
        else:
            await self._on_own(interaction, table, outcome, action)

    async def _on_own(
        self, interaction: Interaction, table: Table, outcome: Outcome, action: Action
    ) -> None:
        if own := pressed_message(interaction):
            await self._on_panel(interaction, own, table, outcome)
        else:
            await self._on_public(interaction, table, outcome, action)

    async def show_panel(self, interaction: Interaction, table: Table, outcome: Outcome) -> bool:
        """Answer with somebody's panel at a table: on the private message they pressed, or new.

        Return whether the panel is known to be there.
        """
        if own := pressed_message(interaction):
            await self._on_panel(interaction, own, table, outcome)
        else:
            await self.new_panel(interaction, table, outcome)
        return self._panel(interaction, table).message is not None

    async def _on_panel(
        self, interaction: Interaction, message: MessageId, table: Table, outcome: Outcome
    ) -> None:
        """Redraw the pressed panel, with one line of what happened.

        A panel that is newer than the known one, since a power cut has taken the memory of it, is
        this player's panel again.
        """
        panel = self._panel(interaction, table)
        refused = outcome.refused
        is_older = panel.message is not None and message < panel.message
        if is_older and refused is not None and refused.why is PressRefusal.OLD_PANEL:
            await self._note(interaction, table, outcome.said)
            return
        with panel.answer(note(outcome.decision), message) as delivery:
            sent = await redrawn(interaction, lambda: panel.screen.layout(delivery.screen))
            if sent and interaction.guild_id is None and interaction.channel_id is not None:
                panel.adopt_direct(Direct(ChannelId(interaction.channel_id), message))
            panel.answered(delivery, token(interaction, message) if sent else None)

    async def _on_public(
        self, interaction: Interaction, table: Table, outcome: Outcome, action: Action
    ) -> None:
        """Send a new panel to a player who needs one; else answer silently.

        The table message is redrawn anyway.
        """
        if outcome.refused is not None:
            await self._note(interaction, table, outcome.said)
            return
        if isinstance(action, NEW_PANEL) or (
            isinstance(action, a.Ready) and not self._is_near(interaction, table)
        ):
            await self.new_panel(interaction, table, outcome)
            return
        await went_out(interaction, interaction.response.defer)

    def _is_near(self, interaction: Interaction, table: Table) -> bool:
        """Return whether this person has their panel below the table message, or by itself."""
        known = self._messages.panels.get(table.id, UserId(interaction.user.id))
        return known is not None and known.is_near(table.message or MessageId(0))

    def _moves_down(
        self, interaction: Interaction, table: Table, outcome: Outcome, action: Action
    ) -> bool:
        """Return whether the answer is a panel below the table message.

        A new posting of the table is asked for, or the panel that is pressed stands above it. Cards
        in play stay where they are.
        """
        if interaction.guild_id is None:
            return False
        if isinstance(action, a.Rematch | a.MoveDown):
            return True
        if isinstance(action, a.Start):
            return isinstance(outcome.decision, Done) and bool(outcome.decision.entries)
        if not isinstance(action, a.Ready):
            return False
        return is_private(interaction) and not self._is_near(interaction, table)

    async def _below(
        self, interaction: Interaction, table: Table, outcome: Outcome, action: Action
    ) -> None:
        """Answer with a panel below the table message, once that is there."""
        before = None if isinstance(action, a.Rematch) else table.message
        if isinstance(action, a.MoveDown):
            self._messages.upkeep(table).move_down()
        if not isinstance(action, a.Ready):
            await self._messages.posted(table, before)
        if isinstance(action, a.MoveDown) and self._is_near(interaction, table):
            await went_out(interaction, interaction.response.defer)
        else:
            await self.new_panel(interaction, table, outcome)

    async def _note(self, interaction: Interaction, table: Table, text: Text) -> None:
        """Answer with a private note, in the place of the last one."""
        if not interaction.response.is_done():
            view = components.note(text, str(interaction.locale))
            self._noted(interaction, table, await answer(interaction, view))

    async def _may_come(self, interaction: Interaction, table: Table, outcome: Outcome) -> None:
        """Answer somebody without a seat with what they can do."""
        session = table.session
        if session.phase not in PLAYED:
            await self._note(interaction, table, outcome.said)
            return
        await self._beside(interaction, table, watching(outcome.said, session.round))

    async def _beside(self, interaction: Interaction, table: Table, screen: Screen) -> None:
        """Answer with a private screen of the table, in the place of the last one."""
        view = components.layout(screen, table.id, Reader(str(interaction.locale)))
        self._noted(interaction, table, await answer(interaction, view))

    def _noted(self, interaction: Interaction, table: Table, message: MessageId | None) -> None:
        made = token(interaction, message)
        if made is not None and interaction.guild_id is not None:
            self._messages.notes.keep(table, UserId(interaction.user.id), made)

    async def _form(self, interaction: Interaction, table: Table) -> None:
        """Answer with the options as a form, or as lists where Discord takes no form."""
        reader, session = Reader(str(interaction.locale)), table.session
        drawn = form(session)
        if drawn is not None and await asked(interaction, modal(drawn, table.id, reader)):
            return
        await self._beside(interaction, table, options(session))

    async def _options(
        self, interaction: Interaction, table: Table, outcome: Outcome, action: Action
    ) -> None:
        """Answer with the lists of options, or with words.

        Words take the lists' place when there is no lobby left that they could be for.
        """
        asked_here = isinstance(action, a.SetOption) and is_private(interaction)
        if outcome.refused is not None:
            if asked_here and table.session.phase is not Phase.LOBBY:
                await self._in_words(interaction, outcome)
            else:
                await self._note(interaction, table, outcome.said)
            return
        lists = lists_for(table.session, action)
        if asked_here:
            reader = Reader(str(interaction.locale))
            await redrawn(interaction, components.layout(lists, table.id, reader))
        elif isinstance(action, a.ShowOptions):
            await self._beside(interaction, table, lists)
        else:
            await went_out(interaction, interaction.response.defer)

    async def _in_words(self, interaction: Interaction, outcome: Outcome) -> None:
        """Answer a private question: words take its place."""
        view = components.note(outcome.said, str(interaction.locale))
        await redrawn(interaction, view)

    def _panel(self, interaction: Interaction, table: Table) -> Panel:
        user, locale = UserId(interaction.user.id), str(interaction.locale)
        panel = self._messages.panels.of(table, user, locale)
        if interaction.channel_id is not None:
            panel.screen.channel = ChannelId(interaction.channel_id)
        return panel

    async def new_panel(self, interaction: Interaction, table: Table, outcome: Outcome) -> None:
        """Answer with a private panel of one's own, or add one to the answer of a command."""
        panel, said = self._panel(interaction, table), note(outcome.decision)
        if by_dm(table.session.options) and interaction.guild_id is not None:
            turn = self._messages.budget.take_own_now
            if await direct_messages.send(interaction, panel, said, turn):
                return
            said = sentence("panel.no_direct_message")
        if interaction.response.is_done():
            self._messages.budget.spend(CountedChannel.of(table.session))
        with panel.answer(said) as delivery:
            sent = await answer(interaction, lambda: panel.screen.layout(delivery.screen))
            panel.answered(delivery, token(interaction, sent))
