"""`python -m tests.ui.lean_http.cost`: processor time of a POST, by the lean client and by aiohttp.

The server is another process. Rounds alternate, so that a busy machine harms both alike.
"""

import argparse
import asyncio
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection

import aiohttp
import uvloop

from bot.fakediscord.serving.certificates import Certificate
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.dialing import verifying
from tests.ui.lean_http.scripted import AGENT, HOST, TOKEN, Act, Peer, ScriptedServer

BODY = b'{"x":"' + b"y" * 2_070 + b'"}'
AT_ONCE = 50
ANSWER = (
    b"HTTP/1.1 204 No Content\r\n"
    + b"".join(
        b"%b: %b\r\n" % (name, b"v" * length)
        for name, length in (
            *(
                (b"Date", 29),
                (b"Content-Type", 9),
                (b"Connection", 10),
                (b"Via", 10),
                (b"CF-RAY", 20),
            ),
            *((b"Set-Cookie", 180), (b"Set-Cookie", 140), (b"Strict-Transport-Security", 44)),
            *((b"X-Content-Type-Options", 7), (b"CF-Cache-Status", 7), (b"Report-To", 240)),
            *((b"NEL", 60), (b"Server", 10), (b"Alt-Svc", 24), (b"X-RateLimit-Bucket", 32)),
        )
    )
    + b"\r\n"
)
Post = Callable[[], Awaitable[object]]


class Quick(ScriptedServer):
    """Answers at once, and keeps nothing."""

    def answer(self, peer: Peer) -> None:
        peer.requests.clear()
        peer.transport.write(ANSWER)


def serve(told: Connection, certificate: Certificate | None) -> None:
    async def forever() -> None:
        server = Quick(Act())
        told.send(await server.start(certificate.context() if certificate else None))
        await asyncio.Event().wait()

    uvloop.run(forever())


async def spent(post: Post, count: int) -> float:
    """Return the microseconds of a POST."""
    left = iter(range(count))

    async def person() -> None:
        for _ in left:
            await post()

    began = time.process_time()
    await asyncio.gather(*(person() for _ in range(AT_ONCE)))
    return (time.process_time() - began) / count * 1e6


async def compared(base: str, rounds: int, count: int) -> dict[str, float]:
    lean = LeanClient(base, AGENT, TOKEN, lambda *_: None)
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=120, ssl=verifying())
    session = aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), headers={"User-Agent": AGENT}
    )
    headers = {"Content-Type": "application/json"}

    async def by_lean() -> None:
        await lean.request("POST", "/interactions/1/t/callback", BODY, repeatable=True)

    async def by_aiohttp() -> None:
        url = f"{base}/interactions/1/t/callback"
        async with session.post(url, data=BODY, headers=headers) as reply:
            assert reply.ok

    ways: dict[str, Post] = {"lean": by_lean, "aiohttp": by_aiohttp}
    found: dict[str, list[float]] = {name: [] for name in ways}
    async with session:
        for number in range(rounds + 1):
            for name, post in ways.items():
                took = await spent(post, count)
                if number:  # the first round opens the connections
                    found[name].append(took)
    lean.close()
    return {name: statistics.median(took) for name, took in found.items()}


def measured(*, is_tls: bool, rounds: int, count: int) -> dict[str, float]:
    """Return the median microseconds of a POST by each client."""
    certificate = Certificate() if is_tls else None
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("fork").Process(target=serve, args=(there, certificate))
    server.start()
    if certificate is not None:
        os.environ["SSL_CERT_FILE"] = str(certificate.file)
    try:
        base = f"http{'s' * is_tls}://{HOST}:{here.recv()}/api/v10"
        return uvloop.run(compared(base, rounds, count))
    finally:
        server.kill()
        server.join()
        if certificate is not None:
            certificate.close()


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.ui.lean_http.cost", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=2_000, help="a round")
    given = parser.parse_args()
    for name, is_tls in (("plain", False), ("TLS", True)):
        took = measured(is_tls=is_tls, rounds=given.rounds, count=given.requests)
        said = ", ".join(f"{way} {one:.0f} us" for way, one in took.items())
        sys.stdout.write(f"{name}: {said} ({took['lean'] / took['aiohttp']:.2f})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
