"""The connections of the lean client: kept, ended, made anew, closed."""

import asyncio
import errno
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.connection import Connection, UnansweredError
from bot.ui.connection.lean_http.dialing import ADDRESSES_LIVE, CONNECT, NEXT_ADDRESS
from bot.ui.connection.lean_http.pool import KEEP_ALIVE, MOST_IDLE
from tests.simulate.loop import VirtualLoop
from tests.ui.lean_http.scripted import CLOSE, CUT, HOST, Act, ScriptedServer, answer, says, serving

SILENCE = Act()
LARGE = b"x" * 100_000
ENDS = pytest.mark.parametrize("end", [CLOSE, CUT])


async def test_each_request_has_a_connection_of_its_own_while_it_lasts() -> None:
    async with serving(Act([b"", answer(b"1")])) as side:
        await asyncio.gather(*(side.ask(f"/{number}") for number in range(5)))
        assert [len(lines) for lines in side.server.requests] == [1] * 5
        for _ in range(3):
            await side.ask()
        assert sorted(len(lines) for lines in side.server.requests) == [1, 1, 1, 1, 4]


async def test_idle_connections_are_bounded() -> None:
    async with serving(Act([b"", answer()])) as side:
        await asyncio.gather(*(side.ask() for _ in range(MOST_IDLE + 20)))
        await asyncio.sleep(0.1)
        assert side.client.pool.open == side.client.pool.idle == side.server.open == MOST_IDLE


async def test_idle_connection_is_closed_after_a_while() -> None:
    async with serving(Act([b"", answer()])) as side:
        await asyncio.gather(side.ask(), side.ask())
        await asyncio.sleep(KEEP_ALIVE / 2)
        await side.ask()
        await asyncio.sleep(KEEP_ALIVE / 2)
        assert side.server.open == side.client.pool.open == 1
        await asyncio.sleep(KEEP_ALIVE / 2 + 0.1)
        assert side.server.open == side.client.pool.open == 0
        await side.ask()
        assert len(side.server.peers) == 3


@ENDS
async def test_connection_that_ends_while_idle_is_not_used(end: str) -> None:
    async with serving(says()) as side:
        await side.ask()
        (peer,) = side.server.peers
        peer.transport.close() if end == CLOSE else peer.transport.abort()
        await asyncio.sleep(0.1)
        assert side.client.pool.open == side.client.pool.idle == 0
        assert not (await side.ask(repeatable=False)).is_repeat


@ENDS
async def test_repeatable_request_is_sent_again_once_on_a_new_connection(end: str) -> None:
    """The server closes a kept connection as the request comes."""
    async with serving(
        Act([b"", answer()]), Act([b"", answer()]), Act(end=end), says(b"2")
    ) as side:
        await asyncio.gather(side.ask(), side.ask())
        reply = await side.ask()
        assert (reply.body, reply.is_repeat) == (b"2", True)
        assert [len(lines) for lines in side.server.requests] == [1, 2, 1], "not on a new one"
        assert len(side.heard) == 3


@ENDS
async def test_it_is_not_sent_a_third_time(end: str) -> None:
    async with serving(says(), Act(end=end)) as side:
        await side.ask()
        with pytest.raises(ConnectionResetError, match="before the answer"):
            await side.ask()
        assert [len(lines) for lines in side.server.requests] == [2, 1]


@ENDS
async def test_other_requests_are_sent_once(end: str) -> None:
    async with serving(says(), Act(end=end)) as side:
        await side.ask()
        with pytest.raises(ConnectionResetError, match="before the answer"):
            await side.ask(repeatable=False)
        assert [len(lines) for lines in side.server.requests] == [2]


@ENDS
async def test_request_on_a_new_connection_is_sent_once(end: str) -> None:
    async with serving(Act(end=end)) as side:
        with pytest.raises(ConnectionResetError, match="before the answer"):
            await side.ask()
        assert [len(lines) for lines in side.server.requests] == [1]


@ENDS
async def test_request_whose_answer_began_is_sent_once(end: str) -> None:
    async with serving(says(), Act([b"H"], end)) as side:
        await side.ask()
        with pytest.raises(ConnectionResetError, match="in the answer"):
            await side.ask()
        assert [len(lines) for lines in side.server.requests] == [2]


@pytest.mark.parametrize("parts", [[], [b"HTTP/1.1 200 OK\r\n"], [answer(b"{}")[:-1]]])
async def test_nobody_reads_the_answer_to_a_cancelled_request(parts: list[bytes]) -> None:
    late = Act([*parts, b"", answer(b"late")], pause=1.5)
    async with serving(says(), late, says(b"2")) as side:
        await side.ask()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await side.ask()
        await asyncio.sleep(0)
        assert side.client.pool.open == 0
        assert (await side.ask()).body == b"2"
        await asyncio.sleep(5)
        assert (await side.ask()).body == b"2"
        assert [len(lines) for lines in side.server.requests] == [2, 2]


async def test_silent_connection_takes_those_with_it_that_were_idle_for_longer() -> None:
    """A machine that slept, or a router that forgot, leaves dead connections that say nothing."""
    async with serving(says(), says(), Act(), says()) as side:
        await asyncio.gather(side.ask(), side.ask())
        await asyncio.sleep(1)
        assert side.client.pool.idle == 2
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3):
                await side.ask()
        assert side.client.pool.idle == 0
        assert (await side.ask()).ok


async def test_request_that_is_cancelled_as_its_answer_comes_keeps_no_connection() -> None:
    async with serving(Act([b"", answer()], pause=1)) as side:
        asking = asyncio.ensure_future(side.ask())
        await asyncio.sleep(0.5)
        asyncio.get_running_loop().call_later(0.5, asking.cancel)
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.sleep(0.1)
        assert side.client.pool.open == side.server.open == 0


@pytest.mark.parametrize("error", [asyncio.CancelledError(), OSError("no route")])
async def test_connection_that_is_given_up_as_it_is_made_is_closed(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is open on both sides already when whoever wants it goes away."""
    loop = asyncio.get_running_loop()
    connect = loop.create_connection

    async def made_too_late(*asked: Any, **more: Any) -> None:
        await connect(*asked, **more)
        raise error

    async with serving(says()) as side:
        monkeypatch.setattr(loop, "create_connection", made_too_late)
        with pytest.raises(type(error)):
            await side.ask()
        monkeypatch.undo()
        await asyncio.sleep(0.1)
        assert len(side.server.peers) == 1
        assert side.client.pool.open == side.server.open == 0
        assert (await side.ask()).ok
        assert side.client.pool.open == side.server.open == 1


async def test_connection_that_is_given_up_before_it_is_made_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its protocol is there, and nothing else: a handshake fails, for example."""
    loop = asyncio.get_running_loop()

    async def never_made(factory: Callable[[], Connection], **_: Any) -> None:
        assert factory().is_silent
        raise ConnectionResetError("in the handshake")

    async with serving(says()) as side:
        monkeypatch.setattr(loop, "create_connection", never_made)
        with pytest.raises(ConnectionResetError, match="handshake"):
            await side.ask()
        monkeypatch.undo()
        assert side.client.pool.open == 0
        assert not side.server.peers
        assert (await side.ask()).ok


async def test_closed_client_leaves_nothing() -> None:
    loop = asyncio.get_running_loop()
    async with serving(Act([b"", answer()]), Act([b"", answer()]), SILENCE) as side:
        await asyncio.gather(side.ask(), side.ask())
        waiting = asyncio.ensure_future(side.ask())
        await asyncio.sleep(0)
        side.client.close()
        with pytest.raises(ConnectionError):
            await waiting
        await asyncio.sleep(0.1)
        assert side.server.open == side.client.pool.open == 0
        before = len(side.server.peers)
        with pytest.raises(ConnectionAbortedError, match="closed"):
            await side.ask()
        assert len(side.server.peers) == before
    live = [one for one in loop._scheduled if not one.cancelled()]  # type: ignore[attr-defined]
    assert not live, "a timer is left"


def fake(connection: Connection, unsent: int) -> list[bytes]:
    """Connect it to nothing. `unsent`: bytes that stay in the buffer. Returns what is written."""
    written: list[bytes] = []

    class Transport(asyncio.Transport):
        is_over = False

        def write(self, data: Any) -> None:
            written.append(data)

        def get_write_buffer_size(self) -> int:
            return unsent

        def is_closing(self) -> bool:
            return self.is_over

        def abort(self) -> None:
            self.is_over = True
            written.append(b"abort")

        def close(self) -> None:
            self.is_over = True
            written.append(b"close")

    connection.connection_made(Transport())
    return written


@pytest.mark.parametrize(("unsent", "end"), [(0, b"close"), (7, b"abort")])
async def test_answer_before_the_whole_request_is_sent_ends_the_connection(
    unsent: int, end: bytes
) -> None:
    async with serving(says()) as side:
        connection = side.client.pool.connection()
        written = fake(connection, unsent)
        reply = connection.send(b"request")
        connection.data_received(answer(b"1"))
        assert (await reply).body == b"1"
        assert connection.is_usable is (unsent == 0)
        connection.end()
        assert written == [b"request", end]
        connection.connection_lost(None)


async def test_connection_that_ended_before_it_was_used_takes_no_request() -> None:
    async with serving(says()) as side:
        connection = side.client.pool.connection()
        written = fake(connection, 0)
        connection.eof_received()
        with pytest.raises(UnansweredError):
            _ = connection.send(b"request")
        assert not written
        connection.connection_lost(None)


async def test_connection_that_is_about_to_close_is_not_taken() -> None:
    """Its end was read in the same pass of the event loop."""
    async with serving(says()) as side:
        pool = side.client.pool
        connection = pool.connection()
        fake(connection, 0)
        pool.give_back(connection)
        connection.eof_received()
        assert pool.idle == 1
        assert pool.take() is None
        connection.connection_lost(None)


async def test_idle_connection_keeps_nothing_of_its_last_answer() -> None:
    async with serving(says(LARGE)) as side:
        reply = await side.ask()
        assert reply.body == LARGE
        (connection,) = side.client.pool._idle
        assert (connection._waiter, connection._parser.reply) == (None, None)


# -- new connections ------------------------------------------------------------------------


async def test_refused_connection_is_an_error_of_the_network() -> None:
    server = ScriptedServer(says())
    port = await server.start()
    await server.stop()
    client = LeanClient(f"http://{HOST}:{port}", "agent", "token", lambda *_: None)
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            await client.request("GET", "/", None, repeatable=True)
    client.close()


@dataclass
class Names:
    """The addresses of the server's name. `slow`: seconds that connecting takes; below 0: refused.

    `lookups`: how often they were asked for; `fails`: they are not found.
    """

    slow: dict[str, float] = field(default_factory=lambda: {"10.0.0.1": 0.0, "10.0.0.2": 0.0})
    lookups: int = 0
    fails: bool = False
    seconds: float = 0.1

    async def getaddrinfo(self, _: str, port: int, **__: object) -> list[Any]:
        self.lookups += 1
        await asyncio.sleep(self.seconds)
        if self.fails:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in self.slow]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    names, connects = Names(), VirtualLoop.sock_connect

    async def sock_connect(loop: VirtualLoop, sock: socket.socket, address: Any) -> None:
        if (seconds := names.slow[address[0]]) < 0:
            raise OSError(errno.EHOSTUNREACH, f"no way to {address[0]}")
        await asyncio.sleep(seconds)
        await connects(loop, sock, address)

    monkeypatch.setattr(VirtualLoop, "sock_connect", sock_connect)
    monkeypatch.setattr(VirtualLoop, "getaddrinfo", staticmethod(names.getaddrinfo))
    return names


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_second_address_is_tried_beside_a_slow_one(names: Names) -> None:
    names.slow["10.0.0.1"] = 1000.0
    async with serving(says()) as side:
        began = now()
        await side.ask()
        assert NEXT_ADDRESS < now() - began < NEXT_ADDRESS + 0.2


async def test_second_address_is_tried_at_once_if_the_first_refuses(names: Names) -> None:
    names.slow["10.0.0.1"] = -1
    async with serving(says()) as side:
        began = now()
        await side.ask()
        assert now() - began < NEXT_ADDRESS


async def test_connecting_is_given_up_after_a_while(names: Names) -> None:
    names.slow = {"10.0.0.1": 1000.0}
    async with serving(says()) as side:
        began = now()
        with pytest.raises(TimeoutError):
            await side.ask()
        assert now() - began == pytest.approx(CONNECT)


async def test_cancelled_connecting_leaves_no_connection(names: Names) -> None:
    names.slow = {"10.0.0.1": 2.0}
    async with serving(says()) as side:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await side.ask()
        await asyncio.sleep(5)
        assert not side.server.peers


async def test_addresses_are_looked_up_once_for_all_and_kept_a_while(names: Names) -> None:
    async with serving(Act([answer()], CLOSE)) as side:
        await asyncio.gather(*(side.ask() for _ in range(20)))
        await side.ask()
        assert names.lookups == 1
        await asyncio.sleep(ADDRESSES_LIVE)
        await side.ask()
        assert names.lookups == 2


async def test_addresses_at_which_nobody_answers_are_looked_up_again(names: Names) -> None:
    async with serving(says()) as side:
        names.slow = {"10.0.0.1": -1}
        with pytest.raises(OSError, match="no way"):
            await side.ask()
        names.slow = {"10.0.0.2": 0}
        await side.ask()
        assert names.lookups == 2


async def test_name_that_is_not_found_is_looked_up_again(names: Names) -> None:
    names.fails = True
    async with serving(says()) as side:
        with pytest.raises(socket.gaierror):
            await asyncio.gather(side.ask(), side.ask())
        names.fails = False
        await side.ask()
        assert names.lookups == 2


async def test_lookup_goes_on_for_others_when_one_is_cancelled(names: Names) -> None:
    async with serving(says()) as side:
        first, second = asyncio.ensure_future(side.ask()), asyncio.ensure_future(side.ask())
        await asyncio.sleep(0.05)
        first.cancel()
        assert (await second).ok
        assert names.lookups == 1


async def test_failed_lookup_that_nobody_waits_for_is_no_surprise(names: Names) -> None:
    names.fails = True
    async with serving(says()) as side:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await side.ask()
        await asyncio.sleep(1)


async def test_lookup_ends_with_its_client(names: Names) -> None:
    names.seconds = 60.0
    async with serving(says()) as side:
        asking = asyncio.ensure_future(side.ask())
        await asyncio.sleep(0.1)
        side.client.close()
        with pytest.raises(ConnectionAbortedError, match="closed"):
            await asking
        assert [one.get_name() for one in asyncio.all_tasks() if one.get_name() == "lookup"] == []


async def test_connection_that_is_made_after_the_end_is_closed(names: Names) -> None:
    names.slow = {"10.0.0.1": 1.0}
    async with serving(says()) as side:
        asking = asyncio.ensure_future(side.ask())
        await asyncio.sleep(0.5)
        side.client.close()
        with pytest.raises(ConnectionResetError):
            await asking
        assert side.server.requests == [[]]
