"""Calls to Discord by the lean client: answers to interactions, and messages by their tokens."""

import asyncio
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import discord
import orjson
import pytest
from discord.http import MultipartParameters

from bot.ids import ChannelId
from bot.ui.connection import deadlines
from bot.ui.connection.deadlines import BoundedCalls
from bot.ui.connection.http_calls import HttpCalls
from bot.ui.connection.lean_http import by_token, callbacks
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.replies import Headers, Reply
from bot.ui.limits import answers
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.headers import RateLimits, Scope
from tests.ui.lean_http.scripted import CLOSE, CUT, Act, Side, answer, says, serving

TAKEN = Act((b"HTTP/1.1 204 No Content\r\n\r\n",))
PAGE = says(b"<html>", Content_Type="text/html")
MESSAGE = says(b'{"id":"77"}', Content_Type="application/json; charset=utf-8")
LOST = Act(end=CUT)
IN_TIME = 3.0


def refused(status: int, code: int = 0, **fields: Any) -> Act:
    """Return Discord's refusal; `retry_after` stands in its body."""
    said = {"message": "no", "code": code, **fields}
    return Act((answer(orjson.dumps(said), f"{status} No", Content_Type="application/json"),))


def limited(seconds: float, **fields: str) -> Act:
    body = orjson.dumps({"message": "no", "retry_after": seconds, "global": False})
    return Act((answer(body, "429 No", **fields),))


def now() -> float:
    return asyncio.get_running_loop().time()


async def answered(side: Side, left: float = IN_TIME) -> float:
    """Answer an interaction. Returns the seconds that it took."""
    began = now()
    await callbacks.answer(side.client, 5, "tok/en\r\nX: y", b"{}", left)
    return now() - began


def tries(side: Side) -> int:
    return sum(len(lines) for lines in side.server.requests)


@pytest.mark.parametrize("act", [TAKEN, MESSAGE])
async def test_answer_is_taken(act: Act) -> None:
    async with serving(act) as side:
        assert await answered(side) < 0.1
        line = "POST /api/v10/interactions/5/tok%2Fen%0D%0AX%3A%20y/callback HTTP/1.1"
        assert side.server.requests == [[line]]


@pytest.mark.parametrize("act", [PAGE, says(b"{}"), says(b"", Content_Type="text/html")])
async def test_page_that_says_yes_is_no_answer(act: Act) -> None:
    async with serving(act) as side:
        with pytest.raises(UnreadableAnswerError, match="HTTP 200"):
            await answered(side)
        assert tries(side) == 1


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 408])
async def test_refused_answer_is_sent_once(status: int) -> None:
    async with serving(refused(status, 40060)) as side:
        with pytest.raises(discord.HTTPException, match=str(status)):
            await answered(side)
        assert tries(side) == 1


@pytest.mark.parametrize(
    "limit",
    [limited(0.7), limited(0.7, Retry_After="5"), Act((answer(b"", "429 No", Retry_After="0.7"),))],
)
async def test_rate_limited_answer_waits_as_long_as_asked(limit: Act) -> None:
    async with serving(limit, TAKEN) as side:
        assert await answered(side) == pytest.approx(0.7, abs=0.05)
        assert tries(side) == 2


async def test_answer_is_not_repeated_when_it_would_be_late() -> None:
    async with serving(limited(2.0)) as side:
        began = now()
        with pytest.raises(discord.HTTPException, match="429"):
            await answered(side)
        assert now() - began < 2.1
        assert tries(side) == 2
        with pytest.raises(discord.HTTPException, match="429"):
            await answered(side, 1.9)
        assert tries(side) == 3


async def test_rate_limits_without_a_pause_end() -> None:
    async with serving(limited(0.0)) as side:
        with pytest.raises(discord.HTTPException, match="429"):
            await answered(side, 2.9)
        assert tries(side) == 7
    async with serving(Act((answer(b"<html>", "429 No"),))) as side:
        with pytest.raises(discord.HTTPException, match="429"):
            await answered(side)
        assert tries(side) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524])
async def test_answer_that_failed_is_sent_again_while_in_time(status: int) -> None:
    async with serving(refused(status), refused(status), TAKEN) as side:
        assert await answered(side) == pytest.approx(1.5, abs=0.1)
    async with serving(refused(status)) as side:
        with pytest.raises(discord.DiscordServerError, match=str(status)):
            await answered(side)
        assert tries(side) == 3


@pytest.mark.parametrize("first", [refused(502), LOST])
async def test_second_answer_that_finds_the_first_counts_as_taken(first: Act) -> None:
    """The first was carried out, though nobody heard of it."""
    already = refused(400, 40060)
    async with serving(MESSAGE, first, already) as side:
        await side.ask()
        await answered(side)
        assert tries(side) == 3
    async with serving(MESSAGE, first, refused(404, 10062)) as side:
        await side.ask()
        with pytest.raises(discord.NotFound):
            await answered(side)


async def test_first_answer_is_remembered_over_a_rate_limit() -> None:
    """The connection broke after Discord had taken the answer, and the next try met a limit."""
    acts = (TAKEN, LOST, limited(0.2), refused(400, 40060))
    async with serving(*acts) as side:
        await answered(side)
        await answered(side)
        assert tries(side) == 4


async def test_rate_limit_is_no_sign_of_a_first_answer() -> None:
    async with serving(limited(0.1), refused(400, 40060)) as side:
        with pytest.raises(discord.HTTPException, match="40060"):
            await answered(side)


# -- answers that discord.py makes ------------------------------------------------------------


MADE = {"interaction": {"id": "5", "type": 2, "response_message_id": "9"}}
JSON = "application/json"


async def by_discord_py(
    side: Side, lean: LeanClient | None, files: list[discord.File], kind: int = 4
) -> Any:
    params = MultipartParameters({"type": kind}, None, files)
    unused: Any = None
    return await BoundedCalls(lean, 1).create_interaction_response(
        5, "t/k", session=unused, params=params
    )


async def test_answer_of_discord_py_goes_by_the_lean_client() -> None:
    made = Act((answer(orjson.dumps(MADE), Content_Type=JSON),))
    async with serving(made) as side:
        assert await by_discord_py(side, side.client, []) == MADE
        (peer,) = side.server.peers
        assert peer.requests[0][1] == b'{"type":4}'
        path = "/api/v10/interactions/5/t%2Fk/callback?with_response=1"
        assert side.server.requests == [[f"POST {path} HTTP/1.1"]]


async def test_message_that_an_unheard_answer_has_made_is_asked_for() -> None:
    twice = refused(502), refused(400, 40060)
    page = says(b"<html>")
    gone = refused(404, 10008, id="77")
    async with serving(*twice, MESSAGE, *twice, gone, *twice, page) as side:
        said = {"id": "5", "response_message_id": "77"}
        assert await by_discord_py(side, side.client, []) == {"interaction": said}
        path = "/api/v10/webhooks/1/t%2Fk/messages/@original"
        assert side.server.requests[0][-1] == f"GET {path} HTTP/1.1"
        for _ in range(2):
            with pytest.raises(UnreadableAnswerError):
                await by_discord_py(side, side.client, [])


async def test_answer_without_a_message_asks_for_none() -> None:
    async with serving(refused(502), refused(400, 40060)) as side:
        assert await by_discord_py(side, side.client, [], 9) == {"interaction": {"id": "5"}}
        assert tries(side) == 2


@pytest.mark.parametrize("is_lean", [True, False])
async def test_answer_with_a_file_goes_by_aiohttp(is_lean: bool) -> None:  # noqa: FBT001
    files = [discord.File(BytesIO(b"x"), "x")] if is_lean else []
    async with serving(TAKEN) as side:
        with pytest.raises(AttributeError, match="request"):  # there is no session
            await by_discord_py(side, side.client if is_lean else None, files)
        assert not side.server.peers


@pytest.mark.parametrize(("waited", "expected"), [(0.0, 3), (2.0, 2), (2.9, 1)])
async def test_answer_of_discord_py_is_tried_until_it_would_be_late(
    waited: float, expected: int
) -> None:
    """Discord counts from the interaction, not from the answer to it."""
    interaction: Any = SimpleNamespace(extras={})
    deadlines.note_arrival(interaction)
    await asyncio.sleep(waited)
    async with serving(refused(502)) as side:
        with pytest.raises(discord.HTTPException):
            await by_discord_py(side, side.client, [])
        assert tries(side) == expected


async def test_answer_of_discord_py_is_bounded() -> None:
    async with serving(Act()) as side:
        began = now()
        with pytest.raises(TimeoutError):
            await by_discord_py(side, side.client, [])
        assert now() - began == pytest.approx(deadlines.PATIENCE)


# -- messages by their tokens -----------------------------------------------------------------


async def edited(side: Side, named: bytes = b"77") -> RateLimits:
    return await by_token.edited(side.client, 1, "a/b", "77", b"{}", named)


async def deleted(side: Side) -> RateLimits:
    return await by_token.deleted(side.client, 1, "a/b", "77")


async def test_edit_and_deletion_are_taken() -> None:
    async with serving(MESSAGE, TAKEN, MESSAGE) as side:
        assert await edited(side) == await deleted(side) == await deleted(side) == RateLimits()
        path = "/api/v10/webhooks/1/a%2Fb/messages/77 HTTP/1.1"
        assert side.server.requests == [
            [f"{method} {path}" for method in ("PATCH", *["DELETE"] * 2)]
        ]


@pytest.mark.parametrize("act", [TAKEN, PAGE, says(b""), says(b'{"id":"78"}')])
async def test_edit_whose_answer_is_not_the_message_is_unreadable(act: Act) -> None:
    async with serving(act) as side:
        with pytest.raises(UnreadableAnswerError, match="unreadable"):
            await edited(side)
        if act != TAKEN:
            with pytest.raises(UnreadableAnswerError, match="unreadable"):
                await deleted(side)


@pytest.mark.parametrize(
    ("limit", "scope", "pause"),
    [
        (limited(1.5, X_RateLimit_Scope="user"), Scope.TOKEN, 1.5),
        (limited(1.5, X_RateLimit_Scope="shared"), Scope.CHANNEL, 1.5),
        (limited(1.5, X_RateLimit_Global="true"), Scope.EVERYWHERE, 1.5),
        (limited(900.0), Scope.CHANNEL, 60.0),
    ],
)
async def test_rate_limit_of_an_edit_is_returned(limit: Act, scope: Scope, pause: float) -> None:
    async with serving(limit) as side:
        assert await edited(side) == await deleted(side) == RateLimits(scope, pause)
        assert tries(side) == 2, "waited out by whoever knows whether it is still needed"


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (refused(400, 50035), 50035),
        (refused(404, 10015), 10015),
        (refused(429, 30046, retry_after=3.0), 30046),
        (Act((answer(b"<html>", "429 No", Retry_After="3"),)), 0),
        (refused(502), 0),
        (refused(302), 0),
    ],
)
async def test_refusal_of_an_edit_is_raised_once(act: Act, code: int) -> None:
    async with serving(act) as side:
        for call in (edited, deleted):
            with pytest.raises(discord.HTTPException) as raised:
                await call(side)
            assert raised.value.code == code
        assert tries(side) == 2


async def test_deletion_that_was_sent_twice_may_find_nothing() -> None:
    gone = refused(404, 10008)
    async with serving(MESSAGE, Act(end=CLOSE), gone) as side:
        await side.ask()
        assert await deleted(side) == RateLimits()
        with pytest.raises(discord.NotFound):
            await deleted(side)
    async with serving(MESSAGE, Act(end=CLOSE), gone) as side:
        await side.ask()
        with pytest.raises(discord.NotFound):
            await edited(side)


@pytest.mark.parametrize(
    ("fields", "pause", "told"),
    [
        ({"Limit": "5", "Remaining": "0", "Reset_After": "1.5"}, 1.5, (5, 1.5)),
        ({"Limit": "5", "Remaining": "4", "Reset_After": "1.5"}, 0.0, (5, 1.5)),
        ({"Limit": "5", "Remaining": "0"}, 0.0, None),
        ({"Limit": "5", "Remaining": "0", "Reset_After": "1e9"}, 0.0, None),
        ({"Limit": "x", "Remaining": "0", "Reset_After": "1"}, 0.0, None),
    ],
)
async def test_limits_that_cannot_be_are_left_out(
    fields: dict[str, str], pause: float, told: tuple[int, float] | None
) -> None:
    named = {f"X_RateLimit_{name}": value for name, value in fields.items()}
    async with serving(says(b"77", **named)) as side:
        limits = await edited(side)
        assert (limits.refused, limits.pause, limits.told) == (None, pause, told)


# -- what the bot hears of it -----------------------------------------------------------------


class Listener:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def rate_limited(self, channel: ChannelId | None) -> None:
        self.told.append(("limited", channel))

    def answered_late(self) -> None:
        self.told.append("late")

    def dated(self, date: str) -> None:
        self.told.append(date)


HOOK, CALLBACK = "/api/v10/webhooks/1/t/messages/2", "/api/v10/interactions/1/t/callback"
OLD = b'{"code":30046,"retry_after":1}'


@pytest.mark.parametrize(
    ("method", "path", "status", "fields", "body", "told"),
    [
        ("POST", CALLBACK, 204, {}, b"", []),
        ("POST", CALLBACK, 404, {}, b"", ["late"]),
        ("PATCH", HOOK, 404, {}, b"", []),
        ("PATCH", HOOK, 429, {"retry-after": "1"}, b"", []),
        ("PATCH", HOOK, 429, {"x-ratelimit-scope": "global"}, b"", [("limited", None)]),
        ("PATCH", HOOK, 429, {"x-ratelimit-scope": "global"}, OLD, []),
        ("POST", CALLBACK, 429, {}, b"", [("limited", None)]),
        (
            "PATCH",
            "/api/v10/channels/7/messages/8",
            429,
            {"x-ratelimit-scope": "user"},
            b"",
            [("limited", 7)],
        ),
    ],
)
async def test_reply_is_heard_as_those_to_aiohttp_are(
    method: str, path: str, status: int, fields: dict[str, str], body: bytes, told: list[object]
) -> None:
    listener = Listener()
    calls = HttpCalls(discord.Client(intents=discord.Intents.none()), listener)
    headers = Headers(
        {name.encode(): value.encode() for name, value in (fields | {"date": "now"}).items()}
    )
    mark = answers.STATUSES.set([])
    calls.heard(method, path, Reply(status, headers, body))
    assert answers.STATUSES.get() == [status]
    answers.STATUSES.reset(mark)
    assert listener.told == ["now", *told]
    assert (calls.edits, calls.limits_met) == (method == "PATCH", status == 429)
