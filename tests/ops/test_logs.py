"""The log as an operator reads it: quiet in play, JSON when asked, a file that stays small."""

import asyncio
import json
import logging
import os
import re
import socket
import ssl
import sys
from pathlib import Path

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from pydantic import SecretStr

from bot.fakediscord import Server
from bot.ops.log.setup import KEPT, NEWEST, OLDEST, SIZE, JsonFormatter, TextFormatter, handler
from bot.settings.config import Config
from tests.loopback.bots import bot_process
from tests.loopback.players import all_ready, played_out, seated
from tests.ops.test_process import typed


async def test_match_is_one_line(tmp_path: Path) -> None:
    """The rest of the log is of the start: the gateway, the commands, backup and pictures."""
    async with Server() as server, bot_process(server, tmp_path / "night.db", faces=True) as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        await all_ready(players)
        _ = await asyncio.gather(*(played_out(player, 0.02) for player in players))
        lines = bot.output.splitlines()
    assert all(" INFO " in line for line in lines), lines
    assert len([line for line in lines if ": ligretto over after 1 round" in line]) == 1, lines
    assert len([line for line in lines if ": ready: " in line]) == 1, lines
    assert len(lines) <= 10, lines


async def test_json_is_one_object_a_line(tmp_path: Path) -> None:
    async with (
        Server() as server,
        bot_process(server, tmp_path / "night.db", LOG_FORMAT="json") as bot,
    ):
        await bot.says("commands registered with Discord")
        lines = [json.loads(line) for line in bot.output.splitlines()]
    assert lines
    assert all(list(line) == ["at", "level", "from", "said"] for line in lines)
    assert any("commands registered with Discord" in line["said"] for line in lines)


def test_an_error_and_its_trace_are_one_line() -> None:
    error = ValueError("two\nlines")
    info = (ValueError, error, None)
    record = logging.LogRecord("bot.x", logging.ERROR, "", 1, "table %d\nfailed", (7,), info)
    record.created = 1_800_000_000.25
    (line,) = JsonFormatter().format(record).splitlines()
    told = json.loads(line)
    assert told["at"] == "2027-01-15T08:00:00.250+00:00"
    assert told["said"] == "table 7\nfailed"
    assert "ValueError: two" in told["trace"]


def test_journal_dates_lines_itself_and_reads_their_priority(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, writer = os.pipe()
    there = os.fstat(writer)
    config = Config(_env_file=None, discord_token=SecretStr("a.b.c"))
    with os.fdopen(reader), os.fdopen(writer, "w") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        dated = handler(config).format(record("two\nlines"))
        monkeypatch.setenv("JOURNAL_STREAM", f"{there.st_dev}:{there.st_ino}")
        assert handler(config).format(record("two\nlines")) == "<3>ERROR bot.x: two\n<3>lines"
        monkeypatch.setenv("JOURNAL_STREAM", f"{there.st_dev}:{there.st_ino + 1}")
        assert handler(config).format(record("two\nlines")) == dated
    assert re.match("[0-9]{4}-", dated), dated


def record(said: str, *args: object) -> logging.LogRecord:
    made = logging.LogRecord("bot.x", logging.ERROR, "", 1, said, args, None)
    made.created, made.msecs = 1_800_000_000.25, 250
    return made


KEY = ConnectionKey("discord.com", 443, True, True, None, None, None)  # noqa: FBT003
NOT_YET = "certificate rejected (certificate is not yet valid); is this machine's clock right?"


def not_yet_valid() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "certificate is not yet valid"
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (aiohttp.ClientConnectorCertificateError(KEY, not_yet_valid()), f"discord.com: {NOT_YET}"),
        (not_yet_valid(), NOT_YET),
        (
            aiohttp.ClientConnectorDNSError(KEY, OSError(-2, "Name or service not known")),
            "discord.com: address not found; is this machine online?",
        ),
        (
            aiohttp.ClientConnectorError(KEY, OSError(111, "Connection refused")),
            "discord.com: no connection (Connection refused)",
        ),
        (TimeoutError(), "no answer in time"),
        (aiohttp.ServerDisconnectedError(), "connection broken off"),
        (aiohttp.ClientOSError(104, "Reset"), "connection broken off (Reset)"),
        (socket.gaierror(-2, "Unknown"), "address not found; is this machine online?"),
        (ConnectionRefusedError(111, "Connect call failed"), "no connection (refused)"),
        (ConnectionAbortedError("the client is closed"), "connection closed"),
        (KeyError("x"), "KeyError('x')"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_network_failures_are_words(error: Exception, words: str) -> None:
    """However a line names them, and the throttle still sees the error."""
    out = handler(Config(_env_file=None, discord_token=SecretStr("a.b.c")))
    line = record("edit failed: %r", error)
    assert out.filter(line)
    assert line.getMessage() == f"edit failed: {words}"
    assert not out.filter(record("edit failed: %r", error)), "the same cause, a moment later"


def chained(links: int) -> Exception:
    """One exception, raised while another was handled, and so on."""
    error = ValueError("try 1")
    for number in range(2, links + 1):
        before, error = error, ValueError(f"try {number}")
        error.__context__ = before
    return error


@pytest.mark.parametrize("kind", [TextFormatter, JsonFormatter])
def test_a_long_chain_of_exceptions_is_told_by_its_ends(kind: type[TextFormatter]) -> None:
    info = (ValueError, chained(700), None)
    told = kind().format(logging.LogRecord("x", logging.ERROR, "", 1, "", (), info))
    kept = [int(number) for number in re.findall(r"ValueError: try (\d+)", told)]
    assert kept == [1, 698, 699, 700]
    assert "[696 exceptions between these two are omitted]" in told
    assert len(told) < 1000


def test_what_is_told_of_a_long_chain_reads_as_python_tells_it() -> None:
    info = (ValueError, chained(700), None)
    whole = logging.Formatter().formatException(info)
    began, _, ended = TextFormatter().formatException(info).partition("\n[")
    assert whole.startswith(began)
    assert whole.endswith(ended.partition("]\n\n")[2])
    assert logging.Formatter().formatException(info) == whole, "the chain itself is untouched"


@pytest.mark.parametrize("links", [1, 2, OLDEST + NEWEST])
def test_a_short_chain_of_exceptions_is_told_as_python_tells_it(links: int) -> None:
    error = chained(links)
    error.__cause__ = error.__context__
    info = (ValueError, error, None)
    assert TextFormatter().formatException(info) == logging.Formatter().formatException(info)


def test_a_log_file_stays_small(tmp_path: Path) -> None:
    file = tmp_path / "logs" / "night.log"
    out = handler(Config(discord_token=SecretStr("a.b.c"), log_file=file))
    line = logging.makeLogRecord({"msg": "x" * 1_000_000})
    for _ in range((KEPT + 2) * SIZE // 1_000_000):
        out.emit(line)
    out.close()
    names = sorted(one.name for one in file.parent.iterdir())
    assert names == ["night.log", *(f"night.log.{number}" for number in range(1, KEPT + 1))]
    assert all(one.stat().st_size <= SIZE for one in file.parent.iterdir())


async def test_a_log_file_that_cannot_be_written_to(tmp_path: Path) -> None:
    ended = await typed(tmp_path / "x.db", "check", LOG_FILE=str(tmp_path))
    assert ended.code == 2
    assert ended.problem.startswith("LOG_FILE: ")
