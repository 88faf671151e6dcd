"""Setting up the log: one line per event, as text or JSON, to stderr or into a rotated file."""

import json
import logging
import logging.handlers
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from types import TracebackType
from typing import TextIO

import discord

from bot.ops.log.plain_words import PlainWords
from bot.ops.log.throttle import Throttle
from bot.ownership import bot_user, give, make_folder
from bot.settings.config import Config
from bot.store.database.backup import OWNER_ONLY

TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
UNDATED = "%(levelname)s %(name)s: %(message)s"
PRIORITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
    (logging.NOTSET, 7),
)
"""Priorities of sd-daemon(3), by the least level that has each."""
SIZE = 5 * 2**20
"""Bytes after which the log file becomes `<file>.1`."""
KEPT = 5
FOREIGN = ("discord", "aiosqlite", "asyncio")
"""Below INFO these write tokens into the log."""
OLDEST, NEWEST = 1, 3
"""Exceptions shown of a longer chain, from its two ends."""
LEFT_OUT = "\n[%d exceptions between these two are omitted]\n\n"
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class TextFormatter(logging.Formatter):
    """Write a record as text, and of a long chain of exceptions only its two ends.

    discord.py tries a first connection again from within the handler of the try before: after an
    hour 700 exceptions hang together, and each try would log all of them.
    """

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 logging's own name
        chain = _chain(ei[1])
        if len(chain) <= OLDEST + NEWEST:
            return super().formatException(ei)
        oldest = "".join(traceback.format_exception(chain[OLDEST - 1]))
        left_out = LEFT_OUT % (len(chain) - OLDEST - NEWEST)
        with _cut_off(chain[-NEWEST]):
            return f"{oldest}{left_out}{super().formatException(ei)}"


@contextmanager
def _cut_off(error: BaseException) -> Iterator[None]:
    """Hide what an exception came from: Python reads a whole chain even to print a part of it."""
    cause, context, suppressed = error.__cause__, error.__context__, error.__suppress_context__
    error.__cause__ = error.__context__ = None
    try:
        yield
    finally:
        error.__cause__, error.__context__ = cause, context
        error.__suppress_context__ = suppressed


def _chain(error: BaseException | None) -> list[BaseException]:
    """Return an exception and what it came from, oldest first, as Python would print them."""
    chain: dict[int, BaseException] = {}
    while error is not None and id(error) not in chain:
        chain[id(error)] = error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return [*chain.values()][::-1]


class JsonFormatter(TextFormatter):
    """One object per line: `at` (UTC), `level`, `from`, `said`, and `trace` of an error."""

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


class JournalFormatter(TextFormatter):
    """Text for the journal, which dates lines by itself and reads each line's priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = next(rank for level, rank in PRIORITIES if record.levelno >= level)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).split("\n"))


class OwnersFile(logging.handlers.RotatingFileHandler):
    """A log file that only its owner may read: people's ids are in it."""

    def _open(self) -> TextIOWrapper:
        return open(
            self.baseFilename,
            "a",
            encoding=self.encoding,
            errors=self.errors,
            opener=lambda name, flags: os.open(name, flags, OWNER_ONLY),
        )


def set_up(config: Config) -> None:
    """Set up logging. Raises OSError if the file can't be written to."""
    logging.basicConfig(level=config.log_level, handlers=[handler(config)])
    for name in FOREIGN:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLevelName(config.log_level)))
    # What is missing for voice is missing on purpose.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


def handler(config: Config) -> logging.Handler:
    """Return the handler: the log's destination and the format of a line."""
    out: logging.Handler = logging.StreamHandler()
    if config.log_file is not None:
        user = bot_user(config.database_path)
        make_folder(config.log_file.parent, user)
        out = OwnersFile(config.log_file, maxBytes=SIZE, backupCount=KEPT, encoding="utf-8")
        give(config.log_file, user)
    out.addFilter(Throttle())
    out.addFilter(PlainWords())
    if config.log_format == "json":
        out.setFormatter(JsonFormatter())
    elif config.log_file is None and goes_to_journal(sys.stderr):
        out.setFormatter(JournalFormatter(UNDATED))
    else:
        out.setFormatter(TextFormatter(TEXT))
    return out


def goes_to_journal(stream: TextIO | None) -> bool:
    """Return whether systemd's journal reads a stream, as it says in JOURNAL_STREAM."""
    try:
        there = os.fstat(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):  # closed, or none of the system's
        return False
    named = os.environ.get("JOURNAL_STREAM", "")
    return there is not None and named == f"{there.st_dev}:{there.st_ino}"
