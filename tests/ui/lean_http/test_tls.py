"""The lean client over real sockets and real TLS, on both event loops."""

import asyncio
import shutil
import ssl
from collections.abc import Callable, Coroutine, Iterator

import pytest
import uvloop

from bot.fakediscord.serving.certificates import Certificate
from tests.ui.lean_http.scripted import CLOSE, HOST, Act, answer, says, serving

pytestmark = [
    pytest.mark.real("TLS over a socket"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate"),
]
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
on_each_loop = pytest.mark.parametrize("new_loop", LOOPS.values(), ids=LOOPS)
NewLoop = Callable[[], asyncio.AbstractEventLoop]
BODY = b'{"id": "7"}'
LARGE = b"x" * 200_000


def run(new_loop: NewLoop, work: Coroutine[None, None, None]) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(work)


@pytest.fixture(scope="module")
def certificate() -> Iterator[Certificate]:
    made = Certificate()
    yield made
    made.close()


@pytest.fixture
def trusted(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    context = certificate.context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


async def gone(count: Callable[[], int]) -> None:
    async with asyncio.timeout(60):
        while count():  # noqa: ASYNC110 the server and the client have no event for it
            await asyncio.sleep(0.01)


@on_each_loop
def test_exchanges_over_tls(trusted: ssl.SSLContext, new_loop: NewLoop) -> None:
    """Kept, split, ended by the server while idle, cancelled, without a length, large."""

    async def story() -> None:
        slow = Act([b"", answer(b"late")], pause=1000)
        acts = (
            *(says(BODY), Act([answer(BODY)[:30], answer(BODY)[30:]]), says(LARGE), slow),
            *(Act([b"HTTP/1.1 200 OK\r\n\r\n", BODY], CLOSE), says(BODY)),
        )
        async with serving(*acts, context=trusted) as side:
            for body in (BODY, BODY, LARGE):
                assert (await side.ask()).body == body
            (peer,) = side.server.peers
            assert (
                peer.transport.get_extra_info("ssl_object").selected_alpn_protocol() == "http/1.1"
            )
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await side.ask()
            await gone(lambda: side.server.open)
            assert (await side.ask()).body == BODY
            await gone(lambda: side.client.pool.open)
            await side.ask()
            side.server.peers[-1].transport.close()
            await gone(lambda: side.client.pool.open)
            assert [len(lines) for lines in side.server.requests] == [4, 1, 1]

    run(new_loop, story())


@on_each_loop
def test_stranger_is_not_asked_anything(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch, new_loop: NewLoop
) -> None:
    """A certificate that nobody trusts, and one for another name."""

    async def refused(host: str, why: str) -> None:
        async with serving(says(), context=certificate.context(), host=host) as side:
            with pytest.raises(ssl.SSLCertVerificationError, match=why):
                await side.ask()
            assert not any(side.server.requests)
            assert side.client.pool.open == 0

    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    run(new_loop, refused(HOST, "self-signed certificate"))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    run(new_loop, refused("localhost", "Hostname mismatch"))


@on_each_loop
def test_exchanges_over_plain_sockets(new_loop: NewLoop) -> None:
    async def story() -> None:
        async with serving(says(LARGE)) as side:
            for _ in range(2):
                request = side.client.request("PATCH", "/", LARGE, repeatable=True)
                assert (await request).body == LARGE
            assert [len(peer.requests) for peer in side.server.peers] == [2]

    run(new_loop, story())
