"""The handling of a press: submit first, then answer once."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from bot.clock import Clock
from bot.games.values import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions.option_lists import MORE
from bot.tables.presses.press import Press
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.registry import Tables
from bot.tables.state.actions import Action, Move, Rematch, SendForm, SetOption
from bot.tables.state.journal import TableId
from bot.tables.state.options import PLACE, in_thread
from bot.text import Text
from bot.ui.connection.deadlines import earlier
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.press_origin import comes_from, is_anothers
from bot.ui.connection.responses import (
    Interaction,
    created,
    filled_in,
    is_private,
    picked,
    private,
    sent_id,
)
from bot.ui.panels.panel import Panel
from bot.ui.presses.between_rounds import BetweenRounds, NoArenas
from bot.ui.presses.questions import IN_WORDS
from bot.ui.presses.replies import Replies
from bot.ui.render import custom_ids
from bot.ui.tables.messages import TableMessages
from bot.ui.toolkit.thread_permissions import no_thread

log = logging.getLogger(__name__)

NAME = 32
"""Characters of a name that are kept: as many as Discord lets one have."""
NOTHING = nullcontext()
IN_THREAD = SetOption(PLACE.key, "thread")


def read(interaction: Interaction, clock: Clock) -> Press:
    """Return the press, with the time it arrived. Called before anything else."""
    return Press(
        interaction=interaction.id,
        user=UserId(interaction.user.id),
        name=interaction.user.display_name[:NAME],
        created=created(interaction),
        arrived=clock.now() - earlier(interaction),
    )


class Presses:
    """The router of every button and list, by nothing but the custom id."""

    def __init__(
        self,
        tables: Tables,
        messages: TableMessages,
        load: Load,
        clock: Clock,
        is_tested: Callable[[ChannelId], bool],
    ) -> None:
        self._tables = tables
        self._messages = messages
        self._load = load
        self._clock = clock
        self._is_tested = is_tested
        self.replies = Replies(messages, load)
        self.between_rounds: BetweenRounds = NoArenas()

    def handle(self, interaction: Interaction) -> Awaitable[None]:
        """Put the press in its table's line, and return the awaitable that answers it.

        An ordinary function: nothing can be awaited before the press is in line, so the order of
        arrival decides. A press too many is dropped here, before it is decided.
        """
        if self._load.is_full(partial(self._is_player, interaction)):
            self._load.drop()
            return _nothing()
        press = read(interaction, self._clock)
        parsed = custom_ids.parse(sent_id(interaction))
        table_id, round_, action = parsed or (None, 0, Move(""))
        try:
            outcome = self._decided(interaction, table_id, round_, action, press)
        except Exception as error:  # told like what fails at its turn
            outcome = _failed(error)
        return self._answered(interaction, table_id, action, outcome)

    def _is_player(self, interaction: Interaction) -> bool:
        """Return whether somebody sits at a table. Only players have panels in direct messages."""
        guild, user = interaction.guild_id, UserId(interaction.user.id)
        if guild is None:
            return True
        return self._tables.index.elsewhere(GuildId(guild), user) is not None

    def here(self, interaction: Interaction) -> Awaitable[None]:
        """Handle a press on a button of the records or the rules.

        Beside a table, the table hears of it in its turn.
        """
        press = read(interaction, self._clock)
        return heard(self._tables.here(ChannelId(interaction.channel_id or 0), press))

    def _decided(
        self,
        interaction: Interaction,
        table_id: TableId | None,
        round_: int,
        action: Action,
        press: Press,
    ) -> Awaitable[Outcome]:
        """Submit a press. The tables hear of each, even of one that can only be refused.

        A press from elsewhere is answered like one for a table that never was.
        """
        if is_anothers(interaction):
            return self._tables.refuse(None, Refused(PressRefusal.ANOTHERS), press)
        if table_id is None:
            return self._tables.refuse(None, Refused(PressRefusal.UNKNOWN), press)
        if self._is_from_elsewhere(interaction, table_id):
            return self._tables.refuse(None, Refused(PressRefusal.NO_TABLE), press)
        self._messages.pressed(table_id, interaction)
        if isinstance(action, Rematch) and self._is_tested_at(table_id):
            return self._tables.refuse(table_id, Refused(PressRefusal.TESTED), press)
        chosen = _chosen(interaction, action)
        if self._wants_thread(table_id, chosen) and (refused := no_thread(interaction)) is not None:
            return self._tables.refuse(table_id, refused, press)
        return self._tables.press(table_id, round_, chosen, press)

    def _wants_thread(self, table_id: TableId, chosen: Action) -> bool:
        """Return whether a table in a channel is to have a thread from now on."""
        if isinstance(chosen, SendForm):
            table, ticked = self._tables.index.get(table_id), dict(chosen.values).get(MORE, ())
            is_new = table is not None and not in_thread(table.session.options)
            return is_new and PLACE.key in ticked
        return chosen == IN_THREAD

    def _is_tested_at(self, table_id: TableId) -> bool:
        """Return whether Discord is tested where a table is: no other may open there."""
        table = self._tables.index.get(table_id)
        return table is not None and self._is_tested(table.session.channel)

    def _is_from_elsewhere(self, interaction: Interaction, table_id: TableId) -> bool:
        table = self._tables.index.get(table_id)
        if table is None:
            return False
        has_panel = self._messages.panels.get(table_id, UserId(interaction.user.id)) is not None
        return not comes_from(interaction, table.session, has_panel=has_panel)

    async def _answered(
        self,
        interaction: Interaction,
        table_id: TableId | None,
        action: Action,
        decided: Awaitable[Outcome],
    ) -> None:
        """Answer a press once it is decided. Nothing is pushed to its panel meanwhile."""
        known = self._messages.panels
        panel = known.get(table_id, UserId(interaction.user.id)) if table_id is not None else None
        try:
            with (
                self._load.working() as goes_out,
                panel.held_back() if panel is not None else NOTHING,
            ):
                outcome = await decided
                if panel is not None and isinstance(action, Rematch) and is_private(interaction):
                    self._hand_over(panel, outcome)
                goes_out()
                await self._reply(interaction, outcome, action)
        except Exception:
            where, sent = interaction.channel_id, sent_id(interaction)
            log.exception("table %s in channel %s: press failed: %s", table_id, where, sent)
            await private(interaction, Text("request.refused.broken"))

    async def _reply(self, interaction: Interaction, outcome: Outcome, action: Action) -> None:
        arenas = self.between_rounds
        try:
            theirs = None if isinstance(action, IN_WORDS) else arenas.answers(interaction, outcome)
            await (theirs or self.replies.answer(interaction, outcome, action))
        finally:
            arenas.after(interaction, outcome)

    def _hand_over(self, panel: Panel, outcome: Outcome) -> None:
        """Let go of a panel whose message shows the table of a rematch from now on."""
        if outcome.refused is None and outcome.table is not panel.table:
            panel.let_go()


async def _nothing() -> None:
    """Answer nothing: the press is dropped."""


async def heard(here: Awaitable[Outcome]) -> None:
    """Wait until the table has heard. A failure is logged: the answer doesn't hang on it."""
    try:
        await here
    except Exception:
        log.exception("presence at a table not recorded")


async def _failed(error: Exception) -> Outcome:
    raise error


def _chosen(interaction: Interaction, action: Action) -> Action:
    """Return the action with the value chosen from a list. A button has none."""
    if isinstance(action, SendForm):
        return SendForm(filled_in(interaction))
    value = picked(interaction)
    if value is None:
        return action
    if isinstance(action, SetOption) and action.value is None:
        return replace(action, value=value)
    return Move(f"{action}={value}")
