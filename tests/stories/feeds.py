"""A server that tells of releases, as GitHub does, or as badly as a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import web

Answer = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Feed:
    """`answer`: how it answers from now on. `requests`: method, path and headers of each."""

    def __init__(self) -> None:
        self.answer: Answer = told({"tag_name": "v0.1.0"})
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.url = ""

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self.requests.append((request.method, request.path_qs, dict(request.headers)))
        return await self.answer(request)


@asynccontextmanager
async def feed() -> AsyncIterator[Feed]:
    """Serve one on this machine, in simulated time too."""
    one = Feed()
    runner = web.ServerRunner(web.Server(one.handle, access_log=None), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        one.url = f"http://127.0.0.1:{runner.addresses[0][1]}/releases/latest"
        yield one
    finally:
        await runner.cleanup()


def told(content: object) -> Answer:
    return sent(json.dumps(content).encode())


def sent(body: bytes, headers: Mapping[str, str] | None = None, status: int = 200) -> Answer:
    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        return web.Response(body=body, status=status, headers=headers)

    return answer


async def silence(request: web.BaseRequest) -> web.StreamResponse:
    """Never answer."""
    await asyncio.sleep(3600)
    return web.Response(status=504)


async def without_end(request: web.BaseRequest) -> web.StreamResponse:
    """Send far more than anybody should read."""
    answer = web.StreamResponse()
    await answer.prepare(request)
    with suppress(ConnectionResetError):  # nobody reads any longer
        for _ in range(64):
            await answer.write(b" " * 2**16)
            await asyncio.sleep(0)
    return answer


async def drip(request: web.BaseRequest) -> web.StreamResponse:
    """Send a space a second for an hour."""
    answer = web.StreamResponse()
    await answer.prepare(request)
    with suppress(ConnectionResetError):
        for _ in range(3600):
            await answer.write(b" ")
            await asyncio.sleep(1)
    return answer


async def in_circles(request: web.BaseRequest) -> web.StreamResponse:
    return web.Response(status=302, headers={"Location": str(request.rel_url)})


async def hung_up(request: web.BaseRequest) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()
