"""The bot as a process: run it until it is stopped, or only check it."""

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.app import App
from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.clock import Clock, SystemClock
from bot.composition.chores import chores_of
from bot.ids import ChannelId
from bot.ops import gc_tuning
from bot.ops.check.finding import Finding
from bot.ops.check.live import try_out
from bot.ops.check.old_commands import Leftover, remove_leftovers
from bot.ops.check.run import Visitor
from bot.ops.check.run import check as checked
from bot.ops.health.metrics import served
from bot.ops.log.milestones import Milestones
from bot.ops.login import (
    AwayError,
    at_gateway,
    at_login,
    in_words,
    is_refusal,
    leave_some,
    log_in,
)
from bot.ops.login_backoff import Backoff
from bot.ops.machine_figures import MachineFigures
from bot.ops.setup.first_server import Account, account_of, first_server
from bot.ops.signals import subscribe, unsubscribe
from bot.settings.config import Config
from bot.store.database.file import open_database
from bot.store.database.lock import only_process
from bot.store.database.missing_or_damaged import refuse_to_start_empty
from bot.ui.connection.client import Client
from bot.ui.watch.drawing_process import Draw, DrawingRun

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


async def check(config: Config) -> tuple[Finding, ...]:
    """Check everything a running bot needs. The real database is only read."""
    async with _visiting() as (client, emojis):
        return await checked(config, client, emojis)


async def check_live(
    config: Config, channel: ChannelId, clock: Clock | None = None
) -> tuple[Finding, ...]:
    """Try out in a channel what Discord accepts there, and store the results.

    Raises what a login raises, AwayError for any other refusal, and DatabaseError while a bot is
    running on the database.
    """
    with only_process(config.database_path):
        database = await open_database(config.database_path)
        try:
            app = App(database, clock or SystemClock())
            async with Visitor(app) as client:
                running = await app.register(client)
                await log_in(client, config.discord_token.get_secret_value())
                async with app.writing():
                    return await try_out(client, running.live, channel)
        finally:
            await database.close()


async def remove_commands(config: Config, tell: Callable[[Leftover], None]) -> int:
    """Remove commands that an earlier bot left in servers, calling `tell` for each server.

    Returns the number of commands. Raises what a login raises, and AwayError for any other refusal.
    """
    async with _visiting() as (client, _):
        await log_in(client, config.discord_token.get_secret_value())
        with in_words(at_login):
            return await remove_leftovers(client, tell)


async def account(token: str) -> Account:
    """Return the account that a token logs in to. Raises what a login raises, and AwayError."""
    async with _visiting() as (client, _):
        await log_in(client, token)
        return await account_of(client)


async def wait_for_server(token: str, before_waiting: Callable[[], None]) -> str:
    """Return the name of the bot's first server, and wait for it: see `first_server`.

    Raises what a login raises.
    """
    async with _visiting() as (client, _):
        await log_in(client, token)
        return await first_server(client, before_waiting)


@asynccontextmanager
async def _visiting() -> AsyncIterator[tuple[Visitor, Collection[str]]]:
    """Yield a client that only asks, with its commands, and the names of the emojis it needs."""
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "nothing")
        try:
            app = App(database, SystemClock())
            async with Visitor(app) as client:
                running = await app.register(client)
                yield client, running.context.emojis.names
        finally:
            await database.close()


async def run(config: Config, around: Surroundings | None = None) -> None:
    """Connect, and stay connected until SIGTERM or cancellation.

    Raises LoginFailure or ConnectionClosed if Discord refuses the bot for good, and AwayError if a
    later attempt may succeed.
    """
    around = around or Surroundings()
    refuse_to_start_empty(config.database_path, config.backups)  # before a lock file is made there
    with only_process(config.database_path) as lock:
        database = await open_database(config.database_path, config.backups)
        lock.take()
        clock = around.clock
        chores = chores_of(config, database.reading, clock, lambda: app)
        token = config.discord_token.get_secret_value()
        backoff = Backoff(database.writing, token, clock)
        try:
            app = App(
                database,
                clock,
                around.drawings,
                chores.all,
                around.entropy,
                around.draw_round,
            )
            app.news = chores.releases.news
            figures = MachineFigures(app.figures, chores.backups, config.database_path, clock)
            with _metrics(config, figures):
                client = Client(app, is_lean=config.http_client == "lean")
                await _connected(app, client, token, around.settled, backoff)
        except Exception as error:
            if is_refusal(error):
                await backoff.refused(getattr(error, "after", 0.0))
            raise
        finally:
            await chores.file.last_copy()
            await database.close()


def _metrics(config: Config, figures: MachineFigures) -> AbstractContextManager[None]:
    return served(config.metrics_port, config.metrics_host, figures)


async def _connected(
    app: App, client: Client, token: str, settled: Callable[[], None], backoff: Backoff
) -> None:
    told = asyncio.Event()
    away: Exception | None = None

    def stop() -> None:
        unsubscribe(signal.SIGTERM)
        told.set()

    def begun() -> None:
        log.begun()
        settled()

    def give_up() -> None:
        nonlocal away
        away = AwayError("Discord's gateway cannot be reached")
        told.set()

    log = Milestones(app.tables, app.arenas)
    app.on_away, app.on_begun = give_up, begun
    async with client:
        app.on_ready = partial(log.ready, client)
        subscribe(signal.SIGTERM, stop)
        with log.stop(lambda: str(away or "SIGTERM")):
            await _until(told, _on_discord(client, token, backoff))
    if away is not None:
        raise away


async def _on_discord(client: Client, token: str, backoff: Backoff) -> None:
    """Log in and stay connected. Raises the error that stands for Discord's refusal."""
    await backoff.wait()
    await log_in(client, token)
    with in_words(at_gateway):
        leave_some(await client.fetch_session_start_limits())
        await client.connect()


async def _until(told: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Run the work until it ends or `told` is set. Raises what the work raises.

    Python 3.11's `wait_for`, which discord.py connects with, can swallow a cancellation, so the
    task is cancelled again every PATIENCE seconds until it has ended.
    """
    loop = asyncio.get_running_loop()
    working, waiting = loop.create_task(work), loop.create_task(told.wait())
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        waiting.cancel()
        while not working.done():
            working.cancel()
            await asyncio.wait((working,), timeout=PATIENCE)
