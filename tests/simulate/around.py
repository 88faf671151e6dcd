"""What stands around every evening: the disk, the logs, and what is told of it afterwards."""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bot.fakediscord import Server
from tests.simulate import sqlite
from tests.simulate.disk import Disk
from tests.simulate.process import Log
from tests.simulate.witness import Event, Witness

_SECRET = re.compile(r"(/[0-9]+)/aW50[^/]*")
"""Interaction tokens: their ids say as much."""
_SHORT = r"\1…"
REMEMBERED = 1_000_000


def see_everything(server: Server) -> None:
    server.settings.keep_interactions = REMEMBERED
    server.settings.keep_payloads = True
    server.settings.keep_calls = REMEMBERED
    server.gateway.enforce_identify = False


@contextmanager
def mounted(disk: Disk) -> Iterator[None]:
    before, sqlite.mounted.disk = sqlite.mounted.disk, disk
    try:
        yield
    finally:
        sqlite.mounted.disk = before


@contextmanager
def heard(log: logging.Handler) -> Iterator[None]:
    """Everything that the process logs is heard, and nothing of it is printed."""
    root = logging.getLogger()
    before, handlers = root.level, root.handlers[:]
    root.handlers[:] = [log]
    root.setLevel(logging.INFO)
    logging.getLogger("bot").setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(before)
        logging.getLogger("bot").setLevel(logging.NOTSET)


def events(server: Server, witnesses: Iterable[Witness], logs: Iterable[Log]) -> tuple[Event, ...]:
    """Calls, presses, answers, troubles and warnings, in the order of their times."""
    calls = [
        Event(at, f"{method} {_SECRET.sub(_SHORT, path)} -> {status}")
        for at, method, path, status, _ in server.calls
    ]
    seen = [event for witness in witnesses for event in witness.events]
    lines = [line for log in logs for line in log.lines]
    said = [Event(one.at, f"log: {one.text}") for one in lines if one.level >= logging.WARNING]
    return tuple(sorted([*calls, *seen, *said], key=lambda event: event.at))


def trace_of(told: Iterable[Event]) -> str:
    """A word that differs where two runs do."""
    return hashlib.sha256("\n".join(map(str, told)).encode()).hexdigest()[:16]
