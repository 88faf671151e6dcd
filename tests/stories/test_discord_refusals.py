"""Discord refuses to let the bot in, or greets it in a way that nobody can read."""

import asyncio
import logging
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.cli.online import ending
from bot.fakediscord.gateway.payloads import ready_payload
from tests.stories.discord_world import World, becomes, world

BAN = "<html>\n<title>Access denied | Cloudflare</title></html>"
PORTAL = "<html>Accept the terms of this network</html>"
UNREADABLE = "cannot be read"
TRY_LATER, MEND = 75, 2
LOGIN = "GET .*/users/@me$"
TOKEN_OF_ANOTHER = "x.y.z"  # noqa: S105 the stand-in takes any


async def refused(here: World) -> tuple[str, int]:
    """What a start says that Discord lets nowhere, and its exit code."""
    here.bot.start()
    error = await here.bot.ended()
    assert error is not None, "it has ended well"
    return ending(error)


async def seconds_of(here: World) -> float:
    """How long a refused start takes."""
    began = asyncio.get_running_loop().time()
    await refused(here)
    return asyncio.get_running_loop().time() - began


@pytest.mark.parametrize(
    ("route", "refusal", "said", "code"),
    [
        (LOGIN, {"status": 401, "body": BAN}, "DISCORD_TOKEN", MEND),
        ("GET .*/applications/@me$", {"status": 401}, "DISCORD_TOKEN", MEND),
        (LOGIN, {"status": 403, "body": BAN}, "HTTP 403", TRY_LATER),
        (LOGIN, {"status": 429, "body": BAN}, "HTTP 429", TRY_LATER),
        (LOGIN, {"retry_after": 7200.0}, "for 7201 s", TRY_LATER),
        (LOGIN, {"status": 400, "code": 50035}, "Invalid Form Body", TRY_LATER),
        (LOGIN, {"status": 503}, "is down", TRY_LATER),
        (LOGIN, {"drop": True}, "cannot be reached", TRY_LATER),
        (LOGIN, {"latency": 3600.0}, "cannot be reached", TRY_LATER),
        (LOGIN, {"retry_after": 20.0}, "for 21 s", TRY_LATER),
        (LOGIN, {"status": 200, "body": PORTAL}, UNREADABLE, TRY_LATER),
        (LOGIN, {"status": 204, "body": ""}, UNREADABLE, TRY_LATER),
        (LOGIN, {"status": 200, "body": {}}, UNREADABLE, TRY_LATER),
        (LOGIN, {"status": 200, "body": []}, UNREADABLE, TRY_LATER),
        ("GET .*/applications/@me$", {"status": 200, "body": {}}, UNREADABLE, TRY_LATER),
        ("GET .*/gateway/bot$", {"status": 403, "body": BAN}, "HTTP 403", TRY_LATER),
        ("GET .*/gateway/bot$", {"status": 503}, "is down", TRY_LATER),
        ("GET .*/gateway/bot$", {"retry_after": 7200.0}, "for 7201 s", TRY_LATER),
        ("GET .*/gateway/bot$", {"retry_after": 301.0}, "for 302 s", TRY_LATER),
        ("GET .*/gateway/bot$", {"status": 429, "body": BAN}, "HTTP 429", TRY_LATER),
        ("GET .*/gateway/bot$", {"status": 200, "body": {}}, "cannot be read", TRY_LATER),
    ],
)
async def test_refused_start_is_one_line(
    tmp_path: Path, route: str, refusal: dict[str, Any], said: str, code: int
) -> None:
    """The exit code is 2 only for what the owner has to mend."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(route, **refusal)
        began = asyncio.get_running_loop().time()
        line, ended = await refused(here)
        assert asyncio.get_running_loop().time() - began < 300
        assert said in line
        assert len(line.splitlines()) == 1
        assert ended == code
        assert not here.tracebacks


async def test_starts_after_a_refusal_wait_longer_each_time(tmp_path: Path) -> None:
    """A service manager that starts the bot again at once makes no ban worse."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        ban = here.server.fault(LOGIN, status=403, body=BAN)
        waited = [await seconds_of(here) for _ in range(11)]
        assert waited[0] < 5
        assert all(later > 1.5 * sooner for sooner, later in pairwise(waited[1:9]))
        assert 3500 < waited[-1] < 3700, "an hour at most"
        assert ban.hits == len(waited), "each start asks once"
        here.server.faults.clear()
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 3700)


@pytest.mark.parametrize("route", [LOGIN, "GET .*/gateway/bot$"])
async def test_next_start_waits_as_long_as_discord_asks(tmp_path: Path, route: str) -> None:
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(route, retry_after=7200.0, times=1)
        assert await seconds_of(here) < 60
        here.bot.start()
        assert not await becomes(here.server, lambda: here.server.gateway.ready, 7100)
        assert await becomes(here.server, lambda: here.server.gateway.ready, 200)


async def test_another_token_is_tried_at_once(tmp_path: Path) -> None:
    """Whoever has mended the token does not wait for the refusals of the one before."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(LOGIN, status=401, times=2)
        for _ in range(2):
            await refused(here)
        here.bot.settings["discord_token"] = TOKEN_OF_ANOTHER
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 5)


async def test_stop_ends_the_wait(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(LOGIN, status=403, body=BAN)
        await refused(here)
        here.bot.start()
        await asyncio.sleep(10)
        assert here.bot.is_running
        assert await here.bot.stop() is None
        warned = [line.text for line in here.log.lines if line.level >= logging.WARNING]
        assert any("waiting" in text for text in warned), "nobody is told why nothing happens"


async def test_bad_moment_long_ago_delays_nobody(tmp_path: Path) -> None:
    """What was refused yesterday says nothing about today."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(LOGIN, status=403, body=BAN)
        for _ in range(4):
            await refused(here)
        await asyncio.sleep(24 * 3600)
        assert await seconds_of(here) < 5
        assert await seconds_of(here) < 20, "it counts from the beginning"


@pytest.mark.parametrize(
    "refusal", [{"status": 200, "body": PORTAL}, {"retry_after": 20.0}], ids=["portal", "limit"]
)
async def test_login_that_nobody_can_read_delays_the_next(
    tmp_path: Path, refusal: dict[str, Any]
) -> None:
    """Who stands before Discord may count what is asked of it."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        _ = here.server.fault(LOGIN, **refusal)
        first, second = [await seconds_of(here) for _ in range(2)]
        assert second > first + 10


@pytest.mark.parametrize("status", [401, 403, 404, 429])
async def test_refused_websocket_is_one_line_and_a_retry(tmp_path: Path, status: int) -> None:
    """discord.py would try again every five seconds, for an hour, with a traceback each."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        here.server.gateway.refuse = status
        line, code = await refused(here)
        assert str(status) in line
        assert len(line.splitlines()) == 1
        assert code == TRY_LATER
        assert not here.tracebacks
        await refused(here)
        assert await seconds_of(here) > 25
        here.server.gateway.refuse = None
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 300)


@pytest.mark.parametrize("status", [200, 503])
async def test_websocket_that_cannot_be_had_is_a_line_a_try(tmp_path: Path, status: int) -> None:
    async with world(tmp_path) as here:
        await here.bot.stop()
        here.server.gateway.refuse = status
        here.bot.start()
        await asyncio.sleep(1200)
        told = [line.text for line in here.log.lines if "Failed to connect" in line.text]
        assert 10 < len(told) < 30
        assert str(status) in told[-1]
        assert not here.tracebacks
        here.server.gateway.refuse = None
        assert await becomes(here.server, lambda: here.server.gateway.ready, 70)


async def test_websocket_refused_in_the_middle_ends_nothing(tmp_path: Path) -> None:
    """A table's people can press again as soon as it is over."""
    async with world(tmp_path) as here:
        await asyncio.sleep(5)
        here.server.gateway.refuse = 429
        await here.server.gateway.faults.close(4000)
        await asyncio.sleep(60)
        assert here.bot.is_running
        assert not here.tracebacks
        here.server.gateway.refuse = None
        assert await becomes(here.server, lambda: here.server.gateway.ready, 130)


@pytest.mark.parametrize("lost", ["user", "guilds", "shard", "session_id", "resume_gateway_url"])
async def test_unreadable_greeting_is_one_line_and_a_retry(
    tmp_path: Path, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no session without it: the start ends in words, and the next one waits."""
    async with world(tmp_path) as here:
        await here.bot.stop()

        def spoiled(*args: Any) -> dict[str, Any]:
            return {key: value for key, value in ready_payload(*args).items() if key != lost}

        with monkeypatch.context() as patch:
            patch.setattr("bot.fakediscord.gateway.gateway.ready_payload", spoiled)
            line, code = await refused(here)
            assert lost in line
            assert code == TRY_LATER
            await refused(here)
            assert await seconds_of(here) > 25
        assert not here.tracebacks
        here.bot.start()
        assert await becomes(here.server, lambda: here.server.gateway.ready, 300)


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
async def test_close_for_good_is_one_line(tmp_path: Path, code: int) -> None:
    """Each start is an identify, of which there are a thousand a day."""
    async with world(tmp_path) as here:
        await here.server.gateway.faults.close(code)
        error = await here.bot.ended()
        assert error is not None
        line, ended = ending(error)
        assert ended == (MEND if code == 4004 else TRY_LATER)
        assert len(line.splitlines()) == 1
        if code == 4004:
            assert "DISCORD_TOKEN" in line
        else:
            assert line.startswith("Discord closed the connection permanently: ")
            assert str(code) in line
        here.bot.start()
        assert not await becomes(here.server, lambda: here.server.gateway.ready, 10)
        assert await becomes(here.server, lambda: here.server.gateway.ready, 20)


async def test_start_that_would_cost_the_token_waits_for_tomorrow(tmp_path: Path) -> None:
    """Discord resets the token of a bot that begins more sessions than a day has."""
    async with world(tmp_path) as here:
        await here.bot.stop()
        limit = {"total": 1000, "remaining": 3, "reset_after": 7_200_000, "max_concurrency": 1}
        gateway = {"url": here.server.ws_url, "shards": 1, "session_start_limit": limit}
        _ = here.server.fault("GET .*/gateway/bot$", status=200, body=gateway, times=1)
        known = len(here.server.gateway.identifies)
        line, code = await refused(here)
        assert code == TRY_LATER
        assert "too many starts today" in line
        assert len(here.server.gateway.identifies) == known
        here.bot.start()
        assert not await becomes(here.server, lambda: here.server.gateway.ready, 7100)
        assert await becomes(here.server, lambda: here.server.gateway.ready, 200)
