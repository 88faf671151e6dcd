"""`check` and `remove-commands`: what they find, a line for each thing."""

import argparse
import asyncio
import logging
import sys
from collections.abc import Coroutine
from functools import partial

from bot.cli.exits import BAD_SETTINGS, CLEAN, refused
from bot.cli.online import configured, ending
from bot.cli.visits import check, check_live, remove_commands
from bot.ops.check.finding import Finding, Mark
from bot.ops.check.old_commands import Leftover
from bot.settings.config import Config


def carried_out(given: argparse.Namespace) -> int:
    """Carry out the command that was given. Return the exit code."""
    return configured(partial(_found, given))


def _found(given: argparse.Namespace, config: Config) -> int:
    if given.command == "remove-commands":
        return _remove_commands(config)
    if given.live is not None:
        return _check(check_live(config, given.live))
    return _check(check(config))


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
