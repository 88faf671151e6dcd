"""What happens when somebody presses: submit first, then answer once."""

import logging
from collections.abc import Awaitable
from contextlib import nullcontext

import discord

from bot.games.kernel import Refused
from bot.games.screen import Joined, Text
from bot.tables.choices import PLACE, by_dm
from bot.tables.clock import Clock
from bot.tables.journal import TableId
from bot.tables.outcome import Outcome
from bot.tables.panels import leaving, note, options
from bot.tables.phrases import sentence
from bot.tables.places import Direct, Token
from bot.tables.press import Press, Stale
from bot.tables.registry import Tables
from bot.tables.router import Why
from bot.tables.session import Phase
from bot.tables.table import Table
from bot.ui import components, letters
from bot.ui.answers import (
    Interaction,
    answer,
    is_private,
    picked,
    private,
    redrawn,
    sent_id,
    went_out,
)
from bot.ui.authority import Whose, comes_from, is_anothers
from bot.ui.house import House
from bot.ui.load import Load
from bot.ui.marks import Reader
from bot.ui.panel import Panel

log = logging.getLogger(__name__)

NAME = 32
"""Characters of a name that are kept: as many as Discord lets one have."""
NEW_PANEL = frozenset({"join", "panel", "rematch"})
"""Words on a public message that are answered by a private panel of one's own."""
IN_THREAD = f"set.{PLACE.key}=thread"
WITH_THREADS = frozenset({discord.ChannelType.text, discord.ChannelType.news})
STRANGE = frozenset({Why.NO_TABLE, Why.STRANGER, Why.SEATED_ELSEWHERE, Why.UNKNOWN})
"""Refusals that have no panel to be shown on."""


def read(interaction: Interaction, clock: Clock) -> Press:
    """The press, with the time it arrived. Called before anything else."""
    return Press(
        interaction=interaction.id,
        user=interaction.user.id,
        name=interaction.user.display_name[:NAME],
        created=interaction.created_at.timestamp(),
        arrived=clock.now(),
    )


class Presses:
    """The router of every button and list, by custom id alone."""

    def __init__(self, tables: Tables, house: House, load: Load, clock: Clock) -> None:
        self._tables = tables
        self._house = house
        self._load = load
        self._clock = clock

    def handle(self, interaction: Interaction) -> Awaitable[None]:
        """Return when the press is in its table's line; what is returned is its answer.

        An ordinary function: nothing can be awaited before the line, and order of arrival is the
        law. What is too much at once is dropped here, before it is decided.
        """
        if self._load.is_full:
            self._load.drop()
            return _nothing()
        press = read(interaction, self._clock)
        parsed = components.parse(sent_id(interaction))
        table_id, round_, word = parsed or (None, 0, "")
        try:
            outcome = self._decided(interaction, table_id, round_, word, press)
        except Exception as error:  # told like what fails at its turn
            outcome = _failed(error)
        return self._answered(interaction, table_id, word, outcome)

    def here(self, interaction: Interaction) -> Awaitable[None]:
        """Somebody has pressed a button of the records or the rules. Where they do it beside
        their table, the table hears of it in its turn.
        """
        press = read(interaction, self._clock)
        return _heard(self._tables.here(interaction.channel_id or 0, press))

    def _decided(
        self,
        interaction: Interaction,
        table_id: TableId | None,
        round_: int,
        word: str,
        press: Press,
    ) -> Awaitable[Outcome]:
        """Every press passes the same door, whatever becomes of it. One from elsewhere is
        answered like one for a table that never was.
        """
        if is_anothers(interaction):
            return self._tables.refuse(None, Refused(Whose.ANOTHERS), press)
        if table_id is None:
            return self._tables.refuse(None, Refused(Why.UNKNOWN), press)
        if self._is_from_elsewhere(interaction, table_id):
            return self._tables.refuse(None, Refused(Why.NO_TABLE), press)
        chosen = _chosen(interaction, word)
        if chosen == IN_THREAD and (refused := no_thread(interaction)) is not None:
            return self._tables.refuse(table_id, refused, press)
        return self._tables.press(table_id, round_, chosen, press)

    def _is_from_elsewhere(self, interaction: Interaction, table_id: TableId) -> bool:
        table = self._tables.books.get(table_id)
        if table is None:
            return False
        has_panel = self._house.panels.get(table_id, interaction.user.id) is not None
        return not comes_from(interaction, table.session, has_panel=has_panel)

    async def _answered(
        self,
        interaction: Interaction,
        table_id: TableId | None,
        word: str,
        decided: Awaitable[Outcome],
    ) -> None:
        """Answer a press once it is decided. Nothing is pushed to its panel meanwhile."""
        known = self._house.panels
        panel = known.get(table_id, interaction.user.id) if table_id is not None else None
        try:
            with (
                self._load.working(),
                panel.held_back() if panel is not None else nullcontext(),
            ):
                outcome = await decided
                if panel is not None and word == "rematch" and is_private(interaction):
                    self._hand_over(panel, outcome)
                await self._answer(interaction, outcome, word)
        except Exception:
            where, sent = interaction.channel_id, sent_id(interaction)
            log.exception("table %s in channel %s: a press failed: %s", table_id, where, sent)
            await private(interaction, Text("door.refused.broken"))

    async def new_panel(self, interaction: Interaction, table: Table, outcome: Outcome) -> None:
        """Answer with a private panel of one's own, or add one to the answer of a command."""
        panel, said = self._panel(interaction, table), note(outcome.decision)
        if by_dm(table.session.options) and interaction.guild_id is not None:
            if await letters.send(interaction, panel, said):
                return
            said = sentence("panel.no_letter")
        with panel.answer(said) as delivery:
            view = components.layout(delivery.screen, table.id, panel.reader)
            panel.answered(delivery, _token(interaction, await answer(interaction, view)))

    def _hand_over(self, panel: Panel, outcome: Outcome) -> None:
        """A rematch asked for on a panel: this message shows the new table from now on."""
        if outcome.refused is None and outcome.table is not panel.table:
            panel.let_go()

    # -- answers ----------------------------------------------------------------------------

    async def _answer(self, interaction: Interaction, outcome: Outcome, word: str) -> None:
        """Answer once, the way the press asks for."""
        table, refused = outcome.table, outcome.refused
        if outcome.is_repeated:
            return
        if refused is not None and refused.why is Stale.TOO_OLD:
            self._load.drop()
        elif table is None or (refused is not None and _is_strange(refused)):
            await private(interaction, outcome.said)
        elif word == "options" or word.startswith("set."):
            await self._options(interaction, table, outcome, word)
        elif word.startswith("leave.") and is_private(interaction):
            await self._in_words(interaction, outcome)
        elif interaction.message is not None and is_private(interaction):
            await self._on_panel(interaction, interaction.message.id, table, outcome)
        else:
            await self._on_public(interaction, table, outcome, word)

    async def _on_panel(
        self, interaction: Interaction, message: int, table: Table, outcome: Outcome
    ) -> None:
        """The pressed panel itself is redrawn, with one line of what happened. One that is newer
        than the one that is known, since a power cut has taken the memory of it, is this person's
        panel again.
        """
        panel = self._panel(interaction, table)
        refused = outcome.refused
        is_older = panel.message is not None and message < panel.message
        if is_older and refused is not None and refused.why is Why.OLD_PANEL:
            await private(interaction, outcome.said)
            return
        with panel.answer(note(outcome.decision), message) as delivery:
            view = components.layout(delivery.screen, table.id, panel.reader)
            sent = await redrawn(interaction, view)
            if interaction.guild_id is None and interaction.channel_id is not None:
                panel.adopt_direct(Direct(interaction.channel_id, message))
            panel.answered(delivery, _token(interaction, message) if sent else None)

    async def _on_public(
        self, interaction: Interaction, table: Table, outcome: Outcome, word: str
    ) -> None:
        """A new panel for who needs one; else a silent answer, the table is redrawn anyway."""
        if outcome.refused is not None:
            await private(interaction, outcome.said)
            return
        if word == "leave" and table.session.seat_of(interaction.user.id) is not None:
            reader = Reader(str(interaction.locale))
            await answer(interaction, components.layout(leaving(table.session), table.id, reader))
            return
        known = self._house.panels.get(table.id, interaction.user.id)
        near = known is not None and known.is_near(table.message or 0)
        if word in NEW_PANEL or (word == "ready" and not near):
            await self.new_panel(interaction, table, outcome)
            return
        if word == "down":
            self._house.board(table).move_down()
        await went_out(interaction.response.defer)

    async def _options(
        self, interaction: Interaction, table: Table, outcome: Outcome, word: str
    ) -> None:
        """The lists, or words: in their place when no lobby is left that they could be for."""
        asked_here = word != "options" and is_private(interaction)
        if outcome.refused is not None:
            if asked_here and table.session.phase is not Phase.LOBBY:
                await self._in_words(interaction, outcome)
            else:
                await private(interaction, outcome.said)
            return
        view = components.layout(options(table.session), table.id, Reader(str(interaction.locale)))
        if asked_here:
            await redrawn(interaction, view)
        elif word == "options":
            await answer(interaction, view)
        else:
            await went_out(interaction.response.defer)

    async def _in_words(self, interaction: Interaction, outcome: Outcome) -> None:
        """A private question is answered: words take its place."""
        view = components.note(outcome.said, str(interaction.locale))
        await redrawn(interaction, view)

    def _panel(self, interaction: Interaction, table: Table) -> Panel:
        return self._house.panels.of(table, interaction.user.id, str(interaction.locale))


async def _nothing() -> None:
    """The answer to a press that is dropped."""


async def _heard(here: Awaitable[Outcome]) -> None:
    """Their answer is another's business, and does not hang on this."""
    try:
        await here
    except Exception:
        log.exception("a table could not hear that somebody is there")


async def _failed(error: Exception) -> Outcome:
    raise error


def no_thread(interaction: Interaction) -> Refused | None:
    """Why a table can have no thread of its own in this channel; None where it can."""
    if interaction.channel is None or interaction.channel.type not in WITH_THREADS:
        return Refused(Why.THREADS_HERE)
    may = interaction.app_permissions
    needed = {
        "create_public_threads": may.create_public_threads,
        "send_messages_in_threads": may.send_messages_in_threads,
    }
    missing = tuple(Text(f"permission.{name}") for name, there in needed.items() if not there)
    return Refused(Why.NO_THREAD, (("names", Joined(missing)),)) if missing else None


def _chosen(interaction: Interaction, word: str) -> str:
    """A list's word says what is chosen: `set.rounds=5`."""
    value = picked(interaction)
    return word if value is None else f"{word}={value}"


def _token(interaction: Interaction, message: int | None) -> Token | None:
    if message is None:
        return None
    return Token(interaction.token, message, interaction.created_at.timestamp())


def _is_strange(refused: Refused) -> bool:
    return refused.why in STRANGE
