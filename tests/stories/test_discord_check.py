"""`python -m bot check`: is everything there that a running bot needs?"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.cli.visits import check
from bot.ops.check.finding import Finding, Mark
from bot.settings.config import Config
from bot.ui.toolkit.invitation import PERMISSIONS
from tests.simulate.process import TOKEN
from tests.stories.discord_world import Server, application_payload, world

BOTH = ["bot", "applications.commands"]
NEEDED = PERMISSIONS.value


async def checked(server: Server, folder: Path) -> list[Finding]:
    """What a check finds that is not as it should be."""
    path = folder / "checked.sqlite3"
    config = Config(_env_file=None, discord_token=TOKEN, database_path=path)
    return [one for one in await check(config) if one.mark is not Mark.OK]


async def test_check_names_commands_left_in_a_server(tmp_path: Path) -> None:
    """Where `/ligretto` stands there twice, the owner reads why."""
    async with world(tmp_path) as here:
        guild = here.server.all_channels[0].guild
        assert guild is not None
        left = {"id": "7", "name": "oldgame", "type": 1, "description": "x", "options": []}
        guild.commands["7"] = left | {"application_id": str(here.server.app_id), "version": "1"}
        found = await checked(here.server, tmp_path)
        assert any("/oldgame" in one.said for one in found), "nothing is said about /oldgame"


def asks(scopes: list[str], permissions: int) -> dict[str, Any]:
    """The settings of the button Add App for a server."""
    return {"oauth2_install_params": {"scopes": scopes, "permissions": str(permissions)}}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"0": asks(["applications.commands"], 0)}, 'add the scope "bot"'),
        ({"0": asks([], 0), "1": {}}, 'add the scope "bot"'),
        ({"1": {}}, "turn on Guild Install"),
        ({"0": asks(BOTH, 0)}, "add View Channel, Send Messages, Send Messages in Threads"),
        ({"0": asks(BOTH, NEEDED & ~(1 << 15))}, "add Attach Files"),
        ({"0": asks(BOTH, NEEDED)}, None),
        ({"0": asks(BOTH, 1 << 3)}, None),
        ({"0": {}}, None),
        ({}, None),
    ],
)
async def test_check_looks_at_install_settings(
    tmp_path: Path, settings: dict[str, Any], said: str | None
) -> None:
    """What is wrong with the button Add App is named, and what to do about it."""
    async with world(tmp_path) as here:
        application = application_payload(here.server.world)
        changed = application | {"integration_types_config": settings}
        _ = here.server.fault("GET .*/applications/@me$", status=200, body=changed)
        found = [
            one for one in await checked(here.server, tmp_path) if one.subject == "application"
        ]
        assert len(found) == (0 if said is None else 1)
        assert said is None or said in found[0].said


@pytest.mark.parametrize("how", [{"latency": 3600.0}, {"retry_after": 7200.0}])
@pytest.mark.parametrize("route", ["GET .*/users/@me$", "GET .*/commands", "GET .*/emojis"])
async def test_check_ends_where_discord_does_not_answer(
    tmp_path: Path, route: str, how: dict[str, Any]
) -> None:
    """It says so within two minutes."""
    async with world(tmp_path) as here:
        _ = here.server.fault(route, **how)
        began = asyncio.get_running_loop().time()
        found = await checked(here.server, tmp_path)
        assert asyncio.get_running_loop().time() - began < 120
        assert any(one.subject == "Discord" and one.mark is Mark.FIX for one in found)
