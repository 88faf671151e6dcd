"""Table messages by the lean client keep to discord.py's rules: its waits, tries and exceptions."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import discord
import orjson
import pytest

from bot.ids import ChannelId, MessageId
from bot.ui.connection.lean_http.replies import Headers, Reply
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.tables.public_message import lean_calls
from bot.ui.tables.public_message.lean_calls import LeanCalls, picture

CHANNEL, MESSAGE = ChannelId(3), MessageId(44)
SHOWN = {"id": "44", "channel_id": "3", "components": [], "attachments": []}
JSON = {"Content-Type": "application/json", "Via": "1.1 google"}
GONE = {"code": 10008, "message": "Unknown Message"}
LAST = {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2"}


def reply(
    status: int = 200, body: Any = SHOWN, more: Mapping[str, str] = {}, *, is_repeat: bool = False
) -> Reply:
    fields = {name.lower().encode(): value.encode() for name, value in {**JSON, **more}.items()}
    said = body if isinstance(body, bytes) else orjson.dumps(body)
    return Reply(status, Headers(fields), said, is_repeat)


def limited(seconds: float, **more: Any) -> Reply:
    return reply(429, {"message": "slow", "retry_after": seconds, "global": False, **more})


class Discord:
    """A lean client whose server answers as it is told, the last answer from then on."""

    def __init__(self, *answers: Reply) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[float, str, str]] = []
        self.client = discord.Client(intents=discord.Intents.none())
        self.client.http._global_over = asyncio.Event()
        self.client.http._global_over.set()
        lean: Any = self
        self.calls = LeanCalls(self.client, lean)
        self._began = asyncio.get_running_loop().time()

    async def request(self, method: str, path: str, body: bytes | None, **how: bool) -> Reply:
        assert how == {"repeatable": True, "as_bot": True}
        self.asked.append((round(self.now, 3), method, path))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time() - self._began

    @property
    def times(self) -> list[float]:
        return [at for at, *_ in self.asked]

    async def edit(self) -> Mapping[str, Any]:
        return await self.calls.edit(CHANNEL, MESSAGE, b"{}")


async def test_an_edit_is_one_request() -> None:
    server = Discord(reply())
    assert await server.edit() == SHOWN
    assert server.asked == [(0.0, "PATCH", "/channels/3/messages/44")]


async def test_an_edit_waits_for_its_channels_limit() -> None:
    server = Discord(reply(more=LAST), reply())
    await server.edit()
    await server.edit()
    assert server.times == [0.0, 2.0]


async def test_a_limit_is_known_to_the_calls_of_discord_py() -> None:
    """Edits that bring a picture go by its own session."""
    server = Discord(reply(more={**LAST, "X-RateLimit-Bucket": "abc"}))
    await server.edit()
    http = server.client.http
    route = discord.http.Route("PATCH", lean_calls.ONE, channel_id=CHANNEL, message_id=1)
    known = http.get_ratelimit(f"{http._bucket_hashes[route.key]}:{route.major_parameters}")
    assert known.limit == 5


async def test_a_refused_edit_goes_again_when_it_may() -> None:
    server = Discord(limited(1.5), reply())
    assert await server.edit() == SHOWN
    assert server.times == [0.0, 1.5]


async def test_a_limit_of_all_calls_holds_back_the_others() -> None:
    server = Discord(limited(3.0, **{"global": True}), reply())

    async def another() -> None:
        await asyncio.sleep(1.0)
        with pytest.raises(UnreadableAnswerError):
            await server.calls.edit(ChannelId(9), MESSAGE, b"{}")

    await asyncio.gather(server.edit(), another())
    assert server.times == [0.0, 3.0, 3.0]


async def test_an_error_of_discords_is_tried_again() -> None:
    server = Discord(reply(502, b"<html>", {"Content-Type": "text/html"}), reply())
    assert await server.edit() == SHOWN
    assert server.times == [0.0, 1.0]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (reply(403, {"code": 50001, "message": "Missing Access"}), discord.Forbidden),
        (reply(404, GONE), discord.NotFound),
        (reply(400, {"code": 50035, "message": "Invalid"}), discord.HTTPException),
        (reply(503, b"", {"Content-Type": "text/html"}), discord.DiscordServerError),
        (reply(429, {"code": 30046, "message": "too old"}), discord.HTTPException),
        (reply(429, b"<html>", {"Content-Type": "text/html"}), discord.HTTPException),
        (reply(200, b"<html>", {"Content-Type": "text/html"}), UnreadableAnswerError),
        (reply(200, {}), UnreadableAnswerError),
        (reply(200, {"id": "44"}), UnreadableAnswerError),
        (reply(200, {**SHOWN, "id": "45"}), UnreadableAnswerError),
        (reply(200, {**SHOWN, "channel_id": "4"}), UnreadableAnswerError),
        (reply(200, {**SHOWN, "components": None}), UnreadableAnswerError),
    ],
)
async def test_other_refusals_are_raised_at_once(answer: Reply, error: type[Exception]) -> None:
    server = Discord(answer)
    with pytest.raises(error):
        await server.edit()
    assert server.times == [0.0]


async def test_limit_without_an_end_holds_up_nothing() -> None:
    server = Discord(reply(more={"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5"}))
    assert await server.edit() == await server.edit() == SHOWN
    assert server.times == [0.0, 0.0]


async def test_deletion_that_was_sent_twice_finds_nothing_the_second_time() -> None:
    def gone(*, is_repeat: bool) -> Discord:
        return Discord(reply(404, GONE, is_repeat=is_repeat))

    await gone(is_repeat=True).calls.delete(CHANNEL, MESSAGE)
    with pytest.raises(discord.NotFound):
        await gone(is_repeat=False).calls.delete(CHANNEL, MESSAGE)


async def test_post_returns_its_message() -> None:
    server = Discord(reply())
    assert (await server.calls.post(CHANNEL, b"{}"))["id"] == "44"
    assert server.asked == [(0.0, "POST", "/channels/3/messages")]


@pytest.mark.parametrize(
    ("message", "file"),
    [
        (SHOWN, None),
        ({"attachments": [{"id": "7"}]}, 7),
        ({"components": [{"components": [{"items": [{"media": {"attachment_id": "8"}}]}]}]}, 8),
        ({"components": [{"items": [{"media": {"url": "x"}}]}], "attachments": []}, None),
    ],
)
def test_picture_of_a_message_is_found(message: Mapping[str, Any], file: int | None) -> None:
    assert picture(message) == file


@pytest.mark.parametrize(
    ("name", "changed"),
    [("request", lambda self, route: None), ("delete_message", lambda self, message: None)],
)
def test_another_discord_py_sends_by_its_own_session(
    monkeypatch: pytest.MonkeyPatch, name: str, changed: Callable[..., None]
) -> None:
    assert lean_calls.is_known()
    monkeypatch.setattr(discord.http.HTTPClient, name, changed)
    assert not lean_calls.is_known()
