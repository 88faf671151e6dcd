"""`python -m bot check`: is everything there that a running bot needs?"""

from pathlib import Path

import pytest

from bot.config import Config
from bot.ops.finding import Finding, Mark
from bot.process import check
from tests.simulate.process import TOKEN
from tests.stories.discord_world import Server, application_payload, world

SLASH_ONLY = {
    "0": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}
}
"""Install settings with which a server gets the commands and no bot user."""


async def checked(server: Server, folder: Path) -> list[Finding]:
    """What a check finds that is not as it should be."""
    path = folder / "checked.sqlite3"
    config = Config(_env_file=None, discord_token=TOKEN, database_path=path)
    return [one for one in await check(config) if one.mark is not Mark.OK]


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="check does not see commands that an earlier bot has left in a server",
)
async def test_check_names_commands_left_in_a_server(tmp_path: Path) -> None:
    """Today: `/ligretto` stands there twice, and the check says that Discord knows all commands.
    It should name what an earlier bot of the same application has left.
    """
    async with world(tmp_path) as here:
        guild = here.server.all_channels[0].guild
        assert guild is not None
        left = {"id": "7", "name": "oldgame", "type": 1, "description": "x", "options": []}
        guild.commands["7"] = left | {"application_id": str(here.server.app_id), "version": "1"}
        found = await checked(here.server, tmp_path)
        assert any("/oldgame" in one.said for one in found), "nothing is said about /oldgame"


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="check does not see install settings that add the commands without the bot",
)
async def test_check_looks_at_install_settings(tmp_path: Path) -> None:
    """Today: with install settings that hold `applications.commands` alone, the check finds
    nothing. It should say that the scope `bot` is missing.
    """
    async with world(tmp_path) as here:
        application = application_payload(here.server.world) | {
            "integration_types_config": SLASH_ONLY
        }
        _ = here.server.fault("GET .*/applications/@me$", status=200, body=application)
        found = await checked(here.server, tmp_path)
        assert any("scope" in one.said for one in found), "nothing is said about the scopes"
