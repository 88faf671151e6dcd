"""A table that something unforeseen breaks: it is closed, and everybody at it is told."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import discord
import pytest

from bot.screen import Screen
from bot.tables.state.session import Phase
from bot.ui.tables.public_message.table_screen import TableScreen
from tests.stories.discord_world import all_ready, becomes, seated, world

WENT_WRONG = "Something went wrong"
EDITS = "PATCH /channels/#/messages/#"


def breaks(monkeypatch: pytest.MonkeyPatch, phases: Callable[[Phase], bool]) -> list[Phase]:
    """Let a table's message be drawn in no such phase. Return the phases of the tries."""
    tries: list[Phase] = []
    layout = TableScreen.layout

    def breaking(picture: TableScreen, screen: Screen) -> discord.ui.LayoutView:
        phase = picture._table.session.phase
        if phases(phase):
            tries.append(phase)
            raise RuntimeError("a bug")
        return layout(picture, screen)

    monkeypatch.setattr(TableScreen, "layout", breaking)
    return tries


async def test_broken_table_tells_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message and all panels say so."""
    async with world(tmp_path, seed=7) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        _ = breaks(monkeypatch, lambda phase: phase is not Phase.CLOSED)
        await all_ready([anna, ben])
        assert await becomes(server, lambda: WENT_WRONG in anna.panel.text, 60)
        assert await becomes(server, lambda: WENT_WRONG in ben.panel.text, 60)
        public = server.public(anna.channel)[-1]
        assert await becomes(server, lambda: WENT_WRONG in public.text, 60)


async def test_broken_table_is_not_drawn_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its message cannot even say that, it is tried a few times, and panels say it."""
    async with world(tmp_path, seed=7) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        tries = breaks(monkeypatch, lambda _: True)
        await all_ready([anna, ben])
        assert await becomes(server, lambda: WENT_WRONG in anna.panel.text, 60)
        assert await becomes(server, lambda: WENT_WRONG in ben.panel.text, 60)
        await asyncio.sleep(1800)
        assert tries.count(Phase.CLOSED) <= 6
        assert any("message not updated" in line.text for line in here.log.lines), "nobody ends it"
        lobby = await server.slash(server.user("carl"), anna.channel, "ligretto").wait()
        assert lobby.ok
