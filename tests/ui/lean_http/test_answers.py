"""Answers in every form that HTTP/1.1 has, and in those that it doesn't."""

import asyncio

import pytest

from bot.ui.connection.lean_http.answer_parser import MOST_BODY, MOST_HEAD
from bot.ui.limits.answers import UnreadableAnswerError
from tests.ui.lean_http.scripted import CLOSE, CUT, Act, answer, says, serving

HELLO = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HELLO + b"Transfer-Encoding: chunked\r\n\r\n"
INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
BODY = b'{"id": "7"}'


async def test_request_is_written_in_full() -> None:
    async with serving(says()) as side:
        await side.client.request("POST", "/a/b%20c?d=e", b'{"x":1}', repeatable=False)
        await side.client.request("DELETE", "/a", None, repeatable=True, as_bot=True)
        await side.client.request("POST", "/a", None, repeatable=True)
        (peer,) = side.server.peers
        host = f"Host: 127.0.0.1:{peer.transport.get_extra_info('peername')[1]}"
        written = [(head.split("\r\n"), body) for head, body in peer.requests]
    common = [host, "User-Agent: DiscordBot (https://example.org, 1)", "Accept-Encoding: identity"]
    by_bot = "Authorization: Bot a.b.c"
    sent = [common[1:], [*common[1:], by_bot], common[1:]]
    assert [[line for line in head[1:] if "Content" not in line][1:] for head, _ in written] == sent
    assert [head[1].partition(":")[0] for head, _ in written] == ["Host"] * 3
    assert [(head[0], body) for head, body in written] == [
        ("POST /api/v10/a/b%20c?d=e HTTP/1.1", b'{"x":1}'),
        ("DELETE /api/v10/a HTTP/1.1", b""),
        ("POST /api/v10/a HTTP/1.1", b""),
    ]
    assert [[line for line in head if "Content" in line] for head, _ in written] == [
        ["Content-Type: application/json", "Content-Length: 7"],
        [],
        ["Content-Length: 0"],
    ]
    assert side.heard[1] == ("DELETE", "/api/v10/a", 200)


@pytest.mark.parametrize("method", ["HEAD", "CONNECT", "get", "POST / HTTP/1.1\r\nX: y"])
async def test_other_methods_are_not_sent(method: str) -> None:
    async with serving(says()) as side:
        with pytest.raises(ValueError, match="no request"):
            await side.client.request(method, "/", None, repeatable=False)
        assert not side.server.peers


@pytest.mark.parametrize("end", ["\r\nX: y", "\n", "\r", "\0", "\x1f", "\x7f", " HTTP/1.1", "é"])
async def test_path_that_would_end_its_line_is_not_sent(end: str) -> None:
    async with serving(says()) as side:
        for path in (f"/token{end}", f"/to{end}ken", end, ""):
            with pytest.raises(ValueError, match="no request"):
                await side.ask(path)
        assert not side.server.peers


WELL_FORMED = {
    "with a length": [answer(BODY)],
    "chunked": [CHUNKED + b"3\r\n" + BODY[:3] + b"\r\n8;x=y\r\n" + BODY[3:] + b"\r\n0\r\n\r\n"],
    "after interim answers": [b"HTTP/1.1 100 Continue\r\n\r\n" + INTERIM + answer(BODY)],
    "interim answers apart": [INTERIM, INTERIM, answer(BODY)],
    "with headers after it": [CHUNKED + b"b\r\n" + BODY + b"\r\n0\r\nLate: a\r\nLink: b\r\n\r\n"],
    "as identity": [answer(BODY, Content_Encoding="identity")],
}


@pytest.mark.parametrize("parts", WELL_FORMED.values(), ids=WELL_FORMED)
async def test_answer_is_read_and_its_connection_kept(parts: list[bytes]) -> None:
    async with serving(Act(parts)) as side:
        for _ in range(3):
            reply = await side.ask()
            assert (reply.status, reply.body, reply.is_repeat) == (200, BODY, False)
            assert not {"link", "late"} & {*reply.headers}
        assert [len(lines) for lines in side.server.requests] == [3]


@pytest.mark.parametrize("parts", WELL_FORMED.values(), ids=WELL_FORMED)
async def test_answer_may_be_split_anywhere(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    acts = [Act([whole[:at], whole[at:]]) for at in range(1, len(whole))]
    acts.append(Act([bytes([one]) for one in whole]))
    async with serving(*acts) as side:
        for _ in acts:
            assert (await side.ask()).body == BODY
        assert [len(lines) for lines in side.server.requests] == [len(acts)]


async def test_headers_are_found_in_any_case_and_joined() -> None:
    fields = {"X_RateLimit_Scope": "user", "retry_after": "1.5"}
    twice = answer(b"", "429 Whatever", **fields).replace(b"\r\n\r\n", b"\r\nA: b\r\na: c\r\n\r\n")
    async with serving(Act([twice])) as side:
        reply = await side.ask()
    headers = reply.headers
    assert headers["x-ratelimit-scope"] == headers.get("X-RateLimit-Scope") == "user"
    assert headers.get("Retry-After") == "1.5"
    assert "RETRY-AFTER" in headers
    assert "date" not in headers
    assert headers.get("Date") is None
    assert headers["A"] == "b, c"
    assert [*headers] == ["content-length", "x-ratelimit-scope", "retry-after", "a"]
    assert len(headers) == 4
    assert (reply.reason, reply.ok, reply.text) == ("Too Many Requests", False, "")


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_answer_without_a_body_needs_no_length(status: str) -> None:
    async with serving(Act([f"HTTP/1.1 {status}\r\n\r\n".encode()])) as side:
        for _ in range(2):
            assert (await side.ask()).body == b""
        assert len(side.server.peers) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirect_is_a_refusal(status: int) -> None:
    moved = answer(b"", f"{status} Moved", Location="http://127.0.0.1:1/")
    async with serving(Act([moved])) as side:
        reply = await side.ask()
        assert (reply.status, reply.ok) == (status, False)
        assert side.server.requests == [["PATCH /api/v10/one HTTP/1.1"]]


LAST = {
    "it says so": [answer(BODY, Connection="close")],
    "HTTP/1.0": [answer(BODY).replace(b"1.1", b"1.0")],
    "another answer": [answer(BODY) + answer(b"{}")],
    "the beginning of one": [answer(BODY) + b"H"],
    "another answer apart": [answer(BODY), answer(b"{}")],
    "garbage": [answer(BODY) + b"\0"],
    "garbage apart": [answer(BODY), b"\0"],
    "a longer body than it said": [answer(BODY) + b"more"],
    "a body where none can be": [
        b"HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc",
    ],
    "another protocol": [
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nabc"
    ],
    "a switch that names none": [b"HTTP/1.1 101 Switching Protocols\r\n\r\n"],
}


@pytest.mark.parametrize("parts", LAST.values(), ids=LAST)
async def test_connection_is_not_used_after(parts: list[bytes]) -> None:
    """The answer is the request's own; whatever follows is nobody's."""
    async with serving(Act(parts, pause=0)) as side:
        for _ in range(3):
            reply = await side.ask()
            assert (reply.status, reply.body) in [(200, BODY), (204, b""), (101, b"")]
            await asyncio.sleep(0.1)
            assert side.client.pool.open == side.server.open == 0
        assert [len(lines) for lines in side.server.requests] == [1, 1, 1]


@pytest.mark.parametrize("late", [b"H", answer(b"{}"), answer(b"", "408 Request Timeout"), b"\r\n"])
async def test_bytes_on_an_idle_connection_end_it(late: bytes) -> None:
    async with serving(says(BODY)) as side:
        await side.ask()
        side.server.peers[0].transport.write(late)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await side.ask()).body == BODY
        assert [len(lines) for lines in side.server.requests] == [1, 1]


@pytest.mark.parametrize(
    "head", [HELLO + b"\r\n", b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n"]
)
async def test_answer_without_a_length_ends_with_its_connection(head: bytes) -> None:
    async with serving(Act([head, BODY[:5], BODY[5:]], CLOSE)) as side:
        for _ in range(2):
            assert (await side.ask()).body == BODY
        assert len(side.server.peers) == 2


TORN = {
    "its headers": [HELLO],
    "its length": [answer(BODY)[:-1]],
    "its chunks": [CHUNKED + b"3\r\nabc\r\n"],
    "its last chunk": [CHUNKED + b"3\r\nabc\r\n0\r\n"],
    "an interim answer": [INTERIM],
}


@pytest.mark.parametrize("end", [CLOSE, CUT])
@pytest.mark.parametrize("parts", TORN.values(), ids=TORN)
async def test_answer_that_breaks_off_is_none(parts: list[bytes], end: str) -> None:
    async with serving(says(), Act(parts, end)) as side:
        await side.ask()
        with pytest.raises(ConnectionResetError, match="in the answer"):
            await side.ask()
        assert [len(lines) for lines in side.server.requests] == [2], "sent twice"


async def test_answer_without_a_length_that_is_cut_is_none() -> None:
    async with serving(Act([HELLO + b"\r\n", BODY], CUT)) as side:
        with pytest.raises(ConnectionResetError, match="in the answer"):
            await side.ask()


LONG = b"x" * (MOST_HEAD + 1)
UNREADABLE = {
    "no HTTP": [b"SSH-2.0-OpenSSH\r\n"],
    "a page alone": [b"<html>no</html>"],
    "HTTP/2": [b"HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    "no status": [b"HTTP/1.1 OK\r\n\r\n"],
    "status 99": [b"HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n"],
    "status 600": [b"HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n"],
    "two lengths": [HELLO + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc"],
    "a length below 0": [HELLO + b"Content-Length: -1\r\n\r\n"],
    "a length beyond 64 bits": [HELLO + b"Content-Length: 99999999999999999999\r\n\r\n"],
    "a length and chunks": [CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 2\r\n\r\n{}")],
    "chunks of no size": [CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n"],
    "a chunk longer than it says": [CHUNKED + b"2\r\nabc\r\n0\r\n\r\n"],
    "a chunk beyond 64 bits": [CHUNKED + b"fffffffffffffffff\r\n"],
    "a control character": [HELLO + b"X: a\0b\r\n\r\n"],
    "a space before the colon": [HELLO + b"Content-Length : 2\r\n\r\n{}"],
    "a folded header without a name": [HELLO + b" folded: yes\r\n\r\n"],
    "zipped": [answer(b"\x1f\x8b", Content_Encoding="gzip")],
    "identity and zipped": [
        answer(b"ab", Content_Encoding="identity").replace(
            b"\r\n\r\n", b"\r\nContent-Encoding: br\r\n\r\n"
        )
    ],
    "zipped chunks": [
        HELLO + b"Transfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ],
    "one long header": [HELLO + b"X: ", LONG, LONG],
    "one long name": [HELLO, LONG, LONG],
    "many headers": [HELLO + b"".join(b"X-%d: y\r\n" % n for n in range(MOST_HEAD // 6)) + b"\r\n"],
    "many headers after the body": [
        CHUNKED + b"0\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(MOST_HEAD // 6)) + b"\r\n"
    ],
    "interim answers without end": [INTERIM * (MOST_HEAD // 10)],
    "bare interim answers without end": [b"HTTP/1.1 100\r\n\r\n" * (MOST_HEAD // 9)] * 2,
    "a long body": [answer(b"x" * (MOST_BODY + 1))],
    "a long body in chunks": [CHUNKED, *[b"10000\r\n" + b"x" * 0x10000 + b"\r\n"] * 17],
    "tiny chunks without end": [CHUNKED, *[b"1;" + b"y" * 0x10000 + b"\r\nx\r\n"] * 66],
    "a long body without a length": [HELLO + b"\r\n", *[b"x" * 0x10000] * 17],
}


@pytest.mark.parametrize("parts", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_is_no_answer_is_unreadable(parts: list[bytes]) -> None:
    async with serving(says(), Act(parts, pause=0)) as side:
        await side.ask()
        with pytest.raises(UnreadableAnswerError, match="unreadable"):
            await side.ask()
        await asyncio.sleep(0.1)
        assert side.client.pool.open == side.server.open == 0
        assert [len(lines) for lines in side.server.requests] == [2], "sent twice"


async def test_longest_answer_is_read() -> None:
    fields = {f"X-{n}": "y" * 1000 for n in range(60)}
    async with serving(says(b"x" * MOST_BODY, **fields)) as side:
        assert len((await side.ask()).body) == MOST_BODY


async def test_refusal_in_an_unknown_coding_is_a_refusal() -> None:
    """Its headers are all that is read of it."""
    fields = {"Content_Encoding": "gzip", "Retry_After": "3"}
    async with serving(Act([answer(b"\x1f\x8b", "429 Slow", **fields)])) as side:
        reply = await side.ask()
        assert (reply.status, reply.body, reply.headers["Retry-After"]) == (429, b"", "3")
        assert side.client.pool.idle == 0
