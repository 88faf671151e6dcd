"""Questions of commands to Discord, by a client that plays no tables."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.app import App
from bot.clock import Clock, SystemClock
from bot.ids import ChannelId
from bot.ops.check.finding import Finding
from bot.ops.check.live import try_out
from bot.ops.check.old_commands import Leftover, remove_leftovers
from bot.ops.check.run import Visitor
from bot.ops.check.run import check as checked
from bot.ops.login import at_login, in_words, log_in
from bot.ops.setup.first_server import Account, account_of, first_server
from bot.settings.config import Config
from bot.store.database.file import open_database
from bot.store.database.lock import only_process


async def check(config: Config) -> tuple[Finding, ...]:
    """Check everything a running bot needs. The real database is only read."""
    async with _visiting() as (client, emojis):
        return await checked(config, client, emojis, await _groups(config))


async def _groups(config: Config) -> tuple[Finding, ...]:
    if config.valkey_url is None:
        return ()
    from bot.ops.check.groups.run import groups  # noqa: PLC0415 it needs the client of Valkey

    return await groups(config)


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
                    return await try_out(client, running.live, channel, config.layout)
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
