"""The log as an operator reads it: quiet in play, JSON when asked, a file that stays small."""

import asyncio
import json
import logging
from pathlib import Path

from pydantic import SecretStr

from bot.config import Config
from bot.fakediscord import Server
from bot.ops.logs import KEPT, SIZE, Json, handler
from tests.loopback.bots import bot_process
from tests.loopback.players import all_ready, played_out, seated
from tests.ops.test_process import typed


async def test_a_match_is_played_without_a_word(tmp_path: Path) -> None:
    """What stands in the log is of the start: the gateway, the commands, backup and pictures."""
    async with Server() as server, bot_process(server, tmp_path / "night.db", faces=True) as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        await all_ready(players)
        _ = await asyncio.gather(*(played_out(player, 0.02) for player in players))
        lines = bot.output.splitlines()
    assert all(" INFO " in line for line in lines), lines
    assert len(lines) <= 8, lines


async def test_json_is_one_object_a_line(tmp_path: Path) -> None:
    async with (
        Server() as server,
        bot_process(server, tmp_path / "night.db", LOG_FORMAT="json") as bot,
    ):
        lines = [json.loads(line) for line in bot.output.splitlines()]
    assert lines
    assert all(list(line) == ["at", "level", "from", "said"] for line in lines)
    assert any("commands told to Discord" in line["said"] for line in lines)


def test_an_error_and_its_trace_are_one_line() -> None:
    error = ValueError("two\nlines")
    info = (ValueError, error, None)
    record = logging.LogRecord("bot.x", logging.ERROR, "", 1, "table %d\nfailed", (7,), info)
    record.created = 1_800_000_000.25
    (line,) = Json().format(record).splitlines()
    told = json.loads(line)
    assert told["at"] == "2027-01-15T08:00:00.250+00:00"
    assert told["said"] == "table 7\nfailed"
    assert "ValueError: two" in told["trace"]


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
