"""A newer release, as the owner and others read of it in Discord."""

import asyncio
import logging
from pathlib import Path

import pytest

from bot.ops.releases import upgrade
from bot.ops.releases.ask import SOON
from tests.stories.feeds import feed, told
from tests.stories.world import World, running


async def ping(world: World, name: str) -> str:
    """Return the answer to a person's /ping. The stand-in's owner is called `owner`."""
    user = world.server.owner if name == "owner" else world.server.user(name)
    answer = await world.server.slash(user, world.channel, "ping").wait()
    assert answer.original is not None
    assert answer.original.ephemeral
    return answer.original.text


async def test_owner_alone_reads_of_a_newer_release(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.ops.releases")
    async with feed() as releases:
        releases.answer = told({"tag_name": "v99.0"})
        async with running(tmp_path, releases_url=releases.url) as world:
            assert "Version 99.0" not in await ping(world, "owner")
            await asyncio.sleep(SOON)
            said = await ping(world, "owner")
            assert "Version 99.0 is available." in said
            assert f"`{upgrade.command()}`" in said
            assert "99.0" not in await ping(world, "anna")
            (line,) = [one.text for one in world.log.lines if "release" in one.text]
            assert line.startswith("release 99.0 is out")
