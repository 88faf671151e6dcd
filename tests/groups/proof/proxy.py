"""A way to Valkey that can be cut: connections stay open, and nothing gets through."""

import asyncio
from types import TracebackType
from typing import Self

CHUNK = 65_536


class Proxy:
    """Passes bytes on to a port of this machine: `async with Proxy(port) as proxy`."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._pipes: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Keep whatever comes from now on, in both directions."""
        self._whole.clear()

    def mend(self) -> None:
        """Pass on what was kept, as TCP does when its packets get through again."""
        self._whole.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, to_there = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:  # nobody listens: whoever called hears of it
            writer.transport.abort()
            return
        for source, target in ((reader, to_there), (there, writer)):
            pipe = asyncio.get_running_loop().create_task(self._pass_on(source, target))
            self._pipes.add(pipe)
            pipe.add_done_callback(self._pipes.discard)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(CHUNK):
                await self._whole.wait()
                target.write(data)
                await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()
