"""Events of the gateway that discord.py cannot read."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import PATIENCE, Player, becomes, world

ANYBODY = {"id": "3", "username": "x", "discriminator": "0", "avatar": None}
PRESS = {
    "id": "1",
    "application_id": "2",
    "type": 3,
    "token": "t",
    "version": 1,
    "data": {"component_type": 2, "custom_id": "lg1:1:0:join"},
    "entitlements": [],
    "authorizing_integration_owners": {},
    "app_permissions": "0",
    "attachment_size_limit": 0,
}
UNREADABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "a press without a custom id": (
        "INTERACTION_CREATE",
        {**PRESS, "data": {"component_type": 2}, "user": ANYBODY},
    ),
    "a press by nobody in a server": (
        "INTERACTION_CREATE",
        {**PRESS, "guild_id": "4", "channel_id": "5", "user": ANYBODY},
    ),
    "a press by a member of no server": (
        "INTERACTION_CREATE",
        {**PRESS, "channel_id": "5", "member": {"user": ANYBODY, "roles": []}},
    ),
    "a purchase without an id": ("ENTITLEMENT_CREATE", {"sku_id": "1", "application_id": "2"}),
    "a server without an id": ("GUILD_CREATE", {"name": "x"}),
}


@pytest.mark.parametrize(("event", "data"), UNREADABLE.values(), ids=UNREADABLE)
async def test_unreadable_event_costs_one_event(
    tmp_path: Path, event: str, data: dict[str, Any]
) -> None:
    """The event is dropped, and its type is logged once. Every table goes on."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        for _ in range(3):
            server.gateway.dispatch(event, data)
            await asyncio.sleep(1)
        assert here.bot.is_running, "the bot has ended"
        answer = await anna.press_public("Join")
        assert answer.ok
        told = [line.text for line in here.log.lines if event in line.text]
        assert len(told) == 1, "the event's type is logged once"
        assert not here.tracebacks


async def test_unreadable_server_at_the_start_costs_that_server(tmp_path: Path) -> None:
    """The bot starts, and the other servers' tables go on."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        await here.bot.stop()
        server.add_guild("strange", channels=0).members[server.bot.id].clear()
        here.bot.start()
        await server.wait_for(lambda: server.gateway.ready, PATIENCE)
        await asyncio.sleep(5)
        assert here.bot.is_running, "the bot has ended at its start"
        answer = await anna.press_public("Join")
        assert answer.ok
        assert await becomes(server, lambda: "Anna" in anna.public.text, 10)
