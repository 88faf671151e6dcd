"""The bot itself, and the commands that talk to Discord. They need every setting."""

import argparse
import asyncio
import logging
import sys
from collections.abc import Coroutine
from pathlib import Path

import discord

from bot.cli.exits import BAD_SETTINGS, CLEAN, TRY_LATER, refused
from bot.cli.loop import new_loop
from bot.ops.check.finding import Finding, Mark
from bot.ops.check.old_commands import Leftover
from bot.ops.log.setup import set_up
from bot.ops.login import AwayError
from bot.process import check, check_live, remove_commands, run
from bot.settings.config import Config, read
from bot.settings.settings_file import ConfigError
from bot.store.database.errors import DatabaseError, PassingError, failed

NO_TOKEN = "DISCORD_TOKEN: Discord rejected this token"  # noqa: S105 words


def carried_out(given: argparse.Namespace) -> int:
    """Run the bot, or the command that was given. Return the exit code."""
    try:
        config = read(Config)
    except ConfigError as error:
        return refused(str(error))
    try:
        set_up(config)
    except OSError as error:
        return refused(*ending(failed("LOG_FILE", error, config.log_file or Path())))
    match given.command:
        case "check" if given.live is not None:
            return _check(check_live(config, given.live))
        case "check":
            return _check(check(config))
        case "remove-commands":
            return _remove_commands(config)
        case _:
            return _run(config)


def _run(config: Config) -> int:
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(run(config))
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
        case PassingError():
            return str(error), TRY_LATER
        case ConfigError() | DatabaseError():
            return str(error), BAD_SETTINGS
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # invalid token
            return NO_TOKEN, BAD_SETTINGS
        case discord.ConnectionClosed():
            return f"Discord closed the connection permanently: {error}", TRY_LATER
        case AwayError():
            return str(error), TRY_LATER
        case _:
            raise error


def _check(checking: Coroutine[None, None, tuple[Finding, ...]]) -> int:
    """Write a line for each thing; 2 when one of them must be fixed."""
    logging.disable(logging.CRITICAL)
    try:
        found = asyncio.run(checking)
    except Exception as error:
        return refused(*ending(error))
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return BAD_SETTINGS if any(one.mark is Mark.FIX for one in found) else CLEAN


def _remove_commands(config: Config) -> int:
    """Write a line for each server that had commands of an earlier bot."""
    logging.disable(logging.CRITICAL)
    try:
        count = asyncio.run(remove_commands(config, _removed))
    except Exception as error:
        return refused(*ending(error))
    if not count:
        sys.stdout.write("no server has commands left by an earlier bot\n")
    return CLEAN


def _removed(one: Leftover) -> None:
    sys.stdout.write(f"removed {one}\n")
