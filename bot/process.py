"""The bot as a process: connected until it is told to stop, or only looked at."""

import asyncio
import signal
from pathlib import Path
from tempfile import TemporaryDirectory

from bot import garbage
from bot.app import App
from bot.config import Config
from bot.ops.alive import Heart
from bot.ops.check import Visitor
from bot.ops.check import check as checked
from bot.ops.daily import DailyBackup
from bot.ops.finding import Finding
from bot.ops.metrics import served
from bot.store.database import only_process, opened
from bot.tables.clock import SystemClock
from bot.ui.client import Client
from bot.ui.errors import UNREACHABLE


class AwayError(Exception):
    """Discord cannot be reached: the bot is to be started again later."""


async def check(config: Config) -> tuple[Finding, ...]:
    """Look at what a running bot needs. The real database is only read."""
    with TemporaryDirectory() as folder:
        database = await opened(Path(folder) / "nothing")
        try:
            app = App(database, SystemClock())
            async with Visitor(app) as client:
                office, *_ = await app.furnish(client)
                return await checked(config, client, office.gallery.names)
        finally:
            await database.close()


async def run(config: Config) -> None:
    """Connect, and stay until the process is told to stop. Raises what ends the start, and
    AwayError when Discord cannot be reached.
    """
    with only_process(config.database_path):
        database = await opened(config.database_path)
        clock = SystemClock()
        backups = DailyBackup(config.database_path, config.backups, config.backups_kept, clock)
        try:
            app = App(database, clock, chores=(backups, Heart(config.database_path, clock)))
            with served(config.metrics_port, app.figures):
                await _connected(app, config.discord_token.get_secret_value())
        finally:
            await database.close()


async def _connected(app: App, token: str) -> None:
    loop, connected, away = asyncio.get_running_loop(), asyncio.current_task(), False
    assert connected is not None

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGTERM)
        connected.cancel()

    def give_up() -> None:
        nonlocal away
        away = True
        connected.cancel()

    app.on_away, app.on_begun = give_up, garbage.settled
    async with Client(app) as client:
        loop.add_signal_handler(signal.SIGTERM, stop)
        try:
            await client.start(token)
        except asyncio.CancelledError:
            if away:
                raise AwayError("Discord's gateway cannot be reached") from None
        except UNREACHABLE as error:
            raise AwayError(f"Discord cannot be reached: {error!r}") from error
