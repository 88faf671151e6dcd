"""From a command line to an exit code."""

# ruff: noqa: PLC0415 a command imports only what it needs
import argparse
import os
import sys
from collections.abc import Sequence

from bot.cli import parser
from bot.cli.exits import INTERRUPTED, UNREAD, refused

EXTRAS = {"redis": ("groups", "VALKEY_URL")}
"""By package, the extra that installs it, and the setting that needs it."""


def main(words: Sequence[str] | None = None) -> int:
    """Carry out a command line (default: this process's) and return the exit code.

    0: done. 2: something must be fixed first. 75: Discord can't be reached, or refuses the bot
    for a while. 130: Ctrl-C. 141: nobody reads the output any longer. Raises SystemExit where
    argparse does.
    """
    words = sys.argv[1:] if words is None else words
    try:
        try:
            return _done(words)
        finally:
            _flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] == "bot":
            raise
        return refused(_not_installed(error.name))
    except BrokenPipeError:
        if not _is_unread():
            raise
        return UNREAD


def _done(words: Sequence[str]) -> int:
    match words:
        case [name, *more] if name in parser.OWN:
            return _own(name, more)
        case _:
            return _carried_out(parser.read(words))


def _not_installed(module: str) -> str:
    """Return what to do about a package that is missing, as after a pull without an install."""
    from bot.ops.releases import upgrade

    package = module.partition(".")[0]
    if package in EXTRAS:
        extra, setting = EXTRAS[package]
        done = upgrade.with_extra(extra, package)
        return f"{setting}: {package} is not installed, and this setting needs it: `{done}`"
    return f"{module} is not installed, and this version needs it: `{upgrade.installation()}`"


def _flush() -> None:
    if sys.stdout is not None:  # as it is for a process without one
        sys.stdout.flush()


def _is_unread() -> bool:
    """Return whether nobody reads the output any more, and let the rest of it go nowhere."""
    try:
        _flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _own(name: str, words: list[str]) -> int:
    match name:
        case "bench":
            from bot.bench import main as bench

            return bench(words)
        case "simulate" | "calibrate":
            return _simulation(name, words)
        case _:
            return _demo(words)


def _simulation(name: str, words: list[str]) -> int:
    from bot.ops.progress_bar import shown
    from bot.simulate import calibrate, run

    command = run.main if name == "simulate" else calibrate.main
    with shown(name) as progress:
        return command(words, progress, progress.say)


def _demo(words: list[str]) -> int:
    from bot.cli.loop import new_loop
    from bot.demo.run import main as demo

    return demo(words, new_loop)


def _carried_out(given: argparse.Namespace) -> int:
    match given.command:
        case "backup" | "restore" | "export" | "ratings":
            from bot.cli.offline import carried_out

            return carried_out(given)
        case "split" | "merge":
            from bot.cli.offline import moved

            return moved(given)
        case "setup":
            from bot.cli import setup

            return setup.carried_out(given)
        case "verify":
            from bot.verify.command import main as verify

            return verify(given.files)
        case _:
            from bot.cli.open_files import too_few_files

            if (problem := too_few_files()) is not None:
                return refused(problem)
            from bot.ops import gc_tuning

            gc_tuning.building()
            return _online(given)


def _online(given: argparse.Namespace) -> int:
    if given.command in {"check", "remove-commands"}:
        from bot.cli import checks

        return checks.carried_out(given)
    from bot.cli import online

    return online.carried_out(takes_over=given.take_over)
