"""A record holds every call and every event, in order."""

import json
from pathlib import Path
from typing import Any

import aiohttp

from bot.fakediscord import Server
from tests.loopback.bots import bot_process
from tests.loopback.players import all_ready, seated
from tests.loopback.support import Api, gateway_client

TOKEN = ".".join(("a", "bots", "token"))
CALL = {"k", "method", "path", "query", "headers", "json", "parts", "status", "resp", "scene"}
EVENT = {"k", "t_event", "d"}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_record_holds_calls_and_events_of_a_match(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    async with Server(record=path) as server:
        async with bot_process(server, tmp_path / "match.db"):
            server.recorder.scene = "a match"
            people = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
            await all_ready(people)
            for player in people:
                _ = await player.press("Flip")
        calls = [(call.method, call.path, call.status) for call in server.calls]
        tokens = list(server.tokens)
    record = lines(path)
    assert all(set(line) == (CALL if line["k"] == "rest" else EVENT) for line in record)
    rest = [line for line in record if line["k"] == "rest"]
    assert [(line["method"], line["path"], line["status"]) for line in rest] == calls
    assert {line["scene"] for line in rest} == {"", "a match"}
    events = [line for line in record if line["k"] == "gw"]
    assert [event["t_event"] for event in events[:2]] == ["READY", "GUILD_CREATE"]
    presses = [one["d"]["token"] for one in events if one["t_event"] == "INTERACTION_CREATE"]
    assert presses == tokens, "each is there once, in order"
    answers = [line["path"].split("/")[5] for line in rest if line["path"].endswith("/callback")]
    assert sorted(answers) == sorted(tokens)
    for token in tokens:
        assert before(record, token, "gw") < before(record, token, "rest")


def before(record: list[dict[str, Any]], token: str, kind: str) -> int:
    """The line with which an interaction came, or that of its first call."""
    return next(
        number
        for number, line in enumerate(record)
        if line["k"] == kind and token in (line["d"].values() if kind == "gw" else line["path"])
    )


async def test_record_describes_files_and_refusals(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    async with Server(record=str(path)) as server, Api(server) as api:
        where = f"/channels/{server.all_channels[0].id}/messages"
        form = aiohttp.FormData()
        form.add_field("payload_json", json.dumps({"content": "a picture"}))
        form.add_field("files[0]", b"PNG", filename="b.png", content_type="image/png")
        async with api.http.post(f"{server.url}/api/v10{where}?wait=true", data=form) as reply:
            assert reply.status == 200
        server.fault("POST", status=503)
        assert (await api("POST", where, {"content": "refused"})).status == 503
    sent, refused = lines(path)
    assert (sent["path"], sent["query"]) == (f"/api/v10{where}", {"wait": "true"})
    assert sent["json"] == {"content": "a picture"}
    (part,) = sent["parts"]
    assert (part["name"], part["filename"], part["size"]) == ("files[0]", "b.png", 3)
    assert part["headers"]["Content-Type"] == "image/png"
    assert sent["resp"]["attachments"][0]["filename"] == "b.png"
    assert refused["json"] == {"content": "refused"}, "read although a fault came first"
    assert (refused["status"], refused["resp"]) == (503, "<html>upstream error</html>")


async def test_record_hides_the_bots_token(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    async with Server(record=path) as server, Api(server) as api, gateway_client(server):
        api.http.headers["Authorization"] = f"Bot {TOKEN}"
        assert (await api("GET", "/users/@me")).status == 200
    (call,) = (line for line in lines(path) if line["k"] == "rest")
    assert call["headers"]["Authorization"] == "Bot ***"
    assert TOKEN not in path.read_text()


async def test_no_record_is_written_unless_asked_for(tmp_path: Path) -> None:
    async with Server() as server, Api(server) as api:
        assert (await api("GET", "/users/@me")).status == 200
        assert not server.recorder.on
