"""Discord refuses something while the bot starts."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.process import AwayError
from tests.stories.discord_world import PATIENCE, Player, World, becomes, world

COMMANDS = "PUT .*/commands$"
BAN = "<html><title>Access denied | Cloudflare</title></html>"
HOURS = 7200.0


@asynccontextmanager
async def stopped(folder: Path) -> AsyncIterator[tuple[World, Player]]:
    """A bot that has stopped while Anna's lobby is open; Discord has lost one of its commands."""
    async with world(folder) as here:
        anna = Player(here.server, here.server.user("anna"), here.server.all_channels[0])
        _ = await anna.open()
        assert await here.bot.stop() is None
        here.server.commands.popitem()
        yield here, anna


@pytest.mark.parametrize(
    "refusal",
    [{"status": 400, "code": 50035}, {"status": 403, "code": 50001}, {"retry_after": HOURS}],
    ids=["400", "403", "429"],
)
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="commands that Discord refuses at the start keep the bot down",
)
async def test_refused_commands_leave_tables_playable(
    tmp_path: Path, refusal: dict[str, Any]
) -> None:
    """Today: the start waits for its commands; refused, it ends with a traceback, and told to wait
    two hours, it waits. Open tables should go on, and the log should say what is wrong.
    """
    async with stopped(tmp_path) as (here, anna):
        _ = here.server.fault(COMMANDS, **refusal)
        here.bot.start()
        connected = await becomes(here.server, lambda: here.server.gateway.ready, PATIENCE)
        assert connected, "the bot never comes up"
        answer = await anna.press_board("Join")
        assert answer.ok
        await asyncio.sleep(60)
        said = [line.text for line in here.log.lines if line.level >= logging.WARNING]
        assert any("commands" in text for text in said), "the log does not say what is wrong"
        assert not here.tracebacks


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="commands that Discord refused once are not told to it again while the bot runs",
)
async def test_refused_commands_are_told_later(tmp_path: Path) -> None:
    """Today: the process has ended by then. It should try again, with pauses, until it succeeds."""
    async with stopped(tmp_path) as (here, _):
        refused = here.server.fault(COMMANDS, status=400, code=50035)
        here.bot.start()
        await asyncio.sleep(60)
        here.server.faults.clear()
        known = len(here.server.commands)
        told = await becomes(here.server, lambda: len(here.server.commands) > known, 3600)
        assert told, f"after {refused.hits} refusals nobody tries again"


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("route", ["GET .*/users/@me$", "GET .*/applications/@me$"])
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a login that Discord refuses for a time ends in a traceback",
)
async def test_refused_login_is_told_as_passing(tmp_path: Path, status: int, route: str) -> None:
    """Today: a page of HTML with 403 or 429, which a temporary ban looks like, ends the process
    with a traceback and code 1. It should end with a line and the code of what passes.
    """
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(route, status=status, body=BAN)
        here.bot.start()
        ended = await here.bot.ended()
        assert isinstance(ended, AwayError), "the process ended without words"
