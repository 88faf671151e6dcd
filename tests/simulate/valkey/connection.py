"""One client's connection: its commands in order, one after the other."""

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from tests.simulate.valkey.resp import (
    NOTHING,
    OK,
    QUEUED,
    CommandError,
    Reply,
    Requests,
    encoded,
)
from tests.simulate.valkey.streams import pinned

if TYPE_CHECKING:
    from tests.simulate.valkey.server import Valkey

WAITS = ("BLPOP", "XREAD")
LISTENING = frozenset({"SUBSCRIBE", "UNSUBSCRIBE", "PING"})


class Connection(asyncio.Protocol):
    """A client at the server's end. A command that waits holds up those behind it."""

    def __init__(self, server: "Valkey") -> None:
        self._server = server
        self._requests = Requests()
        self._commands: deque[list[bytes]] = deque()
        self._queued: list[list[bytes]] | None = None  # since MULTI
        self._waiting: list[bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_busy = False
        self.channels: dict[bytes, None] = {}
        self.transport: Any = None

    @property
    def process(self) -> int:
        """The process that has connected."""
        number: int = self.transport.peer.process
        return number

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self._server.connections.append(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """What a cut keeps on the way arrives after it, though nobody waits for the reply."""
        if self._server.is_cut(self.process):
            self._server.kept.extend(self._commands)
        self._commands.clear()
        self._forget()
        if self in self._server.connections:
            self._server.connections.remove(self)

    def abort(self) -> None:
        self.transport.abort()
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        self._commands.extend(self._requests.feed(data))
        self.wake()

    def wake(self) -> None:
        """Go on with the next command, unless one is under way or nothing gets through."""
        if self._commands and not self._is_busy and not self._server.is_cut(self.process):
            self._is_busy = True
            delay = self._server.delay()
            self._timer = self._server.loop.call_later(delay, self._next)

    def send(self, reply: Reply) -> None:
        """Send a reply or a message. It gets lost in a cut, and the client gives up."""
        if not self._server.is_cut(self.process):
            self.transport.write(encoded(reply))

    def look(self) -> None:
        """Look again for what a command waits for."""
        if self._waiting is not None:
            reply = self._server.run(self._waiting)
            if reply is not NOTHING:
                self._end_of_wait(reply)

    # -- commands ---------------------------------------------------------------------------

    def _next(self) -> None:
        words = self._commands.popleft()
        name = words[0].decode().upper()
        if name in WAITS and self._queued is None:
            reply = self._server.run(words)
            if reply is NOTHING and (seconds := _patience(name, words)) is not None:
                if name == "XREAD":
                    words = [words[0], *pinned(self._server.store, words[1:])]
                self._wait(words, seconds)
                return
            self._done(reply)
        elif name in {"SUBSCRIBE", "UNSUBSCRIBE"}:
            self._listen(name, words[1:])
        elif self.channels and name not in LISTENING:
            self._done(CommandError(f"ERR Can't execute '{name.lower()}' in this context"))
        else:
            self._done(self._run(name, words))

    def _run(self, name: str, words: list[bytes]) -> Reply:
        if self._queued is None:
            match name:
                case "MULTI":
                    self._queued = []
                    return OK
                case "EXEC" | "DISCARD":
                    return CommandError(f"ERR {name} without MULTI")
                case _:
                    return self._server.run(words)
        if name == "MULTI":
            return CommandError("ERR MULTI calls can not be nested")
        if name == "EXEC":
            queued, self._queued = self._queued, None
            return [self._server.run(one) for one in queued]
        if name == "DISCARD":
            self._queued = None
            return OK
        self._queued.append(words)
        return QUEUED

    def _done(self, reply: Reply) -> None:
        """Reply. Then those who wait look whether the command brought what they wait for."""
        self.send(reply)
        self._goes_on()
        self._server.look_again()

    def _goes_on(self) -> None:
        self._is_busy = False
        self.wake()

    def _listen(self, name: str, channels: list[bytes]) -> None:
        for one in channels or [*self.channels]:
            if name == "SUBSCRIBE":
                self.channels[one] = None
            else:
                self.channels.pop(one, None)
            self.send([name.lower().encode(), one, len(self.channels)])
        self._goes_on()

    def _wait(self, words: list[bytes], seconds: float) -> None:
        self._waiting = words
        if seconds > 0:
            self._timer = self._server.loop.call_later(seconds, self._end_of_wait, NOTHING)

    def _end_of_wait(self, reply: Reply) -> None:
        self._forget()
        self.send(reply)
        self._goes_on()

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._waiting = None


def _patience(name: str, words: list[bytes]) -> float | None:
    """Return the seconds that a command wants to wait, 0 for ever, None not at all."""
    if name == "BLPOP":
        return float(words[-1])
    upper = [one.upper() for one in words]
    if b"BLOCK" not in upper[: upper.index(b"STREAMS")]:
        return None
    return int(words[upper.index(b"BLOCK") + 1]) / 1000
