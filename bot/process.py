"""The bot as a process, which runs until it is stopped."""

import asyncio
import logging
import secrets
import signal
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from bot.app import App
from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.clock import Clock, SystemClock
from bot.composition.chores import chores_of
from bot.composition.membership import Membership, membership
from bot.groups.group import Group
from bot.ops import gc_tuning
from bot.ops.health.metrics import served
from bot.ops.log.connecting import Connecting
from bot.ops.log.milestones import Milestones
from bot.ops.login import (
    AwayError,
    at_gateway,
    in_words,
    is_refusal,
    leave_some,
    log_in,
)
from bot.ops.login_backoff import Backoff
from bot.ops.machine_figures import MachineFigures
from bot.ops.signals import subscribe, unsubscribe
from bot.settings.config import Config
from bot.store.database.file import Database, open_database
from bot.store.database.lock import only_process
from bot.store.database.missing_or_damaged import refuse_to_start_empty
from bot.ui.connection.client import Client
from bot.ui.connection.gateway.identify_turns import TURN, turns_of
from bot.ui.watch.drawing_process import Draw, DrawingRun

log = logging.getLogger(__name__)
T = TypeVar("T")

PATIENCE = 1.0
"""Seconds until a cancelled task that is still running is cancelled again."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The dependencies of a process on its machine and on the project.

    `entropy(n)` returns n unpredictable bytes, and `drawings()` the screens' pictures.
    `draw_round` draws a moving picture in a thread. `settled` is called once every object that
    lives as long as the bot has been built.
    """

    clock: Clock = field(default_factory=SystemClock)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    drawings: Callable[[], Mapping[str, Drawing]] = faces
    draw_round: Draw = DrawingRun.run
    settled: Callable[[], None] = gc_tuning.settled


async def run(
    config: Config, around: Surroundings | None = None, *, takes_over: bool = False
) -> None:
    """Connect, and stay connected until SIGTERM, which also ends a start, or cancellation.

    Raises LoginFailure or ConnectionClosed if Discord refuses the bot for good, and AwayError if a
    later attempt may succeed. GroupError if the process may not be its group, or no longer;
    `takes_over`: even though another holder has not released it.
    """
    around, stop = around or Surroundings(), _Stop()
    subscribe(signal.SIGTERM, stop.by_signal)
    refuse_to_start_empty(config.database_path, config.backups)  # before a lock file is made there
    with only_process(config.database_path) as lock:
        async with membership(config, around.clock, takes_over=takes_over) as member:
            database = await open_database(config.database_path, config.backups)
            lock.take()
            await _run(config, around, database, member, stop)


async def _run(
    config: Config, around: Surroundings, database: Database, member: Membership, stop: "_Stop"
) -> None:
    """Run on an open database, and close it."""
    clock = around.clock
    chores = chores_of(config, database.reading, clock, lambda: app)
    token = config.discord_token.get_secret_value()
    backoff = Backoff(database.writing, token, clock)
    try:
        if (group := await _until(stop.told, member.join(database))) is None:
            log.info("stopped before the start")
            return
        app = App(database, clock, around.drawings, group, around.entropy, around.draw_round)
        app.chores, app.news = chores.all, chores.releases.news
        figures = MachineFigures(app.figures, chores.backups, config.database_path, clock)
        with served(config.metrics_port, config.metrics_host, figures, group):
            client = Client(app, group.layout, is_lean=config.http_client == "lean")
            discord = _on_discord(client, token, backoff, group, clock)
            await _connected(app, client, member, around.settled, discord, stop)
    except Exception as error:
        if is_refusal(error):
            await backoff.refused(getattr(error, "after", 0.0))
        raise
    finally:
        await chores.file.last_copy()
        await member.leave()
        await database.close()


async def _connected(
    app: App,
    client: Client,
    member: Membership,
    settled: Callable[[], None],
    discord: Coroutine[None, None, None],
    stop: "_Stop",
) -> None:
    """Be on Discord until the process is told to stop. Raises why, if nobody asked for it."""
    milestones = Milestones(app.tables, app.arenas, app.group)

    def begun() -> None:
        member.begun(app.writer)
        milestones.begun()
        settled()

    def lost() -> None:
        app.give_way()
        stop.because(member.lost)

    app.on_away = partial(stop.because, AwayError("Discord's gateway cannot be reached"))
    app.on_begun, member.on_lost = begun, lost
    if member.lost is not None:
        lost()
    async with client:
        app.on_ready = partial(milestones.ready, client)
        with milestones.stop(lambda: stop.why):
            await _until(stop.told, discord, client.begun())
    if stop.why is not None:
        raise stop.why


class _Stop:
    """The end of a process that was asked for: by SIGTERM, or by a part that says why."""

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.why: Exception | None = None

    def by_signal(self) -> None:
        unsubscribe(signal.SIGTERM)
        self.told.set()

    def because(self, why: Exception | None) -> None:
        self.why = why
        self.told.set()


async def _on_discord(
    client: Client, token: str, backoff: Backoff, group: Group, clock: Clock
) -> None:
    """Log in and stay connected. Raises the error that stands for Discord's refusal."""
    await backoff.wait()
    await log_in(client, token)
    with in_words(at_gateway):
        limits = await client.fetch_session_start_limits()
        client.turns = turns_of(group, clock, limits)
        leave_some(limits, await client.turns.counted() if client.turns is not None else 0)
        together = limits.max_concurrency if client.turns is not None else 1
        client.on_shard = Connecting(TURN / together, clock).shard
        await client.connect()


async def _until(
    told: asyncio.Event,
    work: Coroutine[Any, Any, T],
    beside: Coroutine[Any, Any, None] | None = None,
) -> T | None:
    """Run the work until it ends or `told` is set. Return what it returns; None if it was told.

    `beside` runs meanwhile, and may end before. Raises what either raises.

    Python 3.11's `wait_for`, which discord.py connects with, can swallow a cancellation, so the
    tasks are cancelled again every PATIENCE seconds until they have ended.
    """
    loop = asyncio.get_running_loop()
    working, waiting = loop.create_task(work), loop.create_task(told.wait())
    running = {working, waiting, *([loop.create_task(beside)] if beside is not None else ())}
    try:
        while running >= {working, waiting}:
            ended, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
        return working.result() if working.done() else None
    finally:
        while running := {one for one in running if not one.done()}:
            for one in running:
                one.cancel()
            await asyncio.wait(running, timeout=PATIENCE)
