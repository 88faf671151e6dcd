"""The bot as a process: connected until it is told to stop, or only looked at."""

import asyncio
import secrets
import signal
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bot import garbage
from bot.app import App
from bot.art.drawing import Drawing
from bot.art.faces import faces
from bot.config import Config
from bot.ops.alive import Heart
from bot.ops.check import Visitor
from bot.ops.check import check as checked
from bot.ops.daily import DailyBackup
from bot.ops.finding import Finding
from bot.ops.metrics import served
from bot.store.database import only_process, opened
from bot.tables.clock import Clock, SystemClock
from bot.ui.client import Client
from bot.ui.errors import UNREACHABLE

PATIENCE = 1.0
"""Seconds until what was cancelled and goes on is cancelled again."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a process takes from the machine it runs on, and from the project.

    `entropy` gives so many bytes that nobody can guess; `drawings` the pictures of the screens;
    `settled` is called when everything is built that stays for ever.
    """

    clock: Clock = field(default_factory=SystemClock)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    drawings: Callable[[], Mapping[str, Drawing]] = faces
    settled: Callable[[], None] = garbage.settled


class AwayError(Exception):
    """Discord cannot be reached: the bot is to be started again later."""


async def check(config: Config) -> tuple[Finding, ...]:
    """Look at what a running bot needs. The real database is only read."""
    with TemporaryDirectory() as folder:
        database = await opened(Path(folder) / "nothing")
        try:
            app = App(database, SystemClock())
            async with Visitor(app) as client:
                running = await app.furnish(client)
                return await checked(config, client, running.office.gallery.names)
        finally:
            await database.close()


async def run(config: Config, around: Surroundings | None = None) -> None:
    """Connect, and stay until the process is told to stop. Raises what ends the start, and
    AwayError when Discord cannot be reached.
    """
    around = around or Surroundings()
    with only_process(config.database_path):
        database = await opened(config.database_path, config.backups)
        clock = around.clock
        backups = DailyBackup(config.database_path, config.backups, config.backups_kept, clock)
        heart = Heart(config.database_path, clock, lambda: app.is_stuck)
        try:
            app = App(database, clock, around.drawings, (backups, heart), around.entropy)
            with served(config.metrics_port, app.figures):
                await _connected(app, config.discord_token.get_secret_value(), around.settled)
        finally:
            await database.close()


async def _connected(app: App, token: str, settled: Callable[[], None]) -> None:
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    away: Exception | None = None

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGTERM)
        told.set()

    def give_up() -> None:
        nonlocal away
        away = AwayError("Discord's gateway cannot be reached")
        told.set()

    app.on_away, app.on_begun = give_up, settled
    async with Client(app) as client:
        loop.add_signal_handler(signal.SIGTERM, stop)
        try:
            await _until(told, client.start(token))
        except UNREACHABLE as error:
            raise AwayError(f"Discord cannot be reached: {error!r}") from error
    if away is not None:
        raise away


async def _until(told: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Work until it ends or is told to stop. Raises what the work raises.

    Python 3.11's `wait_for`, in which discord.py connects, can swallow a cancellation: whoever
    does not listen is told again.
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
