"""Panels as direct messages, over real sockets."""

import asyncio
from pathlib import Path

from bot.fakediscord import Server
from bot.tables.state.journal import TableId
from bot.ui.panels.calls import DIRECT_GAP
from tests.loopback.bots import PATIENCE, bot_here, bot_process
from tests.loopback.correspondents import direct_lobby, started
from tests.loopback.players import all_ready, labels, played_out


async def test_a_match_on_direct_messages(tmp_path: Path) -> None:
    """Join brings a letter and a private word that it is there; the match is played on it."""
    async with Server() as server, bot_process(server, tmp_path / "direct.db") as bot:
        host, ben = await direct_lobby(server, "anna", "ben")
        channel = server.all_channels[0]
        await server.wait_for(lambda: ben.letters, PATIENCE)
        assert "presses Start" in ben.panel.text
        (told,) = server.panels(ben.user, channel)
        await server.wait_for(lambda: "direct messages: https://" in told.text, PATIENCE)

        await started([host, ben])
        await server.wait_for(lambda: "Press Ready" in ben.panel.text, PATIENCE)
        assert "presses Start" not in ben.panel.text, "no table beside it says that it has started"
        await all_ready([host, ben])
        await asyncio.gather(*(played_out(player, 0.25) for player in (host, ben)))
        assert len(ben.letters) == 1, "one letter, edited all the time"
        assert labels(ben.panel) == {"Next round"}
        assert server.limiter.total == server.late == 0
        assert "Traceback" not in bot.output


async def test_who_takes_no_direct_messages_gets_a_panel_in_the_channel(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "closed.db") as bot:
        channel = server.all_channels[0]
        server.user("ben").dm_closed = True
        host, ben = await direct_lobby(server, "anna", "ben")
        await server.wait_for(lambda: server.panels(ben.user, channel), PATIENCE)
        (panel,) = server.panels(ben.user, channel)
        await server.wait_for(lambda: "I can’t send you direct messages" in panel.text, PATIENCE)
        assert not ben.letters

        _ = await host.press_public("Start")
        await server.wait_for(lambda: "Ready" in labels(panel), PATIENCE)
        answer = await server.click(ben.user, panel, label="Ready").wait()
        assert answer.ok
        panels = server.panels

        def is_told() -> bool:
            return any("You’re ready" in one.text for one in panels(ben.user, channel))

        await server.wait_for(is_told, PATIENCE)
        assert "Traceback" not in bot.output


async def test_a_letter_lives_on_without_a_token_but_slowly(tmp_path: Path) -> None:
    """After 15 minutes the bot edits the letter itself, once in two seconds at most."""
    async with Server() as server, bot_process(server, tmp_path / "slow.db") as bot:
        host, ben = await direct_lobby(server, "anna", "ben")
        await started([host, ben])
        await all_ready([host, ben])
        server.age_tokens(16 * 60)
        before, loop = ben.panel.version, asyncio.get_running_loop()
        began = loop.time()
        while ben.panel.version < before + 3:
            _ = await host.act()
            await asyncio.sleep(0.5)
        edits = ben.panel.version - before
        assert 2 <= edits <= 1 + (loop.time() - began) / DIRECT_GAP
        assert "timed out" not in ben.panel.text
        assert server.limiter.total == 0
        assert "Traceback" not in bot.output


async def test_a_letter_is_found_again_after_a_crash(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "again.db") as bot:
        host, ben = await direct_lobby(server, "anna", "ben")
        await started([host, ben])
        await all_ready([host, ben])
        server.age_tokens(16 * 60)
        await asyncio.sleep(0.5)
        await bot.kill()
        await bot.start()
        await server.wait_for(lambda: "bot restarted" in ben.panel.text, PATIENCE)
        await all_ready([host, ben])
        assert len(ben.letters) == 1
        assert "Traceback" not in bot.output


async def test_a_rematch_takes_the_letter_over(tmp_path: Path) -> None:
    """The old table writes no more to the letter that shows the new one."""
    async with Server() as server, bot_here(server, tmp_path / "over.db") as (app, _):
        host, ben = await direct_lobby(server, "anna", "ben")
        await started([host, ben])
        await all_ready([host, ben])
        await ben.leave()
        await server.wait_for(lambda: "Rematch" in labels(host.panel), PATIENCE)
        answer = await host.press("Rematch")
        assert answer.ok
        await server.wait_for(lambda: "Press Start" in host.panel.text, PATIENCE)
        old = app.tables.index.get(TableId(1))
        assert old is not None
        await app.tables.close(old, "table.closed.over")
        await asyncio.sleep(DIRECT_GAP + 1)
        assert "Press Start" in host.panel.text
        assert len(host.letters) == 1
