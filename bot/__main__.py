"""`python -m bot`: read the settings, run the bot."""

import asyncio
import logging
import sys

import discord

from bot.app import run
from bot.bench import main as bench
from bot.config import Config, ConfigError, read
from bot.simulate import run as simulate
from bot.store.damage import DatabaseError
from bot.store.ratings import recomputed

BAD_SETTINGS = 2

try:
    import uvloop
except ImportError:  # Windows has none
    _new_loop = asyncio.new_event_loop
else:
    _new_loop = uvloop.new_event_loop


def main() -> int:
    """The exit code: 0 after a clean stop, 2 when a setting has to be mended."""
    match sys.argv[1:]:
        case ["demo", *arguments]:
            return _demo(arguments)
        case ["bench", *arguments]:
            return bench(arguments)
        case ["simulate", *arguments]:
            return simulate.main(arguments)
        case _:
            pass
    try:
        config = read()
    except ConfigError as error:
        return _say(str(error))
    _log(config)
    if sys.argv[1:] == ["ratings"]:
        return _ratings(config)
    try:
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            runner.run(run(config))
    except KeyboardInterrupt:
        pass
    except DatabaseError as error:
        return _say(str(error))
    except discord.LoginFailure:
        return _say("DISCORD_TOKEN: Discord does not take this token (see .env.example)")
    return 0


def _demo(arguments: list[str]) -> int:
    """A bot with a token never loads the demo and what only that needs."""
    try:
        from bot.demo.run import main as demo  # noqa: PLC0415 said above
    except ModuleNotFoundError as error:
        return _say(f"the demo needs {error.name}: pip install '.[demo]'")
    return demo(arguments, _new_loop)


def _ratings(config: Config) -> int:
    """Work out every rating anew. The bot must not be running."""
    try:
        matches = asyncio.run(recomputed(config.database_path))
    except DatabaseError as error:
        return _say(str(error))
    sys.stdout.write(f"{matches} rated matches: every rating has been worked out anew\n")
    return 0


def _log(config: Config) -> None:
    logging.basicConfig(
        level=config.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    # Below INFO these write tokens into the log.
    for name in ("discord", "aiosqlite", "asyncio"):
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLevelName(config.log_level)))


def _say(problem: str) -> int:
    sys.stderr.write(problem + "\n")
    return BAD_SETTINGS


if __name__ == "__main__":
    sys.exit(main())
