"""The bot itself, and what ends the commands that talk to Discord. They need every setting."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import discord

from bot.cli.exits import BAD_SETTINGS, CLEAN, TRY_LATER, refused
from bot.cli.loop import new_loop
from bot.groups.lease.refusals import GroupAwayError, GroupError
from bot.ops.log.setup import set_up
from bot.ops.login import AwayError
from bot.process import run
from bot.settings.config import Config, read
from bot.settings.settings_file import ConfigError
from bot.store.database.errors import DatabaseError, PassingError, failed

NO_TOKEN = "DISCORD_TOKEN: Discord rejected this token"  # noqa: S105 words


def carried_out(*, takes_over: bool = False) -> int:
    """Run the bot. Return the exit code. `takes_over`: as in `bot.process.run`."""
    return configured(partial(_run, takes_over=takes_over))


def configured(command: Callable[[Config], int]) -> int:
    """Read the settings, begin the log, and carry out a command. Return the exit code."""
    try:
        config = read(Config)
    except ConfigError as error:
        return refused(str(error))
    try:
        set_up(config)
    except OSError as error:
        return refused(*ending(failed("LOG_FILE", error, config.log_file or Path())))
    return command(config)


def _run(config: Config, *, takes_over: bool) -> int:
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(run(config, takes_over=takes_over))
    except KeyboardInterrupt:
        pass
    except Exception as error:
        return refused(*ending(error))
    return CLEAN


def ending(error: BaseException) -> tuple[str, int]:
    """Return what to say of the error that ended the bot, and the exit code.

    Raises an error that is none of those foreseen.
    """
    match error:
        case PassingError() | GroupAwayError():
            return str(error), TRY_LATER
        case ConfigError() | DatabaseError() | GroupError():
            return str(error), BAD_SETTINGS
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # invalid token
            return NO_TOKEN, BAD_SETTINGS
        case discord.ConnectionClosed():
            return f"Discord closed the connection permanently: {error}", TRY_LATER
        case AwayError():
            return str(error), TRY_LATER
        case _:
            raise error
