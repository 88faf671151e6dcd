"""A hostile server in memory: every answer is spoiled in some way, and carries its request's mark.

No request may read another's answer, none may wait for longer than its time, and no connection may
be used again after the server has misbehaved on it.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits.answers import UnreadableAnswerError
from tests.simulate.loop import VirtualLoop
from tests.simulate.network import Transport
from tests.ui.lean_http.scripted import BASE_PATH, CLOSE, CUT, HOST, KEEP, Peer, ScriptedServer

AT_ONCE = 8
"""Requests under way at a time."""
PATIENCE = 5.0
"""Seconds that a request waits."""
HANGS = PATIENCE + 1.0
LONGEST_PAUSE = 0.02
MARK = re.compile(rb"<[0-9a-f]{16}>")
_PATH = re.compile(r" /api/v10/([0-9a-f]{16}) ")


@dataclass(eq=False)
class Asked:
    """A request. `sent`: for each time it reached the server, whether it was the connection's first
    one, and how many bytes of an answer it has had.
    """

    mark: bytes
    repeatable: bool
    sent: list["Sent"] = field(default_factory=list)


@dataclass(eq=False)
class Sent:
    is_first: bool
    is_good: bool = False
    answered: int = 0


@dataclass(frozen=True, slots=True)
class Spoiled:
    """What is sent for one request: parts, the end, and whether the answer is as it should be.

    `is_last`: nothing may be asked on the connection afterwards.
    """

    parts: list[bytes]
    end: str = KEEP
    is_good: bool = False
    is_last: bool = True
    late: bytes = b""


class HostileServer(ScriptedServer):
    """Answers by chance. `wrong`: each promise that was broken."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = random.Random(seed)
        self.asked: dict[str, Asked] = {}
        self.wrong: list[str] = []
        self.kinds: Counter[str] = Counter()
        self._banned: dict[Peer, str] = {}
        self._closing: set[Peer] = set()
        self._old = b"<0000000000000000>"

    def answer(self, peer: Peer) -> None:
        line = peer.requests[-1][0].partition("\r\n")[0]
        found = _PATH.search(line)
        asked = self.asked.get(found[1]) if found else None
        if asked is None:
            self.wrong.append(f"a request that nobody has sent: {line}")
            return
        if peer in self._banned:
            self.wrong.append(f"{line}: on a connection that was broken by {self._banned[peer]}")
        sent = Sent(is_first=len(peer.requests) == 1)
        asked.sent.append(sent)
        kind = self.chance.choice(KINDS)
        self.kinds[kind.__name__] += 1
        act = kind(self.chance, asked.mark, self._old)
        self._old, sent.is_good = asked.mark, act.is_good and peer not in self._closing
        if act.end != KEEP:
            self._closing.add(peer)
        if act.is_last:
            self._banned[peer] = f"{kind.__name__} {act.parts} {act.end}"
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._play(peer, act, sent))
        self.playing.append(task)
        if len(self.playing) > 100:
            self.playing[:] = [one for one in self.playing if not one.done()]

    async def _play(self, peer: Peer, act: Spoiled, sent: Sent) -> None:
        for number, part in enumerate(act.parts):
            if number:
                await asyncio.sleep(self.chance.choice((0.0, self.chance.random() * LONGEST_PAUSE)))
            sent.answered += len(part)
            peer.transport.write(part)
        if act.end != KEEP:
            await asyncio.sleep(self.chance.choice((0.0, LONGEST_PAUSE)))
            peer.transport.close() if act.end == CLOSE else peer.transport.abort()
        if act.late:
            await asyncio.sleep(self.chance.random() * LONGEST_PAUSE)
            self._say_unasked(peer, act.late)

    def _say_unasked(self, peer: Peer, late: bytes) -> None:
        """Write to a connection that is idle at this moment.

        On one whose next request is under way nobody could tell it from that one's answer.
        """
        near = peer.transport
        assert isinstance(near, Transport)
        far = near.peer
        if peer.is_closed or far.is_closing() or far.get_protocol()._waits:
            return
        self._banned[peer] = "late"
        near.write(late)
        far._deliver()


# -- what the server does -------------------------------------------------------------------


def framed(chance: random.Random, mark: bytes) -> tuple[list[bytes], bool]:
    """Return an answer in one of the forms of HTTP/1.1, and whether its connection must close."""
    body = mark * chance.randrange(1, 4)
    fields = b"X-Mark: %b\r\nDate: now\r\n" % mark
    interim = b"HTTP/1.1 103 Early Hints\r\nX-Mark: no\r\n\r\n" * chance.choice((0, 0, 0, 1, 2))
    status = interim + b"HTTP/1.1 " + chance.choice((b"200 OK", b"429 No", b"503 No", b"302 Go"))
    match chance.randrange(5):
        case 0:
            return [interim + b"HTTP/1.1 204 No Content\r\n" + fields + b"\r\n"], False
        case 1:
            cut = chance.randrange(1, len(body))
            chunks = b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in (body[:cut], body[cut:]))
            head = status + b"\r\nTransfer-Encoding: chunked\r\n" + fields + b"\r\n"
            return [head, chunks + b"0\r\n\r\n"], False
        case 2:
            return [status + b"\r\n" + fields + b"\r\n", body], True
        case _:
            length = b"\r\nContent-Length: %d\r\n" % len(body)
            return [status + length + fields + b"\r\n" + body], False


def split(chance: random.Random, parts: list[bytes]) -> list[bytes]:
    """Cut bytes at any places."""
    whole = b"".join(parts)
    if not whole:
        return []
    places = sorted(
        {0, *(chance.randrange(len(whole)) for _ in range(chance.choice((0, 0, 1, 3))))}
    )
    return [whole[a:b] for a, b in zip(places, [*places[1:], len(whole)], strict=True)]


def good(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    parts, is_last = framed(chance, mark)
    return Spoiled(split(chance, parts), CLOSE if is_last else KEEP, is_good=True, is_last=is_last)


def last(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    """It is the last on its connection, and says so."""
    closing = b"".join(framed(chance, mark)[0]).replace(b"Date: now", b"Connection: close")
    return Spoiled(split(chance, [closing]), CLOSE, is_good=True)


def silent(chance: random.Random, _: bytes, __: bytes) -> Spoiled:
    return Spoiled([], chance.choice((KEEP, CLOSE, CUT)))


def truncated(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    whole = b"".join(framed(chance, mark)[0])
    torn = whole[: chance.randrange(len(whole))]
    return Spoiled(split(chance, [torn]), chance.choice((KEEP, CLOSE, CUT)))


def doubled(chance: random.Random, mark: bytes, old: bytes) -> Spoiled:
    """Another answer, or the beginning of one, comes with it."""
    parts, is_last = framed(chance, mark)
    if is_last:
        return good(chance, mark, old)
    more = b"".join(framed(chance, chance.choice((mark, old)))[0])
    more = more[: chance.choice((1, chance.randrange(1, len(more)), len(more)))]
    return Spoiled([b"".join(parts) + more], is_good=True)


def late(chance: random.Random, mark: bytes, old: bytes) -> Spoiled:
    """Another answer, or the beginning of one, comes while nobody asks."""
    parts, is_last = framed(chance, mark)
    if is_last:
        return good(chance, mark, old)
    more = b"".join(framed(chance, chance.choice((mark, old)))[0])
    cut = more[: chance.choice((1, len(more)))]
    return Spoiled(split(chance, parts), is_good=True, is_last=False, late=cut)


def lying(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    """The length is another than it says."""
    body, by = mark * 3, chance.choice((-30, -1, 1, 40))
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nX-Mark: %b\r\n\r\n" % (len(body) + by, mark)
    return Spoiled([head + body], chance.choice((KEEP, CLOSE, CUT)))


def badly_chunked(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    size = chance.choice((b"zz", b"-1", b"", b"5", b"ffff", b"fffffffffffffffff", b"12 ", b"12;\r"))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Mark: %b\r\n\r\n" % mark
    end = chance.choice((b"0\r\n\r\n", b"0\r\n", b"\r\n", b""))
    whole = head + size + b"\r\n" + mark + b"\r\n" + end
    return Spoiled(split(chance, [whole]), chance.choice((KEEP, CLOSE, CUT)))


def damaged(chance: random.Random, mark: bytes, _: bytes) -> Spoiled:
    """Some of its bytes are others, are missing, or are there twice. It may still be an answer."""
    whole = bytearray(b"".join(framed(chance, mark)[0]))
    for _time in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(whole))
        match chance.randrange(3):
            case 0:
                whole[at] = chance.randrange(256)
            case 1:
                del whole[at]
            case _:
                whole[at:at] = whole[at : at + chance.randrange(20)]
    end = chance.choice((CLOSE, CUT))
    return Spoiled([bytes(whole)], end, is_last=False)


def garbage(chance: random.Random, _: bytes, old: bytes) -> Spoiled:
    whole = chance.choice((chance.randbytes(40), old, b"\r\n\r\n", b"HTTP/1.1 ", b"<html>"))
    return Spoiled(split(chance, [whole]), chance.choice((KEEP, CLOSE, CUT)))


KINDS: tuple[Callable[[random.Random, bytes, bytes], Spoiled], ...] = (
    *(good, good, good, good, last, silent, truncated, doubled),
    *(late, lying, badly_chunked, damaged, garbage),
)


# -- what the client must do ------------------------------------------------------------------


@dataclass
class Result:
    """`wrong`: each promise that was broken. `outcomes`: how the requests ended."""

    wrong: list[str]
    kinds: Counter[str]
    outcomes: Counter[str] = field(default_factory=Counter)


async def _besiege(count: int, seed: int) -> Result:
    server, chance = HostileServer(seed), random.Random(f"people {seed}")
    port = await server.start()
    client = LeanClient(f"http://{HOST}:{port}{BASE_PATH}", "agent", "token", lambda *_: None)
    result = Result(server.wrong, server.kinds)
    numbers: Iterator[int] = iter(range(count))

    async def person() -> None:
        for _ in numbers:
            await asyncio.sleep(chance.choice((0.0, 0.0, chance.random() * 2 * LONGEST_PAUSE)))
            await _ask(client, server, chance, result)

    await asyncio.gather(*(person() for _ in range(AT_ONCE)))
    await asyncio.sleep(1)
    if client.pool.open != client.pool.idle:
        result.wrong.append(f"{client.pool.open} connections, {client.pool.idle} of them idle")
    client.close()
    await asyncio.sleep(1)
    if client.pool.open or any(not peer.is_closed for peer in server.peers):
        result.wrong.append("a connection is left")
    await server.stop()
    return result


async def _ask(
    client: LeanClient, server: HostileServer, chance: random.Random, result: Result
) -> None:
    name = f"{chance.getrandbits(64):016x}"
    asked = Asked(f"<{name}>".encode(), repeatable=chance.random() < 0.5)
    server.asked[name] = asked
    loop = asyncio.get_running_loop()
    began, reply = loop.time(), None
    body = chance.choice((None, b"{}", b"x" * 200))
    patience = chance.choice((PATIENCE, PATIENCE, PATIENCE, chance.random() * LONGEST_PAUSE))
    try:
        async with asyncio.timeout(patience):
            reply = await client.request("POST", f"/{name}", body, repeatable=asked.repeatable)
        outcome = str(reply.status)
    except (OSError, UnreadableAnswerError) as error:
        outcome = type(error).__name__
    result.outcomes[outcome] += 1
    del server.asked[name]
    took = loop.time() - began
    result.wrong += (f"{name}: {one}" for one in _broken(asked, reply, outcome))
    if took > patience + 0.001:
        result.wrong.append(f"{name}: took {took:.3f} s of {patience:.3f}")


def _broken(asked: Asked, reply: Reply | None, outcome: str) -> Iterator[str]:
    """Yield what is not as it should be about one request."""
    if reply is not None:
        said = reply.headers.get("X-Mark", "").encode()
        others = {said, *MARK.findall(reply.body)} - {asked.mark}
        if asked.sent[-1].is_good and (others or said != asked.mark):
            yield f"has read {said!r} and {reply.body!r}"
        elif any(one in KNOWN for one in others):
            yield f"has read another's answer: {others}"
    elif asked.sent and asked.sent[-1].is_good and outcome != "TimeoutError":
        yield f"has lost its answer: {outcome}"
    KNOWN.add(asked.mark)
    if len(asked.sent) > 2 or (len(asked.sent) == 2 and not asked.repeatable):
        yield f"was sent {len(asked.sent)} times"
    if len(asked.sent) == 2 and (asked.sent[0].is_first or asked.sent[0].answered):
        yield "was sent again though it may have been answered"


KNOWN: set[bytes] = set()
"""The marks of all requests that were ever made."""


def besieged(count: int, seed: int) -> Result:
    """Send so many requests to a hostile server, in simulated time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(seed)) as runner:
        return runner.run(_besiege(count, seed))
