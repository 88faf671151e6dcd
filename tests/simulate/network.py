"""TCP in memory: bytes arrive in order, at once, or the connection breaks."""

import asyncio
import contextvars
import socket
import ssl
from asyncio.sslproto import SSLProtocol
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.simulate.owner import NOBODY, PROCESS

if TYPE_CHECKING:
    from tests.simulate.loop import VirtualLoop

_feed: Callable[[asyncio.BufferedProtocol, bytes], None]
_feed = vars(asyncio.protocols)["_feed_data_to_buffered_proto"]
FIRST_PORT = 20_000
HOST = "127.0.0.1"


class Network:
    """Every listener and every open connection of a simulation."""

    def __init__(self, loop: "VirtualLoop") -> None:
        self._loop = loop
        self._listeners: dict[int, Listener] = {}
        self._addresses: dict[int, tuple[socket.socket, int]] = {}
        self._open: dict[int, list[Transport]] = {}
        self._next_port = FIRST_PORT

    def listen(
        self, factory: Callable[[], Any], port: int, context: ssl.SSLContext | None
    ) -> "Listener":
        """`context`: a server's, for TLS."""
        if context is not None:
            factory = partial(_encrypted, self._loop, factory, context)
        if not port:
            port, self._next_port = self._next_port, self._next_port + 1
        if port in self._listeners:
            raise OSError(f"port {port} is in use")
        listener = Listener(self, factory, port)
        self._listeners[port] = listener
        return listener

    def forget(self, port: int) -> None:
        self._listeners.pop(port, None)

    def address(self, sock: socket.socket, address: tuple[str, int]) -> None:
        """Where this socket is to be connected. Raises ConnectionRefusedError."""
        port = address[1]
        if port not in self._listeners:
            raise ConnectionRefusedError(f"nobody listens on {address}")
        self._addresses[sock.fileno()] = (sock, port)

    def connect(
        self, factory: Callable[[], Any], port: int | None, sock: socket.socket | None
    ) -> tuple["Transport", Any]:
        if sock is not None:
            _, port = self._addresses.pop(sock.fileno())
            sock.close()
        listener = self._listeners.get(port or 0)
        if listener is None:
            raise ConnectionRefusedError(f"nobody listens on port {port}")
        near, far = Transport(self._loop, port), Transport(self._loop, port, listener.context)
        near.peer, far.peer = far, near
        protocol = factory()
        for end, its in ((far, listener.context.run(listener.factory)), (near, protocol)):
            end.set_protocol(its)
            self._track(end)
            end.context.run(its.connection_made, end)
        return near, protocol

    async def connect_safely(
        self,
        factory: Callable[[], Any],
        port: int | None,
        sock: socket.socket | None,
        context: ssl.SSLContext,
        host: str | None,
    ) -> tuple[asyncio.Transport, Any]:
        """Connect, and shake hands as TLS does, with real keys and certificates."""
        waiter = self._loop.create_future()
        made: list[Any] = []

        def encrypted() -> SSLProtocol:
            made.append(factory())
            return SSLProtocol(self._loop, made[0], context, waiter, server_hostname=host)

        raw, protocol = self.connect(encrypted, port, sock)
        try:
            await waiter
        except BaseException:
            raw.close()
            raise
        return protocol._app_transport, made[0]

    def kill(self, process: int) -> None:
        """The system closes what a dead process held; whoever it talked to hears of it."""
        for end in self._open.pop(process, []):
            end.die()

    @property
    def open_connections(self) -> dict[int, int]:
        """How many each process holds."""
        return {
            process: len([end for end in ends if not end.is_closing()])
            for process, ends in self._open.items()
        }

    def _track(self, end: "Transport") -> None:
        ends = self._open.setdefault(end.process, [])
        ends[:] = [one for one in ends if not one.is_closing()]
        ends.append(end)


def _encrypted(
    loop: "VirtualLoop", factory: Callable[[], Any], context: ssl.SSLContext
) -> SSLProtocol:
    """The server's end of a connection with TLS."""
    nobody: Any = None  # waits for its handshake
    return SSLProtocol(loop, factory(), context, nobody, server_side=True)


class Listener(asyncio.AbstractServer):
    """A listening socket. Connections belong to the context that opened it."""

    def __init__(self, network: Network, factory: Callable[[], Any], port: int) -> None:
        self._network = network
        self.factory = factory
        self.port = port
        self.context = contextvars.copy_context()
        self.sockets = (self,)

    def getsockname(self) -> tuple[str, int]:
        return HOST, self.port

    def close(self) -> None:
        self._network.forget(self.port)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def start_serving(self) -> None:
        """It serves from the first moment."""

    async def serve_forever(self) -> None:
        await asyncio.get_running_loop().create_future()

    def is_serving(self) -> bool:
        return True

    async def wait_closed(self) -> None:
        return None


class Transport(asyncio.Transport):
    """One end of a connection."""

    peer: "Transport"

    def __init__(
        self, loop: "VirtualLoop", port: int | None, context: contextvars.Context | None = None
    ) -> None:
        super().__init__({"peername": (HOST, port), "sockname": (HOST, 0)})
        self._loop = loop
        # An empty context is false, and a world's own context may be empty.
        self.context = contextvars.copy_context() if context is None else context
        self._protocol: Any = None
        self._arrived: deque[bytes | None] = deque()
        self._paused = self._closing = self._lost = self._scheduled = False

    @property
    def process(self) -> int:
        return self.context.get(PROCESS, NOBODY)

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_protocol(self) -> Any:
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    # -- sending ----------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        if not self._closing and data:
            self.peer.arrive(bytes(data))

    def can_write_eof(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """What is written has arrived: nothing is ever buffered."""

    def close(self) -> None:
        """What was written before still arrives."""
        if not self._closing:
            self._closing = True
            self._soon(self._lose, None)
            self.peer.arrive(None)

    def abort(self) -> None:
        """The connection breaks: the other end hears of it."""
        if not self._closing:
            self._closing = True
            self._soon(self._lose, None)
        self.peer.break_off()

    def _force_close(self, _: Exception | None) -> None:
        """As asyncio's TLS calls it."""
        self.abort()

    def die(self) -> None:
        """The process of this end is dead: only the other end hears of it."""
        self._closing = self._lost = True
        self.peer.break_off()

    # -- receiving --------------------------------------------------------------------------

    def arrive(self, data: bytes | None) -> None:
        """Bytes for this end, or None for the end of them."""
        if not self._lost:
            self._arrived.append(data)
            self._deliver_soon()

    def break_off(self) -> None:
        self._arrived.clear()
        if not self._closing:
            self._closing = True
            self._soon(self._lose, ConnectionResetError("connection reset by peer"))

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        self._paused = False
        self._deliver_soon()

    def _soon(self, callback: Callable[..., object], *args: object) -> None:
        self._loop.call_soon(callback, *args, context=self.context)

    def _deliver_soon(self) -> None:
        if self._arrived and not self._scheduled and not self._paused:
            self._scheduled = True
            self._soon(self._deliver)

    def _deliver(self) -> None:
        self._scheduled = False
        while self._arrived and not self._paused and not self._lost:
            data = self._arrived.popleft()
            if data is None:
                if not self._protocol.eof_received():
                    self.close()
                return
            if not self._closing and isinstance(self._protocol, asyncio.BufferedProtocol):
                _feed(self._protocol, data)
            elif not self._closing:
                self._protocol.data_received(data)

    def _lose(self, error: Exception | None) -> None:
        if not self._lost:
            self._lost = True
            self._protocol.connection_lost(error)
