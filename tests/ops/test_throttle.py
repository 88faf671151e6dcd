"""Many failures of one cause, as an operator reads them: few lines, with a count."""

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands
from pydantic import SecretStr

from bot.ops.log.setup import handler
from bot.ops.log.throttle import FORGOTTEN, MOST, PAUSE, Throttle
from bot.settings.config import Config


class FullError(sqlite3.OperationalError):
    sqlite_errorcode = sqlite3.SQLITE_FULL


class Lines(logging.Handler):
    """The lines that come through, each with its traceback's number of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, int]] = []
        self.now = 0.0
        self.addFilter(Throttle(lambda: self.now))

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self.said.append((record.getMessage(), trace.count("\n")))


@pytest.fixture
def lines() -> Lines:
    return Lines()


def raised(error: Exception) -> Exception:
    with pytest.raises(type(error)):
        raise error
    return error


def tell(
    lines: Lines, error: Exception, text: str = "table %d: a press failed", at: int = 7
) -> None:
    """Log an error with its traceback, as a logger does."""
    info = (type(error), error, raised(error).__traceback__)
    lines.handle(logging.LogRecord("bot.x", logging.ERROR, "", 1, text, (at,), info))


def test_a_surprise_has_one_traceback_and_then_a_count(lines: Lines) -> None:
    for number in range(80):
        tell(lines, KeyError("x"), at=number)
        lines.now += 0.25
    said = [text for text, _ in lines.said]
    assert said == [
        "table 0: a press failed",
        "table 20: a press failed: KeyError: 'x' (19 more in the last 5 s)",
        "table 40: a press failed: KeyError: 'x' (19 more in the last 5 s)",
        "table 60: a press failed: KeyError: 'x' (19 more in the last 5 s)",
    ]
    assert [trace > 0 for _, trace in lines.said] == [True, False, False, False]


def test_another_surprise_is_told_in_full_beside_it(lines: Lines) -> None:
    tell(lines, KeyError("x"))
    tell(lines, ValueError("x"))
    tell(lines, KeyError("x"), "table %d: its tick failed")
    assert [trace > 0 for _, trace in lines.said] == [True, True, True]


def test_a_surprise_of_long_ago_has_a_traceback_again(lines: Lines) -> None:
    tell(lines, KeyError("x"))
    lines.now += FORGOTTEN
    tell(lines, KeyError("x"))
    assert [trace > 0 for _, trace in lines.said] == [True, True]


def test_a_full_disk_has_no_traceback_whoever_meets_it(lines: Lines) -> None:
    tell(lines, FullError("full"))
    tell(lines, FullError("full"), "table %d: its tick failed")
    lines.now += PAUSE
    record = logging.LogRecord("x", logging.WARNING, "", 1, "waits: %s", (FullError("full"),), None)
    lines.handle(record)
    assert lines.said == [
        ("table 7: a press failed: FullError: full", 0),
        ("waits: full (1 more in the last 5 s)", 0),
    ]


def test_a_command_that_meets_a_full_disk_has_no_traceback(lines: Lines) -> None:
    async def stats(_: object) -> None: ...

    command: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="stats", description="x", callback=stats
    )
    error = app_commands.CommandInvokeError(command, FullError("full"))
    error.__cause__ = FullError("full")
    tell(lines, error)
    assert lines.said == [("table 7: a press failed: FullError: full", 0)]


def test_what_is_no_failure_is_never_kept_out(lines: Lines) -> None:
    for _ in range(3):
        lines.handle(logging.LogRecord("x", logging.INFO, "", 1, "%s", (FullError("full"),), None))
        lines.handle(logging.LogRecord("x", logging.WARNING, "", 1, "no error", (), None))
    assert len(lines.said) == 6


def test_causes_are_not_remembered_for_ever(lines: Lines) -> None:
    for number in range(MOST + 1):
        tell(lines, KeyError("x"), f"table %d: {number}")
    tell(lines, KeyError("x"), "table %d: 0")
    assert lines.said[-1][1] > 0


def test_the_log_is_throttled_wherever_it_goes(tmp_path: Path) -> None:
    token = SecretStr("a.b.c")
    for config in (
        Config(discord_token=token),
        Config(discord_token=token, log_file=tmp_path / "x"),
    ):
        out = handler(config)
        assert any(isinstance(one, Throttle) for one in out.filters)
        out.close()
