"""`python -m bot`: read the settings, run the bot."""

import asyncio
import logging
import sys
from collections.abc import Coroutine, Sequence

import discord

from bot.bench import main as bench
from bot.config import Config, ConfigError, read
from bot.ops.finding import Finding, Mark
from bot.ops.leftovers import Leftover
from bot.ops.login import AwayError
from bot.ops.logs import set_up
from bot.ops.shell import carried_out
from bot.process import check, check_live, remove_commands, run
from bot.simulate import calibrate
from bot.simulate import run as simulate
from bot.store.damage import DatabaseError, PassingError

BAD_SETTINGS = 2
TRY_LATER = 75
"""EX_TEMPFAIL: a service manager may start the bot again."""

NO_TOKEN = "DISCORD_TOKEN: Discord does not take this token (see .env.example)"  # noqa: S105 words

try:
    import uvloop
except ImportError:  # Windows has none
    _new_loop = asyncio.new_event_loop
else:
    _new_loop = uvloop.new_event_loop


def main() -> int:
    """The exit code: 0 after a clean stop, 2 when a setting has to be mended, 75 when Discord
    cannot be reached or refuses the bot for a while.
    """
    arguments = sys.argv[1:]
    match arguments:
        case ["demo", *more]:
            return _demo(more)
        case ["bench", *more]:
            return bench(more)
        case ["simulate", *more]:
            return simulate.main(more)
        case ["calibrate", *more]:
            return calibrate.main(more)
        case _:
            pass
    try:
        config = read()
    except ConfigError as error:
        return _say(str(error))
    try:
        set_up(config)
    except OSError as error:
        return _say(f"LOG_FILE: {error} (see .env.example)")
    if arguments:
        return _asked(arguments, config)
    return _run(config)


def _run(config: Config) -> int:
    try:
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            runner.run(run(config))
    except KeyboardInterrupt:
        pass
    except Exception as error:
        problem, code = ending(error)
        return _say(problem, code)
    return 0


def ending(error: BaseException) -> tuple[str, int]:
    """What is said of what ended the bot, and the exit code. Raises what nobody has foreseen."""
    match error:
        case PassingError():
            return str(error), TRY_LATER
        case ConfigError() | DatabaseError():
            return str(error), BAD_SETTINGS
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # the gateway's for it
            return NO_TOKEN, BAD_SETTINGS
        case discord.ConnectionClosed():
            return f"Discord has closed the connection for good: {error}", TRY_LATER
        case AwayError():
            return str(error), TRY_LATER
        case _:
            raise error


def _demo(arguments: list[str]) -> int:
    """A bot with a token never loads the demo and what only that needs."""
    try:
        from bot.demo.run import main as demo  # noqa: PLC0415 said above
    except ModuleNotFoundError as error:
        return _say(f"the demo needs {error.name}: pip install '.[demo]'")
    return demo(arguments, _new_loop)


def _asked(arguments: Sequence[str], config: Config) -> int:
    """A command that ends by itself."""
    match arguments:
        case ["check"]:
            return _check(check(config))
        case ["check", "--live", channel] if channel.isdecimal():
            return _check(check_live(config, int(channel)))
        case _:
            pass
    if arguments == ["remove-commands"]:
        return _remove_commands(config)
    try:
        answer = carried_out(arguments, config)
    except DatabaseError as error:
        return _say(str(error))
    if answer is None:
        return _say(f"python -m bot {' '.join(arguments)}: unknown (see docs/commands.md)")
    sys.stdout.write(answer + "\n")
    return 0


def _check(checking: Coroutine[None, None, tuple[Finding, ...]]) -> int:
    """A line for each thing; 2 when one of them has to be mended."""
    logging.disable(logging.CRITICAL)
    try:
        found = asyncio.run(checking)
    except Exception as error:
        problem, code = ending(error)
        return _say(problem, code)
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return BAD_SETTINGS if any(one.mark is Mark.MEND for one in found) else 0


def _remove_commands(config: Config) -> int:
    """A line for each server that had commands of an earlier bot."""
    logging.disable(logging.CRITICAL)
    try:
        count = asyncio.run(remove_commands(config, _removed))
    except Exception as error:
        problem, code = ending(error)
        return _say(problem, code)
    if not count:
        sys.stdout.write("no server has commands of an earlier bot\n")
    return 0


def _removed(one: Leftover) -> None:
    sys.stdout.write(f"removed {one}\n")


def _say(problem: str, code: int = BAD_SETTINGS) -> int:
    sys.stderr.write(problem + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
