"""Every name of other libraries that a simulation replaces, in one place that checks itself.

The bot itself is not patched: it takes its clock and its chance from outside.
"""

import asyncio
import datetime as dt
import random
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import aiohttp.connector
import aiohttp.cookiejar
import aiohttp.helpers
import aiosqlite
import discord
import discord.backoff
import discord.gateway
import discord.ui.view

from tests.simulate.heartbeat import Heartbeat
from tests.simulate.sqlite import DIRECT

if TYPE_CHECKING:
    from tests.simulate.loop import VirtualLoop

T = TypeVar("T")
Place = tuple[Any, str]

HARMLESS = frozenset(
    {
        "discord.abc",  # nonces of its own that the bot does not use
        "discord.app_commands.checks",  # cooldowns, which the bot does not use
        "discord.webhook.sync",  # webhooks without an event loop
        "aiohttp.web_response",  # the date in a log line
        "aiohttp.web_log",  # access logs, which are off
        "aiohttp.client_middleware_digest_auth",
        "bot.clock",  # the machine's own clock, which a simulation does not use
        "bot.bench.run",
        "bot.ops.check.run",
        "bot.ops.restore",
    }
)
"""Modules that read time by themselves and whose reading changes nothing in a simulation."""
LIBRARIES = ("discord", "aiohttp", "aiosqlite", "aiohappyeyeballs", "bot")
"""Whose modules are looked through for readings of time that nobody has thought of."""


class UnfitError(Exception):
    """A library is not as it was known. The message says what is missing."""


class Patches:
    """Replaces what reads time, starts threads or draws by chance, until `undo`."""

    def __init__(self, loop: "VirtualLoop", seed: int) -> None:
        self._before: list[tuple[Any, str, Any]] = []
        virtual = ModuleType("time")
        readers = {"time": loop.wall, "monotonic": loop.time, "perf_counter": loop.time}
        vars(virtual).update(vars(time) | readers | {"sleep": _never})
        chance = random.Random(seed)
        drawn = SimpleNamespace(Random=lambda: _Seeded(chance.random()))
        for module in clocked():
            self._put(module, "time", virtual)
        self._put(aiohttp.connector, "monotonic", loop.time)
        # The other one reads the machine's name servers at every start, and ends in a thread.
        self._put(aiohttp.connector, "DefaultResolver", aiohttp.ThreadedResolver)
        self._put(aiohttp.ClientSession, "__init__", _told(aiohttp.ClientSession, loop.opened))
        connection = aiohttp.connector.Connection
        self._put(connection, "__init__", _told(connection, loop.connected))
        self._put(asyncio.Lock, "__init__", _told(asyncio.Lock, loop.made))
        self._put(discord.backoff, "random", drawn)
        self._put(discord.gateway, "KeepAliveHandler", Heartbeat)
        self._put(discord.utils, "utcnow", _utc(loop.wall))
        for name, value in DIRECT.items():
            self._put(aiosqlite.Connection, name, value)

    def undo(self) -> None:
        """Everything is as it was. A second call does nothing."""
        while self._before:
            owner, name, value = self._before.pop()
            setattr(owner, name, value)

    def _put(self, owner: Any, name: str, value: object) -> None:
        if not hasattr(owner, name):
            raise UnfitError(f"{owner!r} has no {name} any more")
        self._before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)


def clocked() -> list[ModuleType]:
    """The loaded modules of the libraries that read time through the name `time`."""
    return [one for one in _timed(len(sys.modules)) if getattr(one, "time", None) is time]


@lru_cache(maxsize=1)
def _timed(loaded: int) -> list[ModuleType]:
    """Modules with a `time`, real or replaced; looked for again once more modules are loaded."""
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in LIBRARIES
        and name not in HARMLESS
        and isinstance(getattr(module, "time", None), ModuleType)
    ]


def unforeseen() -> list[str]:
    """Modules that hold a function that reads time in a way no patch here reaches."""
    readers: set[Any] = {time.time, time.monotonic, time.perf_counter, time.sleep}
    known = {("aiohttp.connector", "monotonic")}
    return [
        f"{name}.{attribute}"
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in LIBRARIES and name not in HARMLESS
        for attribute, value in vars(module).items()
        if type(value).__name__ == "builtin_function_or_method"
        and value in readers
        and (name, attribute) not in known
    ]


class _Seeded(random.Random):
    """Stays as it was seeded, also when it is told to draw a seed from the machine."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        if a is not None:
            super().seed(a, version)


def _told(kind: type[T], tell: Callable[[T], None]) -> Callable[..., None]:
    begin: Callable[..., None] = vars(kind)["__init__"]

    def begun(self: T, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        tell(self)

    return begun


def _utc(wall: Callable[[], float]) -> Callable[[], dt.datetime]:
    return lambda: dt.datetime.fromtimestamp(wall(), dt.UTC)


def _never(seconds: float) -> None:
    raise AssertionError(f"something sleeps for {seconds} s and holds up the loop")
