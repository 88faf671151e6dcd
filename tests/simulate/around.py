"""What stands around every evening: the disk, the logs, and what is told of it afterwards."""

import asyncio
import hashlib
import logging
import random
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.fakediscord import Server
from tests.simulate import sqlite
from tests.simulate.beliefs import believe
from tests.simulate.disk import Disk
from tests.simulate.loop import VirtualLoop
from tests.simulate.people import Group
from tests.simulate.plan import Outcome, Plan
from tests.simulate.process import Log
from tests.simulate.races import raced
from tests.simulate.trouble import Trouble
from tests.simulate.witness import Event, Witness

_SECRET = re.compile(r"(/[0-9]+)/aW50[^/]*")
"""Interaction tokens: their ids say as much."""
_SHORT = r"\1…"
REMEMBERED = 1_000_000
AFTERWARDS = 3 * 3600.0
"""Simulated seconds that the questions after an evening may take."""


def run(plan: Plan, evening: Callable[[Plan, Path], Coroutine[Any, Any, Outcome]]) -> Outcome:
    """Play an evening. The same plan has the same outcome, whatever else the machine does."""
    with (
        TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: VirtualLoop(plan.seed)) as runner,
    ):
        return runner.run(evening(plan, Path(folder)))


def discord_of(plan: Plan, guilds: int, channels: int = 1) -> tuple[Server, random.Random]:
    """Return a Discord as the plan's seed draws it, and what else the seed draws."""
    chance = random.Random(plan.seed)
    random.seed(plan.seed)
    rtt = chance.choice((0.0, 0.05, 0.1, 0.3))
    server = Server(guilds=guilds, channels=channels)
    server.settings.rtt = lambda: rtt * (0.5 + chance.random())
    believe(server.settings, plan.seed)
    see_everything(server)
    return server, chance


@dataclass(frozen=True, slots=True)
class Part:
    """What one process of the bot went through. `people`: those at its tables."""

    witness: Witness
    trouble: Trouble
    log: Log
    people: Sequence[Group]


def outcome(plan: Plan, server: Server, parts: Sequence[Part], matches: int) -> Outcome:
    """Return what an evening came to."""
    told = events(server, [one.witness for one in parts], [one.log for one in parts])
    presses = [press for one in parts for press in one.witness.presses]
    broken = [found for one in parts for found in one.witness.violations]
    groups = [group for one in parts for group in one.people]
    return Outcome(
        plan=plan,
        violations=tuple(sorted(broken, key=lambda one: one.at)),
        events=told,
        trace=trace_of(told),
        presses=len(presses),
        accepted=sum(press.accepted for press in presses),
        raced=raced(presses),
        late=sum(press.late is not None for press in presses),
        watched=sum(group.watched for group in groups),
        shared=sum(group.shared for group in groups),
        faults=sum(one.trouble.hits for one in parts),
        kills=sum(one.trouble.kills for one in parts),
        matches=matches,
        calls=sum(server.statuses.values()),
    )


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
