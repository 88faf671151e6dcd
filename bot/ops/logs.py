"""The log: a line an event, as text or JSON, to stderr or into a file that is turned over."""

import json
import logging
import logging.handlers
from collections.abc import Iterator
from datetime import UTC, datetime

import discord

from bot.config import Config

TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
SIZE = 5 * 2**20
"""Bytes after which the log file becomes `<file>.1`."""
KEPT = 5
FOREIGN = ("discord", "aiosqlite", "asyncio")
"""Below INFO these write tokens into the log."""


class Json(logging.Formatter):
    """One object a line: `at` (UTC), `level`, `from`, `said`, and `trace` of an error."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(dict(self._fields(record)), ensure_ascii=False)

    def _fields(self, record: logging.LogRecord) -> Iterator[tuple[str, str]]:
        at = datetime.fromtimestamp(record.created, UTC)
        yield "at", at.isoformat(timespec="milliseconds")
        yield "level", record.levelname
        yield "from", record.name
        yield "said", record.getMessage()
        if record.exc_info:
            yield "trace", self.formatException(record.exc_info)


def set_up(config: Config) -> None:
    """Raises OSError when the file cannot be written to."""
    logging.basicConfig(level=config.log_level, handlers=[handler(config)])
    for name in FOREIGN:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLevelName(config.log_level)))
    # What is missing for voice is missing on purpose.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


def handler(config: Config) -> logging.Handler:
    """Where the log goes, and how a line looks there."""
    out: logging.Handler = logging.StreamHandler()
    if config.log_file is not None:
        config.log_file.parent.mkdir(parents=True, exist_ok=True)
        out = logging.handlers.RotatingFileHandler(
            config.log_file, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8"
        )
    out.setFormatter(Json() if config.log_format == "json" else logging.Formatter(TEXT))
    return out
