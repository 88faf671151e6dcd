"""The gateway breaks in every way it can: the match goes on, and every press counts once."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.fakediscord import Server
from bot.fakediscord.gateway.faults import GatewayFaults
from bot.fakediscord.gateway.gateway import Gateway
from bot.ui.connection.gateway.watchdog import AWAY_FOR
from tests.loopback.bots import PATIENCE, bot_not_started, bot_process
from tests.loopback.players import Player, all_ready, seated, tables

RECONNECTS = (1000, 1001, 4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009)
"""Close codes after which discord.py connects again."""


def hand(player: Player) -> str:
    found = re.search(r"(\d+) in hand", player.panel.text)
    assert found is not None
    return found[0]


async def goes_on(players: list[Player]) -> None:
    """Everybody's next press is answered."""
    for player in players:
        answer = await player.press("Flip")
        assert answer.ok


def connections(gateway: Gateway) -> int:
    return len(gateway.identifies) + gateway.resumes


def is_back(gateway: Gateway, before: int) -> bool:
    return gateway.ready and connections(gateway) > before


async def broken_and_mended(
    tmp_path: Path, *breaks: Callable[[GatewayFaults], Awaitable[None] | None]
) -> None:
    """One after the other, in one match."""
    async with Server() as server, bot_process(server, tmp_path / "gateway.db") as bot:
        gateway = server.gateway
        gateway.enforce_identify = False
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        for break_ in breaks:
            before = connections(gateway)
            if (breaking := break_(gateway.faults)) is not None:
                await breaking
            await server.wait_for(partial(is_back, gateway, before), PATIENCE)
            await goes_on(players)
        assert len(tables(server, players[0].channel)) == 1
        assert server.late == 0
        assert "table 1" not in bot.output, "nothing failed at the table"


async def test_a_match_goes_on_after_every_close_that_can_be_mended(tmp_path: Path) -> None:
    await broken_and_mended(
        tmp_path, *(partial(GatewayFaults.close, code=code) for code in RECONNECTS)
    )


async def test_a_match_goes_on_after_a_new_session(tmp_path: Path) -> None:
    await broken_and_mended(tmp_path, lambda faults: faults.invalidate())


async def test_a_match_goes_on_after_discord_asks_to_reconnect(tmp_path: Path) -> None:
    await broken_and_mended(tmp_path, lambda faults: faults.reconnect())


async def test_a_zombie_is_left_for_a_new_connection(tmp_path: Path) -> None:
    """The socket is open, but nothing comes any more: discord.py waits a minute for it."""
    async with Server() as server, bot_process(server, tmp_path / "zombie.db"):
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        server.gateway.faults.zombie()
        await server.wait_for(lambda: server.gateway.resumes, 90)
        await goes_on(players)


async def test_presses_of_a_gap_come_late_and_change_nothing(tmp_path: Path) -> None:
    """They are replayed after the resume, too old to be answered: nobody moves by surprise."""
    async with Server() as server, bot_process(server, tmp_path / "gap.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        before, flip = hand(anna), anna.panel.find(label="Flip").custom_id
        server.gateway.faults.pause()
        lost = server.click(anna.user, anna.panel, flip)
        await asyncio.sleep(3.5)
        server.gateway.faults.drop()
        await server.wait_for(lambda: server.gateway.resumes and server.gateway.ready, PATIENCE)
        answer = await ben.press("Flip")
        assert answer.ok
        assert not lost.ok
        assert hand(anna) == before
        await goes_on([anna])
        assert hand(anna) != before
        await bot.says("1 presses dropped")


async def ended(server: Server, database: Path) -> tuple[int, str]:
    """How a bot ends that is started and left alone: its exit code, and what it wrote."""
    with bot_not_started(server, database) as bot:
        await bot.begin()
        return await bot.ended(), bot.output


async def test_an_hour_without_a_gateway_ends_the_process_so_that_it_is_started_again(
    tmp_path: Path,
) -> None:
    loop = asyncio.get_running_loop()
    async with Server() as server:
        server.gateway.refuse = 503
        began = loop.time()
        code, output = await ended(server, tmp_path / "away.db")
    assert code == 75
    assert AWAY_FOR <= loop.time() - began < 2 * AWAY_FOR
    assert output.splitlines()[-1] == "Discord's gateway cannot be reached"
    tries = output.count("Failed to connect")
    assert AWAY_FOR / 100 < tries < AWAY_FOR / 50
    assert "Traceback" not in output


async def test_a_start_without_discord_ends_with_one_line(tmp_path: Path) -> None:
    async with Server() as server:
        server.fault("GET .*/users/@me", drop=True)
        code, output = await ended(server, tmp_path / "down.db")
    assert code == 75
    assert output.splitlines()[-1].startswith("Discord cannot be reached: ")
    assert "Traceback" not in output


@pytest.mark.parametrize(("code", "exit_code"), [(4004, 2), (4013, 75)])
async def test_a_close_for_good_ends_the_process_with_one_line(
    tmp_path: Path, code: int, exit_code: int
) -> None:
    async with Server() as server, asyncio.TaskGroup() as group:
        ending = group.create_task(ended(server, tmp_path / "closed.db"))
        await server.wait_ready(PATIENCE, commands=True)
        _ = await Player(server, server.user("anna"), server.all_channels[0]).open()
        await server.gateway.faults.close(code)
        ended_with, output = await ending
    assert ended_with == exit_code
    assert ("DISCORD_TOKEN" if exit_code == 2 else "closed") in output.splitlines()[-1]
    assert "Traceback" not in output
