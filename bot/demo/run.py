"""The life of a demo, from the options to the farewell."""

import asyncio
import logging
import os
import signal
import sqlite3
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from bot.demo import kept, options
from bot.demo.backend import opening
from bot.demo.backend.bot_runner import BotRunner
from bot.demo.backend.world import DemoWorld, build
from bot.demo.bounds import tidy_forever
from bot.demo.discordpy import UnfitError, pointed_at
from bot.demo.options import Options
from bot.demo.web.page import ADDRESS, Page, PortError
from bot.ops.signals import subscribe
from bot.store.database.errors import DatabaseError
from bot.store.database.lock import only_process
from bot.tasks import OwnedTasks

CANNOT = 2
"""Exit code for what the person at the keyboard must fix."""


def main(arguments: Sequence[str], new_loop: Callable[[], asyncio.AbstractEventLoop]) -> int:
    """Run the demo. Return 0 after a clean stop, 2 if something must be fixed."""
    given = options.read(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # It warns that it cannot speak, and of answers that come before it looks at its watch.
    for name in ("discord.client", "discord.gateway"):
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner, ExitStack() as stack:
            path = given.keep or _temporary(stack)
            stack.enter_context(only_process(path))
            runner.run(_run(given, path))
    except (DatabaseError, UnfitError, PortError) as error:
        return _say(str(error))
    except (sqlite3.Error, PermissionError) as error:
        return _say(f"the database cannot be used: {error}")
    end = f"The tables are kept in {given.keep}" if given.keep else "Nothing was kept"
    sys.stdout.write(f"\nGoodbye. {end}.\n")
    return 0


def _say(problem: str) -> int:
    sys.stderr.write(f"{problem}\n")
    return CANNOT


def _temporary(stack: ExitStack) -> Path:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ligretto-"))
    return Path(folder) / "demo.sqlite3"


async def _run(given: Options, path: Path) -> None:
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        subscribe(number, told.set)
    world = build(given.language)
    kept.load(world, kept.beside(path))
    async with world.server as server:
        with pointed_at(server.url, server.ws_url):
            async with _playing(world, given, path) as port:
                _greet(world, port)
                await told.wait()
    if given.keep is not None:
        kept.save(world, kept.beside(path))


@asynccontextmanager
async def _playing(world: DemoWorld, given: Options, path: Path) -> AsyncIterator[int]:
    """Run the page and the bot within this block. Yield the page's port."""
    tasks, bot = OwnedTasks(), BotRunner(world, path)
    page = Page(world, bot)
    try:
        port = await page.start(given.port)
        await bot.prepare()
        tasks(bot.run(), name="bot runner")
        tasks(tidy_forever(world), name="tidy")
        if given.seats is not None:
            tasks(opening.open_table(world, given.seats), name="seats")
        if given.browser and _has_display():
            tasks(_open(_url(port, next(iter(world.people)))), name="browser")
        yield port
    finally:
        await page.stop()
        await tasks.stop()


def _greet(world: DemoWorld, port: int) -> None:
    first, *others = world.people
    lines = ["The Ligretto demo is ready. Open this in a browser:", ""]
    lines += [f"    {_url(port, first)}", "", "Others play in their own tabs:", ""]
    lines += [f"    {_url(port, name)}" for name in others]
    lines += ["", "Press Ctrl-C to stop.", ""]
    sys.stdout.write("\n".join(lines))
    sys.stdout.flush()


def _url(port: int, name: str) -> str:
    return f"http://{ADDRESS}:{port}/?as={name}"


async def _open(url: str) -> None:
    """Open a page in the browser, from a thread: some browsers let their caller wait."""
    await asyncio.to_thread(webbrowser.open, url)


def _has_display() -> bool:
    """Return whether there is a display: a browser in the terminal would take it over."""
    return sys.platform != "linux" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
