"""The server: connections, waiting commands, channels, and how it can be missing."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.simulate.loop import VirtualLoop
from tests.simulate.valkey.commands import COMMANDS
from tests.simulate.valkey.connection import Connection
from tests.simulate.valkey.resp import CommandError, Reply
from tests.simulate.valkey.store import Snapshot, Store, integer
from tests.simulate.valkey.streams import STREAMS
from tests.simulate.valkey.twins import TWINS

PORT = 6379
KNOWN = {**COMMANDS, **STREAMS}
GROWS = frozenset(
    {"SET", "INCR", "DECR", "INCRBY", "HSET", "HSETNX", "HINCRBY", "SADD", "RPUSH", "LPUSH", "XADD"}
)
"""Commands that a full server refuses, also in a script. What a script did before them stays."""
BRING = frozenset({"RPUSH", "LPUSH", "XADD"})
"""Commands that may bring what another client waits for."""
FULL = "OOM command not allowed when used memory > 'maxmemory'."
NEEDS_ITS_CLIENT = frozenset(
    {b"SUBSCRIBE", b"UNSUBSCRIBE", b"BLPOP", b"XREAD", b"MULTI", b"EXEC", b"DISCARD"}
)
"""Commands that do nothing without the connection that they came by."""


class Valkey:
    """One server of a simulation: after a start it has what a snapshot has, or nothing.

    `delay` returns the seconds from a command's arrival to its effect, and `is_cut` whether a
    process's bytes get lost on the way now. Both hold for every group that asks. `is_full`: it
    takes nothing new, as by `noeviction`. `unknown`: what it was asked for and doesn't know, which
    no run may leave behind.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        self.loop = loop
        self.store = Store(lambda: round(loop.wall() * 1000))
        self.delay: Callable[[], float] = lambda: 0.0
        self.is_cut: Callable[[int], bool] = lambda process: False
        self.is_full = False
        self.unknown: list[str] = []
        self.kept: list[list[bytes]] = []
        self.connections: list[Connection] = []
        self.commands = 0
        self._listener: Any = None
        self._has_brought = False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{PORT}"

    @property
    def is_running(self) -> bool:
        return self._listener is not None

    async def start(self, snapshot: Snapshot | None = None) -> None:
        """Take connections, which belong to nobody's process. None: it was never saved."""
        if snapshot is not None:
            self.store.restore(snapshot)
        self.store.starts += 1
        self.store.started = self.store.now()
        self._listener = await self.loop.create_server(lambda: Connection(self), port=PORT)

    def kill(self) -> None:
        """End it at once, with all that it held. Whoever was connected hears of it."""
        self._listener.close()
        self._listener = None
        for one in [*self.connections]:
            one.abort()
        self.store.empty()
        self.kept.clear()

    def mended(self) -> None:
        """Let what a cut kept on the way arrive: TCP sends it again."""
        kept, self.kept = self.kept, []
        for words in kept:
            if words[0].upper() not in NEEDS_ITS_CLIENT:
                self.run(words)
        for one in [*self.connections]:
            one.wake()

    # -- commands ---------------------------------------------------------------------------

    def run(self, words: list[bytes]) -> Reply:
        """Carry out a command that waits for nothing. Its errors are its reply."""
        self.commands += 1
        try:
            return self._ran(words[0].decode().upper(), words[1:])
        except CommandError as error:
            return error

    def look_again(self) -> None:
        """Look at what waits for an entry, if one has come."""
        if self._has_brought:
            self._has_brought = False
            for one in [*self.connections]:
                one.look()

    def publish(self, channel: bytes, message: bytes) -> int:
        """Tell everyone who listens; return how many."""
        heard = [one for one in self.connections if channel in one.channels]
        for one in heard:
            one.send([b"message", channel, message])
        return len(heard)

    def _ran(self, name: str, words: list[bytes]) -> Reply:
        if name == "PUBLISH":
            return self.publish(*words)
        if name == "EVAL":
            return self._eval(words)
        if name not in KNOWN:
            self.unknown.append(name)
            raise CommandError(f"ERR unknown command '{name}'")
        if self.is_full and name in GROWS:
            raise CommandError(FULL)
        self._has_brought |= name in BRING
        least, command = KNOWN[name]
        if len(words) < least:
            raise CommandError(f"ERR wrong number of arguments for '{name.lower()}' command")
        return command(self.store, words)

    def _eval(self, words: list[bytes]) -> Reply:
        script, count, *rest = words
        twin = TWINS.get(script.decode())
        if twin is None:
            self.unknown.append(f"a script without a twin: {script.decode()}")
            raise CommandError("ERR unknown script")
        keys = integer(count)
        return twin(self._call, rest[:keys], rest[keys:])

    def _call(self, name: str, *words: bytes | str | int) -> Reply:
        return self._ran(
            name, [one if isinstance(one, bytes) else f"{one}".encode() for one in words]
        )
