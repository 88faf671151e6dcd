"""`/ping`, while heartbeats cross."""

import asyncio
import re
from pathlib import Path

import discord.gateway
import pytest

from tests.simulate.heartbeat import Heartbeat
from tests.stories.discord_world import world

NOTED_AFTER = 0.2
"""Seconds until a heartbeat that was sent is noted: discord.py does so in a thread of its own."""


class NotedLate(Heartbeat):
    """A heartbeat whose answer comes before its sending was noted."""

    def start(self) -> None:
        sending = self.ws.send_heartbeat

        async def send(payload: object) -> None:
            await sending(payload)
            await asyncio.sleep(NOTED_AFTER)

        self.ws.send_heartbeat = send  # type: ignore[assignment]
        super().start()


async def test_ping_shows_no_time_between_heartbeats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a heartbeat is answered before discord.py has noted that it was sent, its figure for
    Discord's answer is the time between two heartbeats. /ping doesn't show it.
    """
    with monkeypatch.context() as patched:
        patched.setattr(discord.gateway, "KeepAliveHandler", NotedLate)
        async with world(tmp_path) as here:
            server = here.server
            await asyncio.sleep(2.5 * server.gateway.heartbeat_interval)
            answer = await server.slash(server.owner, server.all_channels[0], "ping").wait()
            assert answer.original is not None
            shown = [int(number) for number in re.findall(r"([0-9]+)\sms", answer.original.text)]
            assert max(shown) < 10_000, "the time between two heartbeats is shown as latency"
