"""The simulator's stand-in for Valkey answers as the real one does."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio.connection import Connection
from redis.exceptions import ResponseError

from tests import valkey
from tests.simulate.loop import VirtualLoop
from tests.simulate.valkey import Valkey
from tests.simulate.valkey.commands import COMMANDS
from tests.simulate.valkey.server import PORT
from tests.simulate.valkey.streams import STREAMS

Words: TypeAlias = tuple[str, ...]
KEYS = st.sampled_from(["a", "b"])
NAMES = st.sampled_from(["x", "y"])
VALUES = st.sampled_from(["1", "2", "v"])
SECONDS = st.sampled_from(["100", "200"])
MS = st.sampled_from(["100000", "200000"])
NUMBERS = st.sampled_from(["-2", "-1", "0", "1", "2"])
IDS = st.sampled_from(["1-1", "1-2", "2", "2-1", "7"])


def words(name: str, *parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[Words]:
    drawn = (st.just(one) if isinstance(one, str) else one for one in parts)
    return st.tuples(st.just(name), *drawn)


COMMAND = st.one_of(
    words("SET", KEYS, VALUES),
    words("SET", KEYS, VALUES, "NX", "PX", MS),
    words("SET", KEYS, VALUES, "XX", "EX", SECONDS),
    words("SET", KEYS, VALUES, "XX", "GET", "KEEPTTL"),
    words("SET", KEYS, VALUES, "PX", "0"),
    words("SET", KEYS, VALUES, "NX", "EXAT", "4000000000"),
    words("GET", KEYS),
    words("MGET", KEYS, KEYS),
    words("DEL", KEYS, KEYS),
    words("UNLINK", KEYS),
    words("EXISTS", KEYS, KEYS),
    words("EXPIRE", KEYS, SECONDS),
    words("EXPIRE", KEYS, SECONDS, st.sampled_from(["NX", "XX", "GT", "LT"])),
    words("EXPIRE", KEYS, "-1"),
    words("PEXPIRE", KEYS, MS),
    words("TTL", KEYS),
    words("PTTL", KEYS),
    words("PERSIST", KEYS),
    words("TYPE", KEYS),
    words("KEYS", st.sampled_from(["*", "a*"])),
    words("SCAN", "0", "MATCH", "b*"),
    words("INCR", KEYS),
    words("DECR", KEYS),
    words("INCRBY", KEYS, VALUES),
    words("HSET", KEYS, NAMES, VALUES, NAMES, VALUES),
    words("HSETNX", KEYS, NAMES, VALUES),
    words("HGET", KEYS, NAMES),
    words("HMGET", KEYS, NAMES, NAMES),
    words("HGETALL", KEYS),
    words("HDEL", KEYS, NAMES),
    words("HINCRBY", KEYS, NAMES, VALUES),
    words("HEXISTS", KEYS, NAMES),
    words("HLEN", KEYS),
    words("HKEYS", KEYS),
    words("HVALS", KEYS),
    words("SADD", KEYS, VALUES, VALUES),
    words("SREM", KEYS, VALUES),
    words("SMEMBERS", KEYS),
    words("SISMEMBER", KEYS, VALUES),
    words("SCARD", KEYS),
    words("RPUSH", KEYS, VALUES, VALUES),
    words("LPUSH", KEYS, VALUES, VALUES),
    words("RPOP", KEYS),
    words("LPOP", KEYS),
    words("BLPOP", KEYS, "0.01"),
    words("LLEN", KEYS),
    words("LRANGE", KEYS, NUMBERS, NUMBERS),
    words("XADD", KEYS, "*", NAMES, VALUES),
    words("XADD", KEYS, IDS, NAMES, VALUES),
    words("XADD", KEYS, "NOMKSTREAM", "MAXLEN", "=", "2", "*", NAMES, VALUES),
    words("XTRIM", KEYS, "MAXLEN", "1"),
    words("XTRIM", KEYS, "MINID", IDS),
    words("XDEL", KEYS, IDS),
    words("XLEN", KEYS),
    words("XRANGE", KEYS, st.sampled_from(["-", "1-2", "(1-1", "2"]), st.sampled_from(["+", "2"])),
    words("XRANGE", KEYS, "-", "+", "COUNT", "1"),
    words("XREVRANGE", KEYS, "+", "-", "COUNT", "1"),
    words("XREAD", "COUNT", "2", "STREAMS", KEYS, st.sampled_from(["0", "1-1", "$"])),
    words("XREAD", "BLOCK", "5", "STREAMS", KEYS, st.sampled_from(["$", "0"])),
    words("PING"),
    words("PING", VALUES),
    words("PUBLISH", KEYS, VALUES),
    words("FLUSHALL"),
    words("GET"),
)
STAMP = re.compile(rb"[0-9]{13}-[0-9]+")
UNORDERED = frozenset({"SMEMBERS", "HKEYS", "HVALS", "KEYS", "SCAN", "HGETALL"})
LONG = 1_000_000
"""Seconds that are more than any example's, but for those until a date."""
TOLD_BY_ITSELF = frozenset({"TIME", "INFO", "CONFIG", "CLIENT", "SELECT"})
"""Commands whose replies are the server's own affair."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    valkey.needed()
    one = valkey.Server(Path(tmp_path_factory.mktemp("real")))
    asyncio.run(one.start())
    yield one.port
    one.kill()


async def replies(port: int, commands: Sequence[Words]) -> list[Any]:
    """What a server that was emptied replies, as far as both can say the same."""
    connection = Connection(host="127.0.0.1", port=port, protocol=2)
    await connection.connect()  # type: ignore[no-untyped-call]
    try:
        return [await _reply(connection, one) for one in [("FLUSHALL",), *commands]]
    finally:
        await connection.disconnect()


async def _reply(connection: Connection, command: Words) -> Any:
    await connection.send_command(*command)
    try:
        reply = await connection.read_response(disconnect_on_error=False)
    except ResponseError as error:
        reply = error
    return _compared(command[0], reply)


def _compared(name: str, reply: Any) -> Any:
    """A reply without what differs by nature: words of errors, order in a set, times."""
    if name in {"TTL", "PTTL"} and isinstance(reply, int) and reply > 0:
        seconds = reply if name == "TTL" else reply / 1000
        if seconds > LONG:
            return "long"  # until a date, of which the two clocks are not equally far
        return f"about {round(seconds / 10) * 10} s"
    if name in UNORDERED and isinstance(reply, list):
        return sorted(map(repr, _flat(reply)))
    return _stamped(reply)


def _flat(reply: Any) -> Iterator[Any]:
    for one in reply:
        yield from _flat(one) if isinstance(one, list) else (one,)


def _stamped(reply: Any) -> Any:
    """A reply without the ids that the server's clock has made, and the words of its errors."""
    if isinstance(reply, ResponseError):
        code = str(reply).partition(" ")[0]  # the client leaves ERR out
        return f"error {code if code.isupper() else 'ERR'}"
    if isinstance(reply, list):
        return [_stamped(one) for one in reply]
    is_stamp = isinstance(reply, bytes) and STAMP.fullmatch(reply)
    return "an id by the server's clock" if is_stamp else reply


def simulated(commands: Sequence[Words]) -> list[Any]:
    async def ask() -> list[Any]:
        server = Valkey()
        await server.start()
        found = await replies(PORT, commands)
        assert not server.unknown
        return found

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(ask())


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150
)
@given(st.lists(COMMAND, min_size=1, max_size=12))
def test_any_commands_are_answered_as_by_the_real_server(port: int, commands: list[Words]) -> None:
    assert simulated(commands) == asyncio.run(replies(port, commands))


FIXED: dict[str, list[Words]] = {
    "a transaction": [("MULTI",), ("INCR", "a"), ("HSET", "a", "x", "1"), ("GET", "a"), ("EXEC",)],
    "one that is given up": [("MULTI",), ("INCR", "a"), ("DISCARD",), ("GET", "a")],
    "none": [("EXEC",), ("DISCARD",)],
    "one within another": [("MULTI",), ("MULTI",), ("EXEC",)],
    "someone who listens": [("SUBSCRIBE", "c"), ("GET", "a"), ("UNSUBSCRIBE", "c"), ("GET", "a")],
    "nobody listens": [("PUBLISH", "c", "1")],
}


@pytest.mark.parametrize("name", FIXED)
def test_a_connections_state_is_the_real_servers(port: int, name: str) -> None:
    assert simulated(FIXED[name]) == asyncio.run(replies(port, FIXED[name]))


async def waited_for(port: int) -> list[Any]:
    """Three connections that wait, and one that brings what they wait for."""
    listener, reader, taker, giver = [
        Connection(host="127.0.0.1", port=port, protocol=2) for _ in range(4)
    ]
    await listener.send_command("SUBSCRIBE", "c")
    found = [await listener.read_response()]
    await reader.send_command("XREAD", "BLOCK", "0", "STREAMS", "s", "$")
    await taker.send_command("BLPOP", "l", "0")
    await asyncio.sleep(0.1)
    for command in (("PUBLISH", "c", "1"), ("XADD", "s", "1-1", "x", "2"), ("RPUSH", "l", "3")):
        await giver.send_command(*command)
        found.append(await giver.read_response())
    found += [await one.read_response() for one in (listener, reader, taker)]
    await giver.send_command("LLEN", "l")
    found.append(await giver.read_response())
    for one in (listener, reader, taker, giver):
        await one.disconnect()
    return found


def test_whoever_waits_is_told_as_by_the_real_server(port: int) -> None:
    async def ask() -> list[Any]:
        server = Valkey()
        await server.start()
        return await waited_for(PORT)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(ask()) == asyncio.run(waited_for(port))


def test_every_known_command_is_compared() -> None:
    text = repr(COMMAND)
    known = {*COMMANDS, *STREAMS} - TOLD_BY_ITSELF - {"TIME"}
    assert {one for one in known if f"'{one}'" not in text} == set()


def test_a_command_that_nobody_knows_fails() -> None:
    with pytest.raises(AssertionError):
        simulated([("GEORADIUS", "a")])
