"""One seed: three tables for five minutes, everything going wrong, and what is true afterwards."""

import asyncio
import hashlib
import logging
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from tests.loopback.players import Player
from tests.simulate import sqlite
from tests.simulate.beliefs import believe
from tests.simulate.checker import Checker
from tests.simulate.disk import Disk
from tests.simulate.kept import compared
from tests.simulate.loop import VirtualLoop
from tests.simulate.people import OPTIONS, Group, Habits, racing
from tests.simulate.power import PowerSupply
from tests.simulate.process import Log, Process
from tests.simulate.races import raced
from tests.simulate.trouble import Rates, Trouble
from tests.simulate.trust import trusted
from tests.simulate.witness import Event, Violation, Witness

SECONDS = 300.0
TABLES = 3
SIZES = (2, 2, 3, 4, 4, 6)
CROWDS = (6, 8, 12)
_SECRET = re.compile(r"(/[0-9]+)/aW50[^/]*")
"""Interaction tokens: their ids say as much."""
_SHORT = r"\1…"
AFTERWARDS = 3 * 3600.0
"""Simulated seconds that the questions after an evening may take."""
REMEMBERED = 1_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What an evening is made of. `seconds` are simulated ones. `races`: many people at each table,
    who all press together. `http_client`: the bot's setting. `is_tls`: Discord is reached over
    TLS.
    """

    seed: int
    seconds: float = SECONDS
    tables: int = TABLES
    pace: float = 1.2
    trouble: float = 1.0
    races: bool = False
    http_client: str = "lean"
    is_tls: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an evening came to. `trace` tells two runs of one seed apart when they differ."""

    plan: Plan
    violations: tuple[Violation, ...]
    events: tuple[Event, ...]
    trace: str
    presses: int
    accepted: int
    raced: int
    late: int
    watched: int
    shared: int
    faults: int
    kills: int
    matches: int
    calls: int


def run(plan: Plan) -> Outcome:
    """Play an evening. The same plan has the same outcome, whatever else the machine does."""
    with (
        TemporaryDirectory() as folder,
        asyncio.Runner(loop_factory=lambda: VirtualLoop(plan.seed)) as runner,
    ):
        return runner.run(_evening(plan, Path(folder)))


async def _evening(plan: Plan, folder: Path) -> Outcome:
    chance = random.Random(plan.seed)
    random.seed(plan.seed)
    rtt = chance.choice((0.0, 0.05, 0.1, 0.3))
    server = Server(guilds=1, channels=plan.tables)
    server.settings.tls = plan.is_tls
    server.settings.rtt = lambda: rtt * (0.5 + chance.random())
    believe(server.settings, plan.seed)
    _see_everything(server)
    power, disk, log = PowerSupply(folder), Disk(), Log()
    async with server:
        with (
            pointed_at(server.url, server.ws_url),
            trusted(server.cert),
            power.on(),
            _mounted(disk),
            _heard(log),
        ):
            bot = Process(folder, plan.seed, log_level="DEBUG", http_client=plan.http_client)
            bot.power = power
            async with asyncio.timeout(plan.seconds + AFTERWARDS):
                return await _played(plan, _World(server, bot, disk, log, chance))


@dataclass(frozen=True, slots=True)
class _World:
    """What an evening is played in."""

    server: Server
    bot: Process
    disk: Disk
    log: Log
    chance: random.Random


async def _played(plan: Plan, world: _World) -> Outcome:
    loop, server, bot = asyncio.get_running_loop(), world.server, world.bot
    assert isinstance(loop, VirtualLoop)
    witness = Witness(server, loop.time, lambda: bot.database)
    server.world.audience.append(witness.saw)
    with compared(witness.broken):
        return await _witnessed(plan, world, witness)


async def _witnessed(plan: Plan, world: _World, witness: Witness) -> Outcome:
    loop, server, bot = asyncio.get_running_loop(), world.server, world.bot
    bot.start()
    await server.wait_ready(60, commands=True)
    witness.keep_journal()
    groups = _groups(plan, server, witness, world.chance)
    rates = Rates().times(plan.trouble or 1.0)
    trouble = Trouble(server, bot, world.disk, witness, world.chance, rates, plan.seed)
    ends = loop.time() + plan.seconds
    over = lambda: loop.time() > ends  # noqa: E731 used twice
    async with asyncio.TaskGroup() as together:
        if plan.trouble:
            together.create_task(trouble.rage(over))
        for group in groups:
            together.create_task(group.play(over))
    trouble.calm()
    matches = await Checker(server, bot, witness, trouble, groups, world.log).check()
    events = _events(server, witness, world.log)
    return Outcome(
        plan=plan,
        violations=tuple(sorted(witness.violations, key=lambda one: one.at)),
        events=events,
        trace=hashlib.sha256("\n".join(map(str, events)).encode()).hexdigest()[:16],
        presses=len(witness.presses),
        accepted=sum(press.accepted for press in witness.presses),
        raced=raced(witness.presses),
        late=sum(press.late is not None for press in witness.presses),
        watched=sum(group.watched for group in groups),
        shared=sum(group.shared for group in groups),
        faults=trouble.hits,
        kills=trouble.kills,
        matches=matches,
        calls=sum(server.statuses.values()),
    )


def _see_everything(server: Server) -> None:
    server.settings.keep_interactions = REMEMBERED
    server.settings.keep_payloads = True
    server.settings.keep_calls = REMEMBERED
    server.gateway.enforce_identify = False


def _groups(plan: Plan, server: Server, witness: Witness, chance: random.Random) -> list[Group]:
    groups = []
    for number, channel in enumerate(server.all_channels[: plan.tables]):
        game = chance.choice(("ligretto", "ligretto", "dice"))
        size = min(chance.choice(CROWDS if plan.races else SIZES), 4 if game == "dice" else 12)
        names = [f"t{number}p{one}" for one in range(size)]
        groups.append(
            Group(
                server,
                witness,
                channel,
                [Player(server, server.user(name), channel) for name in names],
                random.Random(chance.random()),
                racing(plan.pace) if plan.races else Habits(pace=plan.pace),
                game,
                chance.choice(OPTIONS[game]) | {"set.rounds": chance.choice(("1", "2", "3"))},
            )
        )
    return groups


@contextmanager
def _mounted(disk: Disk) -> Iterator[None]:
    before, sqlite.mounted.disk = sqlite.mounted.disk, disk
    try:
        yield
    finally:
        sqlite.mounted.disk = before


@contextmanager
def _heard(log: Log) -> Iterator[None]:
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


def _events(server: Server, witness: Witness, log: Log) -> tuple[Event, ...]:
    """Calls, presses, answers, troubles and warnings, in the order of their times."""
    calls = [
        Event(at, f"{method} {_SECRET.sub(_SHORT, path)} -> {status}")
        for at, method, path, status, _ in server.calls
    ]
    said = [Event(one.at, f"log: {one.text}") for one in log.lines if one.level >= logging.WARNING]
    return tuple(sorted([*calls, *witness.events, *said], key=lambda event: event.at))
