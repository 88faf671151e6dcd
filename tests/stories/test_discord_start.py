"""Discord refuses something while the bot starts."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.ops.login import AwayError
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
async def test_refused_commands_leave_tables_playable(
    tmp_path: Path, refusal: dict[str, Any]
) -> None:
    """Open tables go on, and the log says what is wrong in one line."""
    async with stopped(tmp_path) as (here, anna):
        _ = here.server.fault(COMMANDS, **refusal)
        here.bot.start()
        connected = await becomes(here.server, lambda: here.server.gateway.ready, PATIENCE)
        assert connected, "the bot never comes up"
        answer = await anna.press_public("Join")
        assert answer.ok
        await asyncio.sleep(60)
        said = [line.text for line in here.log.lines if line.level >= logging.WARNING]
        assert any("commands" in text for text in said), "the log does not say what is wrong"
        assert not here.tracebacks


async def test_refused_commands_are_told_later(tmp_path: Path) -> None:
    """They are tried again, with pauses, until Discord takes them."""
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
async def test_refused_login_is_told_as_passing(tmp_path: Path, status: int, route: str) -> None:
    """A page of HTML with 403 or 429, which a temporary ban looks like, ends the process with a
    line and the code of what passes.
    """
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(route, status=status, body=BAN)
        here.bot.start()
        ended = await here.bot.ended()
        assert isinstance(ended, AwayError), "the process ended without words"


async def test_refused_commands_are_tried_with_growing_pauses(tmp_path: Path) -> None:
    """A refusal that stays costs a line of the log now and then, not a request a minute."""
    async with stopped(tmp_path) as (here, _):
        refused = here.server.fault(COMMANDS, status=400, code=50240)
        here.bot.start()
        await asyncio.sleep(3600)
        first = refused.hits
        assert 5 <= first <= 7
        await asyncio.sleep(5 * 3600)
        assert 4 <= refused.hits - first <= 6
        lines = [one for one in here.log.lines if "commands not updated" in one.text]
        assert len(lines) == refused.hits
        assert all("50240" in one.text and len(one.text.splitlines()) == 1 for one in lines)
        assert not here.tracebacks


@pytest.mark.parametrize(
    "body",
    [BAN, [{}], {}, [], ["x"], ""],
    ids=["HTML", "no fields", "an object", "none", "words", ""],
)
async def test_commands_whose_answer_cannot_be_read_are_tried_again(
    tmp_path: Path, body: Any
) -> None:
    """Whatever doesn't name all commands, they don't count as registered. A line tells of each."""
    async with stopped(tmp_path) as (here, _):
        unread = here.server.fault(COMMANDS, status=200, body=body)
        here.bot.start()
        await asyncio.sleep(3600)
        assert 5 <= unread.hits <= 7
        lines = [one for one in here.log.lines if "commands not updated" in one.text]
        assert len(lines) == unread.hits
        assert all(len(one.text.splitlines()) == 1 for one in lines)
        assert not here.tracebacks
        here.server.faults.clear()
        known = len(here.server.commands)
        assert await becomes(here.server, lambda: len(here.server.commands) > known, 3600)


async def test_commands_wait_as_long_as_discord_asks(tmp_path: Path) -> None:
    """A limit of hours is asked about no sooner than it ends."""
    async with stopped(tmp_path) as (here, _):
        limit = here.server.fault(COMMANDS, retry_after=HOURS)
        here.bot.start()
        await asyncio.sleep(HOURS - 60)
        assert limit.hits == 1
        here.server.faults.clear()
        known = len(here.server.commands)
        assert await becomes(here.server, lambda: len(here.server.commands) > known, 120)


@pytest.mark.parametrize("how", [{"latency": 240.0}, {"status": 503}, {"drop": True}])
async def test_slow_commands_hold_up_nobody(tmp_path: Path, how: dict[str, Any]) -> None:
    async with stopped(tmp_path) as (here, anna):
        _ = here.server.fault(COMMANDS, **how)
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 10)
        answer = await anna.press_public("Add robot")
        assert answer.ok
        assert await here.bot.stop() is None
        assert not here.tracebacks


@pytest.mark.parametrize("refuses", [False, True], ids=["takes it", "refuses it"])
async def test_messages_wait_for_the_gateway_but_not_for_long(
    tmp_path: Path, *, refuses: bool
) -> None:
    """Presses come first: redrawing a thousand messages would delay the connection."""
    async with stopped(tmp_path) as (here, _):
        known, gateway = len(here.server.calls), here.server.gateway
        gateway.refuse = 503 if refuses else gateway.refuse
        greeted = len(gateway.identifies)
        here.bot.start()
        await asyncio.sleep(30)
        edits = [
            at
            for at, method, path, *_ in list(here.server.calls)[known:]
            if method == "PATCH" and "/messages/" in path
        ]
        assert edits, "the table's message is restored"
        connected = [at for at, _ in gateway.identifies[greeted:]]
        assert bool(connected) is not refuses
        assert all(at < edits[0] for at in connected)
