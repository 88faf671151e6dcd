"""The handling of a press on an arena's buttons, and of one at a table whose round is over."""

import logging
from collections.abc import Awaitable, Callable

from bot.clock import Clock
from bot.games.values import Refused
from bot.ids import GuildId, MessageId, UserId
from bot.screen import Line
from bot.tables.arena import decisions as d
from bot.tables.arena.actions import Action
from bot.tables.arena.panel import asked_to_stop, came_to_nothing
from bot.tables.arena.state import Arena
from bot.tables.arenas.outcome import ArenaOutcome
from bot.tables.arenas.running import RunningArena
from bot.tables.decisions.decide import Done
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.index import TableIndex
from bot.tables.registry.outcome import Outcome, seated_at
from bot.tables.state.session import Phase
from bot.tables.views.lines import sentence
from bot.tables.views.screens.panel import REFUSED
from bot.text import Text
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.custom_ids import PREFIX, layout, parse
from bot.ui.arena.messages import ArenaMessages
from bot.ui.arena.panel import ArenaPanel
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.press_origin import is_anothers
from bot.ui.connection.responses import (
    Interaction,
    answer,
    is_private,
    pressed_message,
    private,
    redrawn,
    sent_id,
    token,
)
from bot.ui.presses.presses import read
from bot.ui.presses.replies import Replies
from bot.ui.render import components
from bot.ui.render.marks import Reader

log = logging.getLogger(__name__)

QUESTIONS = (Action.STOP_FOR_SURE, Action.GO_ON)
"""Answers to the question whether to end the arena, whose place words take."""


class ArenaPresses:
    """The router of an arena's buttons."""

    def __init__(
        self,
        context: ArenaContext,
        messages: ArenaMessages,
        replies: Replies,
        index: TableIndex,
        load: Load,
        clock: Clock,
    ) -> None:
        self._context = context
        self._arenas = context.arenas
        self.messages = messages
        self._replies = replies
        self._load = load
        self._clock = clock
        self._index = index

    def is_for(self, interaction: Interaction) -> bool:
        return sent_id(interaction).startswith(PREFIX)

    def handle(self, interaction: Interaction) -> Awaitable[None]:
        """Put a press in its arena's line, and return the awaitable that answers it."""
        press = read(interaction, self._clock)
        parsed = parse(sent_id(interaction))
        if self._load.is_full(lambda: True):
            self._load.drop()
            return _nothing()
        if is_anothers(interaction):
            return private(interaction, Text(PressRefusal.ANOTHERS))
        if parsed is None:
            return private(interaction, Text(PressRefusal.UNKNOWN))
        arena_id, action = parsed
        arena = self._arenas.get(arena_id)
        if arena is None or arena.state.opened.guild != interaction.guild_id:
            return private(interaction, Text(d.ArenaRefusal.OVER))
        if interaction.message is not None and not is_private(interaction):
            self.messages.of(arena).pressed(MessageId(interaction.message.id))
        return self._answered(interaction, action, self._decided(arena, action, press))

    def _decided(
        self, arena: RunningArena, action: Action, press: Press
    ) -> Awaitable[ArenaOutcome]:
        return self._arenas.press(arena.id, self._ask(arena, action, press), press)

    def _ask(
        self, arena: RunningArena, action: Action, press: Press
    ) -> Callable[[Arena, int], d.Decision]:
        """Return the decision of a press, to be made at its turn."""

        def ask(state: Arena, _: int) -> d.Decision:
            match action:
                case Action.JOIN | Action.NEXT:
                    return self._joins(arena, state, press)
                case Action.LEAVE:
                    return d.leave(state, press.user)
                case Action.STOP_FOR_SURE:
                    return d.stop(state, press.user)
                case Action.STOP | Action.GO_ON:
                    return d.look(state, press.user)

        return ask

    def _joins(self, arena: RunningArena, state: Arena, press: Press) -> d.Decision:
        there = self._index.elsewhere(state.opened.guild, press.user)
        if there is not None and there not in arena.tables.values():
            return seated_at(there)
        return d.join(state, press.user, press.name, self._context.room(arena))

    # -- answers ----------------------------------------------------------------------------

    async def _answered(
        self, interaction: Interaction, action: Action, decided: Awaitable[ArenaOutcome]
    ) -> None:
        try:
            with self._load.working() as goes_out:
                outcome = await decided
                goes_out()
                await self._answer(interaction, action, outcome)
        except Exception:
            where, sent = interaction.channel_id, sent_id(interaction)
            log.exception("channel %s: press in an arena failed: %s", where, sent)
            await private(interaction, Text("request.refused.broken"))

    async def _answer(
        self, interaction: Interaction, action: Action, outcome: ArenaOutcome
    ) -> None:
        """Answer once, the way the press asks for."""
        refused = outcome.decision if isinstance(outcome.decision, Refused) else None
        if outcome.is_repeated:
            return
        if refused is not None and refused.why is Stale.TOO_OLD:
            self._load.drop()
        elif action is Action.STOP and refused is None:
            await self._question(interaction, outcome)
        elif action in QUESTIONS:
            view = components.note(outcome.said, str(interaction.locale))
            await redrawn(interaction, view)
        elif outcome.arena is None or self._is_for_nobody(interaction, outcome):
            await private(interaction, outcome.said)
        else:
            said = sentence(REFUSED, (("why", refused.text),)) if refused else None
            await self.show(interaction, outcome.arena, said)

    def _is_for_nobody(self, interaction: Interaction, outcome: ArenaOutcome) -> bool:
        """Return whether words are the answer: to a refused press that is on no panel."""
        arena, user = outcome.arena, UserId(interaction.user.id)
        if arena is None or user not in arena.state.members:
            return True
        return isinstance(outcome.decision, Refused) and not is_private(interaction)

    async def _question(self, interaction: Interaction, outcome: ArenaOutcome) -> None:
        assert outcome.arena is not None, "it was asked"
        view = layout(asked_to_stop(), outcome.arena.id, Reader(str(interaction.locale)))
        await answer(interaction, view)

    async def show(
        self, interaction: Interaction, arena: RunningArena, said: Line | None = None
    ) -> None:
        """Answer with somebody's panel: that of their table, if they sit at one.

        A press on a private message redraws it; any other is answered with a new one.
        """
        user, locale = UserId(interaction.user.id), str(interaction.locale)
        panel = self.messages.panels.of(arena, user, locale)
        with panel.held_back():
            table = arena.table_of(user)
            if table is not None and table.session.seat_of(user) is not None:
                panel.sync()
                told = Outcome(table, Done((), Text("table.your_panel")))
                if await self._replies.show_panel(interaction, table, told):
                    panel.lent(table)
                return
            await self._on_own(interaction, panel, said)

    async def _on_own(self, interaction: Interaction, panel: ArenaPanel, said: Line | None) -> None:
        where = pressed_message(interaction)
        if where is not None:
            if not await redrawn(interaction, lambda: panel.draw(said)):
                where = None
        else:
            if interaction.response.is_done():
                budget = self._context.panels.budget
                budget.spend(self._context.where(panel.arena))
            where = await answer(interaction, lambda: panel.draw(said))
        panel.answered(token(interaction, where))

    # -- presses at tables --------------------------------------------------------------------

    def answers(self, interaction: Interaction, outcome: Outcome) -> Awaitable[None] | None:
        """Return what answers a press at a table whose round is over, if that was an arena's.

        The message is the arena's panel by now, or that of the next table.
        """
        arena = self._left_for(interaction, outcome)
        if arena is None or outcome.is_repeated:
            return None
        return self._answer_between(interaction, arena, outcome)

    async def _answer_between(
        self, interaction: Interaction, arena: RunningArena, outcome: Outcome
    ) -> None:
        await arena.do(lambda _, __: d.NOTHING)  # what the table leads to is decided before this
        await self.show(interaction, arena, came_to_nothing(outcome.refused))

    def after(self, interaction: Interaction, outcome: Outcome) -> None:
        """Let the arena have back a panel whose player is not in the round any more."""
        table = outcome.table
        inside = table.session.opened.arena if table is not None else None
        if table is None or inside is None:
            return
        panel = self.messages.panels.get(inside.id, UserId(interaction.user.id))
        if panel is not None:
            panel.after(table)

    def _left_for(self, interaction: Interaction, outcome: Outcome) -> RunningArena | None:
        """Return the arena whose panel a press at a table is answered with; None for any other."""
        user, message = UserId(interaction.user.id), interaction.message
        if message is None or interaction.guild_id is None or not is_private(interaction):
            return None
        table = outcome.table
        for arena in self._arenas.of(GuildId(interaction.guild_id), user):
            panel = self.messages.panels.get(arena.id, user)
            is_its = panel is not None and panel.message == message.id
            if table is None and is_its and outcome.refused is not None:
                return arena
            if table is None or not is_its:
                continue
            inside = table.session.opened.arena
            is_over = table.session.phase in (Phase.OVER, Phase.CLOSED)
            if inside is not None and inside.id == arena.id and is_over:
                return arena
        return None


async def _nothing() -> None:
    """Answer nothing: the press is dropped."""
