"""The end of a lobby as its message shows it: a date of Discord's, which keeps still."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.tables.decisions.timeouts import LOBBY_FOR
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.epoch import UNSTEADY
from bot.tables.state.journal import TableId
from bot.ui.tables.public_message.context import MessageContext
from bot.ui.tables.public_message.table_screen import TableScreen
from tests.tables.clock import HandClock
from tests.tables.table import SlowJournal
from tests.tables.unowned import new_table
from tests.ui.matches import lobby


class Shown:
    """A lobby on a machine whose own clock is an hour fast."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.discord = DiscordTime(self.clock)
        self.opened = self.clock.wall() - 3600
        self.discord.made(self.opened, self.clock.now())
        table = new_table(
            TableId(1), replace(lobby(["Anna"]), since=0), 9, SlowJournal(), self.clock
        )
        nothing: Any = None
        context: Any = SimpleNamespace(
            emojis=None,
            learned=None,
            discord_time=self.discord,
            champions=SimpleNamespace(of=lambda *_: ()),
        )
        message_context = MessageContext(context, nothing, nothing, nothing, nothing)
        self._screen = TableScreen(table, message_context)

    @property
    def closes(self) -> int:
        (found,) = re.findall("<t:([0-9]+):R>", repr(self._screen.now()))
        return int(found)


async def test_the_end_is_a_date_of_discords() -> None:
    shown = Shown()
    await shown.clock.advance(60)
    assert shown.closes == pytest.approx(shown.opened + LOBBY_FOR, abs=1)


@pytest.mark.parametrize(("by", "moves"), [(UNSTEADY - 0.1, False), (UNSTEADY + 1, True)])
async def test_it_moves_only_when_discords_clock_does(by: float, moves: bool) -> None:  # noqa: FBT001
    shown = Shown()
    before = shown.closes
    await shown.clock.advance(60)
    shown.discord.made(shown.opened + 60 + by, shown.clock.now())
    assert (shown.closes != before) is moves
