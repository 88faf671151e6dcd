"""What happens when somebody presses: submit first, then answer once."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, TypeAlias

import discord

from bot.games.kernel import Refused
from bot.games.screen import Text
from bot.tables.clock import Clock
from bot.tables.panels import note, options
from bot.tables.places import Token
from bot.tables.press import Press, Stale
from bot.tables.registry import Outcome, Tables, Why
from bot.tables.table import Table
from bot.ui import components
from bot.ui.errors import FAILURES
from bot.ui.house import House
from bot.ui.panels import Panel

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
NEW_PANEL = frozenset({"join", "panel", "rematch"})
"""Words on a public message that are answered by a private panel of one's own."""
STRANGE = frozenset({Why.NO_TABLE, Why.STRANGER, Why.SEATED_ELSEWHERE, Why.UNKNOWN})
"""Refusals that have no panel to be shown on."""


def read(interaction: Interaction, clock: Clock) -> Press:
    """The press, with the time it arrived. Called before anything else."""
    return Press(
        interaction=interaction.id,
        user=interaction.user.id,
        name=interaction.user.display_name,
        created=interaction.created_at.timestamp(),
        wall=clock.wall(),
        arrived=clock.now(),
    )


class Presses:
    """The router of every button and list, by custom id alone."""

    def __init__(self, tables: Tables, house: House, clock: Clock) -> None:
        self._tables = tables
        self._house = house
        self._clock = clock

    async def handle(self, interaction: Interaction) -> None:
        """Nothing is awaited before `Tables.press`: order of arrival is the law."""
        press = read(interaction, self._clock)
        parsed = components.parse(sent := _sent_id(interaction))
        if parsed is None:
            await private(interaction, Text(Why.UNKNOWN))
            return
        table_id, round_, word = parsed
        panel = self._house.panels.get(table_id, press.user)
        try:
            with panel.held_back() if panel is not None else nullcontext():
                outcome = await self._tables.press(
                    table_id, round_, _chosen(interaction, word), press
                )
                await self._answer(interaction, outcome, word)
        except Exception:
            log.exception("table %d: a press failed: %s", table_id, sent)
            await private(interaction, Text("door.refused.broken"))

    async def new_panel(self, interaction: Interaction, table: Table, outcome: Outcome) -> None:
        """Answer with a private panel of one's own, or add one to the answer of a command."""
        panel = self._panel(interaction, table)
        view = components.layout(panel.answer(note(outcome.decision)), table.id, panel.locale)
        message: int | None = None
        try:
            if interaction.response.is_done():
                sent = await interaction.followup.send(view=view, ephemeral=True, wait=True)
                message = sent.id
            else:
                answer = await interaction.response.send_message(view=view, ephemeral=True)
                message = answer.message_id
        except FAILURES as error:
            log.info("table %d: a panel could not be sent: %r", table.id, error)
        panel.answered(_token(interaction, message))

    # -- answers ----------------------------------------------------------------------------

    async def _answer(self, interaction: Interaction, outcome: Outcome, word: str) -> None:
        """Answer once, the way the press asks for."""
        table, refused = outcome.table, outcome.refused
        if refused is not None and refused.why is Stale.TOO_OLD:
            log.info("a press was too old to count; Discord takes no answer to it any more")
        elif table is None or (refused is not None and _is_strange(refused)):
            await private(interaction, outcome.said)
        elif word == "options" or word.startswith("set."):
            await self._options(interaction, table, outcome, word)
        elif interaction.message is not None and interaction.message.flags.ephemeral:
            await self._on_panel(interaction, interaction.message.id, table, outcome)
        else:
            await self._on_public(interaction, table, outcome, word)

    async def _on_panel(
        self, interaction: Interaction, message: int, table: Table, outcome: Outcome
    ) -> None:
        """The pressed panel itself is redrawn, with one line of what happened."""
        panel = self._panel(interaction, table)
        refused = outcome.refused
        if refused is not None and refused.why is Why.OLD_PANEL and panel.message != message:
            await private(interaction, outcome.said)
            return
        view = components.layout(panel.answer(note(outcome.decision)), table.id, panel.locale)
        sent = await went_out(lambda: interaction.response.edit_message(view=view))
        panel.answered(_token(interaction, message) if sent else None)

    async def _on_public(
        self, interaction: Interaction, table: Table, outcome: Outcome, word: str
    ) -> None:
        """A new panel for who needs one; else a silent answer, the table is redrawn anyway."""
        if outcome.refused is not None:
            await private(interaction, outcome.said)
            return
        known = self._house.panels.get(table.id, interaction.user.id)
        below = known is not None and (known.message or 0) > (table.message or 0)
        if word in NEW_PANEL or (word == "ready" and not below):
            await self.new_panel(interaction, table, outcome)
            return
        if word == "down":
            self._house.board(table).move_down()
        await went_out(interaction.response.defer)

    async def _options(
        self, interaction: Interaction, table: Table, outcome: Outcome, word: str
    ) -> None:
        if outcome.refused is not None:
            await private(interaction, outcome.said)
            return
        view = components.layout(options(table.session), table.id, str(interaction.locale))
        if word == "options":
            await went_out(lambda: interaction.response.send_message(view=view, ephemeral=True))
        else:
            await went_out(lambda: interaction.response.edit_message(view=view))

    def _panel(self, interaction: Interaction, table: Table) -> Panel:
        return self._house.panels.of(table, interaction.user.id, str(interaction.locale))


async def private(interaction: Interaction, text: Text) -> None:
    """A short message for one person's eyes; nothing is done when it was answered already."""
    view = components.note(text, str(interaction.locale))
    if not interaction.response.is_done():
        await went_out(lambda: interaction.response.send_message(view=view, ephemeral=True))


async def went_out(send: Callable[[], Awaitable[object]]) -> bool:
    """Whether an answer reached Discord. A late or repeated one is no error of ours."""
    try:
        await send()
    except FAILURES as error:
        log.info("an answer was lost: %r", error)
        return False
    return True


def _sent_id(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))


def _chosen(interaction: Interaction, word: str) -> str:
    """A list's word says what is chosen: `set.rounds=5`."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return f"{word}={values[0]}" if isinstance(values, list) and len(values) == 1 else word


def _token(interaction: Interaction, message: int | None) -> Token | None:
    if message is None:
        return None
    return Token(interaction.token, message, interaction.created_at.timestamp())


def _is_strange(refused: Refused) -> bool:
    return refused.why in STRANGE
