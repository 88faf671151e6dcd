"""The steps of `setup`: the token, the settings file, the check, and the first server."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from getpass import getpass
from pathlib import Path

import discord

from bot.cli.exits import BAD_SETTINGS, CLEAN
from bot.cli.visits import account, check, wait_for_server
from bot.ops.check.finding import Mark
from bot.ops.setup.first_server import Account
from bot.ops.setup.settings_writer import write
from bot.settings.config import Config, read
from bot.settings.pasted_text import plain
from bot.settings.settings_file import ConfigError, written
from bot.settings.token import token_of

TRIES = 3
HOW = (
    "Paste the bot's token: https://discord.com/developers/applications, your application, Bot, "
    "Reset Token. What you paste stays hidden."
)
REJECTED = "Discord rejects this token; press Reset Token on the Bot page and copy the new one"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def accepted_token(file: Path) -> tuple[str, Account]:
    """Return the token that is set, if Discord accepts it, or one that is asked for, and its bot.

    Raises ConfigError after three that don't work, and AwayError while Discord can't be reached.
    """
    around = plain(os.environ.get("DISCORD_TOKEN", ""))
    if given := around or written(file).get("DISCORD_TOKEN"):
        try:
            token, bot = _accepted(given)
        except ValueError as error:
            if around:  # it would hide whatever the file says
                raise ConfigError(f"DISCORD_TOKEN in the environment: {error}") from None
            say(f"token: set, but wrong: {error}")
        else:
            say(f"token: set, works: {bot.name}, owned by {bot.owner}")
            return token, bot
    say(HOW)
    for _ in range(TRIES):
        try:
            token, bot = _accepted(_asked())
        except ValueError as error:
            say(f"token: {error}")
        else:
            say(f"token: works: {bot.name}, owned by {bot.owner}")
            return token, bot
    raise ConfigError(f"no token after {TRIES} tries; nothing was changed")


def _accepted(pasted: str) -> tuple[str, Account]:
    """Return the token and its bot. Raises ValueError if it is none that Discord accepts."""
    token = token_of(pasted)
    try:
        return token, asyncio.run(account(token))
    except discord.LoginFailure:
        raise ValueError(REJECTED) from None


def _asked() -> str:
    """Return what somebody pastes, or a line of stdin. Raises ConfigError if there is none."""
    try:
        if sys.stdin.isatty():
            return getpass("Token: ")
        if line := sys.stdin.readline():
            return line
    except EOFError:
        pass
    raise ConfigError("no token given: type it here, pipe it in or set DISCORD_TOKEN")


def save(file: Path, values: Mapping[str, str]) -> bool:
    """Write what a settings file lacks, and say so. Return whether anything changed."""
    changed = write(file, values)
    said = f"wrote {', '.join(changed)} to {file}" if changed else f"{file} has all it needs"
    say(f"settings: {said}")
    return bool(changed)


def finish(token: str, bot: Account, begin: Callable[[Config], None], *, wait: bool) -> int:
    """Check everything, begin, and wait for the first server. Return the exit code.

    `begin` starts the bot or says how. It is not called while something must be fixed.
    """
    config = read(Config)
    found = asyncio.run(check(config))
    for one in found:
        say(str(one))
    if any(one.mark is Mark.FIX for one in found):
        say("Fix the lines marked FIX, then run this again.")
        return BAD_SETTINGS
    begin(config)
    if wait:
        _wait(token, bot)
    return CLEAN


def _wait(token: str, bot: Account) -> None:
    """Wait until the bot is in a server, or until Ctrl-C."""

    def before_waiting() -> None:
        say(f"Invite the bot: {bot.invite}")
        say("Waiting for its first server. Ctrl-C stops the waiting.")

    try:
        server = asyncio.run(wait_for_server(token, before_waiting))
    except KeyboardInterrupt:
        say("Stopped waiting. The address above stays valid.")
    else:
        say(f"In {server}: type /ligretto")
