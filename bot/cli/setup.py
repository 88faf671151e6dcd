"""`setup`: ask for the token, and do everything else that a first start needs.

Typed again, it shows what is set, and mends what is missing or wrong.
"""

import argparse
import logging

from bot.cli.exits import refused
from bot.cli.online import ending
from bot.cli.setup_steps import accepted_token, finish, save, say
from bot.settings.config import Config, DatabaseConfig, read
from bot.settings.home import command, home
from bot.store.database.lock import is_in_use


def carried_out(given: argparse.Namespace) -> int:
    """Set the bot up. Return the exit code: 2 while something must be fixed."""
    logging.disable(logging.CRITICAL)
    try:
        if given.system:
            from bot.cli.setup_service import set_up  # noqa: PLC0415 only on Linux

            return set_up(given.root, wait=given.wait)
        return _set_up(wait=given.wait)
    except Exception as error:
        return refused(*ending(error))


def _set_up(*, wait: bool) -> int:
    file, paths = home().settings, read(DatabaseConfig)
    token, bot = accepted_token(file)
    values = {
        "DISCORD_TOKEN": token,
        "DATABASE_PATH": str(paths.database_path),
        "BACKUP_PATH": str(paths.backups),
    }
    _ = save(file, values)
    return finish(token, bot, _begin, wait=wait)


def _begin(config: Config) -> None:
    """Say how to start the bot, unless it runs already."""
    is_running = is_in_use(config.database_path)
    say("The bot is running." if is_running else f"Start the bot: {command()}")
