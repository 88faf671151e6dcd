"""More tables than Discord takes edits in a second: all are drawn, and none is refused."""

import asyncio
from functools import partial
from pathlib import Path

from bot.fakediscord import Channel, Server
from tests.loopback.bots import PATIENCE, bot_process
from tests.loopback.players import Player

TABLES = 80


async def test_eighty_tables_that_change_at_once_meet_no_limit(tmp_path: Path) -> None:
    async with (
        Server(guilds=2, channels=TABLES // 2) as server,
        bot_process(server, tmp_path / "many.db"),
    ):
        channels = server.all_channels
        hosts = [
            Player(server, server.user(f"host{i}"), channel) for i, channel in enumerate(channels)
        ]
        await asyncio.gather(*(host.open() for host in hosts))
        guests = [server.user(f"guest{i}") for i in range(TABLES)]
        joining = [
            server.click(guest, host.public, label="Join")
            for guest, host in zip(guests, hosts, strict=True)
        ]
        answers = await asyncio.gather(*(one.wait() for one in joining))
        assert all(answer.ok for answer in answers)
        for number, channel in enumerate(channels):
            shown = partial(_shows, server, channel, f"Guest{number}")
            _ = await server.wait_for(shown, PATIENCE)
        assert not [
            what for what, status in server.statuses if status == 429 and "messages" in what
        ]


def _shows(server: Server, channel: Channel, name: str) -> bool:
    return name in server.public(channel)[-1].text
