"""A process whose group was started elsewhere hears nothing more, and says nothing."""

import asyncio
from pathlib import Path

from bot.fakediscord import Server
from bot.ui.presses.fence import fence
from tests.loopback.bots import bot_here
from tests.loopback.players import seated


async def test_no_press_is_heard_and_no_table_is_told_of_the_stop(tmp_path: Path) -> None:
    async with Server() as server:
        async with bot_here(server, tmp_path / "lost.db") as here:
            anna, _ = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
            (table,) = here.app.tables.index
            session, shown = table.session, anna.public.data
            here.app.give_way()
            _ = server.click(anna.user, anna.panel, label="Ready")
            await asyncio.sleep(4.0)
            assert server.late == 1
            assert table.session is session
        assert anna.public.data == shown


async def test_no_press_is_heard_while_another_may_have_the_group(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "paused.db") as here:
        anna, _ = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        (table,) = here.app.tables.index
        is_sure = False
        fence(here.client, lambda: is_sure)
        session = table.session
        _ = server.click(anna.user, anna.panel, label="Ready")
        await asyncio.sleep(4.0)
        assert (server.late, table.session is session) == (1, True)
        is_sure = True
        assert (await server.click(anna.user, anna.panel, label="Ready").wait()).ok
        assert table.session is not session
