"""The rules of the loopback Discord: gateway, deadlines, forms, rate limits and faults."""

import asyncio
import functools
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.fakediscord import Channel, Interaction, Message, Server, Settings, User
from bot.fakediscord.constants import EPOCH_MS, NONCE_KNOWN_FOR, MessageFlag
from bot.fakediscord.rate_limits import falsely, fully, not_at_all, partly, without_an_end
from tests.loopback.support import (
    Api,
    Reply,
    button,
    gateway_client,
    row,
    running,
)
from tests.real import PATIENCE
from tests.simulate.loop import VirtualLoop

EPHEMERAL, V2 = MessageFlag.EPHEMERAL, MessageFlag.V2
POST = "POST /channels/#/messages"
COMMAND = {"name": "join", "description": "x", "type": 1}


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as server:
        server.settings.ack_deadline = PATIENCE
        yield server


@pytest.fixture
async def api(server: Server) -> AsyncIterator[Api]:
    async with Api(server) as api:
        yield api


@pytest.fixture
def channel(server: Server) -> Channel:
    return server.all_channels[0]


@pytest.fixture
def ann(server: Server) -> User:
    return server.user("ann")


async def post(api: Api, channel: Channel, content: str = "x", **more: Any) -> Reply:
    return await api("POST", f"/channels/{channel.id}/messages", {"content": content, **more})


async def post_board(api: Api, channel: Channel) -> Message:
    reply = await post(api, channel, components=[row(button())])
    assert reply.status == 200
    return channel.messages[int(reply.body["id"])]


async def join(api: Api, user: User, channel: Channel) -> Interaction:
    """A slash command, delivered and not yet answered."""
    server = api.server
    await api("PUT", f"/applications/{server.app_id}/commands", [COMMAND])
    return server.slash(user, channel, "join")


# -- a real bot ---------------------------------------------------------------------------------
@pytest.mark.real("other bots as processes")
@pytest.mark.parametrize(
    "env",
    [{}, {"ECHO_CLIENT": "1"}, {"ECHO_SHARDS": "1"}],
    ids=["Bot", "Client", "AutoShardedBot"],
)
async def test_real_bot(env: dict[str, str]) -> None:
    async with Server(guilds=4, channels=2) as server:
        server.settings.ack_deadline = PATIENCE
        gateway, ann = server.gateway, server.user("ann", "pl")
        if "ECHO_SHARDS" in env:
            gateway.shards, gateway.max_concurrency = 2, 2
        async with running(server, "echo_bot.py", **env):
            await server.wait_for(lambda: len(gateway.live()) == gateway.shards, PATIENCE)
            for channel in server.all_channels:
                posted = await server.slash(ann, channel, "panel").wait()
                assert (posted.status, posted.callback_type) == (200, 4)
                hit = await server.click(ann, server.public(channel)[0], label="hit").wait()
                assert (hit.status, hit.callback_type) == (200, 7)
                assert hit.latency is not None
                assert hit.latency > 0
                assert server.view(ann, channel)[0].text.startswith("hits: ")
        assert not server.unknown
        assert not server.crashes


@pytest.mark.real("another bot as a process")
async def test_gateway_faults(server: Server, channel: Channel, ann: User) -> None:
    gateway = server.gateway
    gateway.enforce_identify = False
    async with running(server, "echo_bot.py"):
        await server.slash(ann, channel, "panel").wait()
        board = server.public(channel)[0]
        invalidate = functools.partial(gateway.faults.invalidate, resumable=True)
        for fault in (gateway.faults.drop, gateway.faults.reconnect, invalidate):
            fault()
            await server.wait_for(lambda: not gateway.ready, PATIENCE)
            missed = server.click(ann, board, "hit")
            await server.wait_for(lambda: gateway.ready, PATIENCE)
            assert (await missed.wait()).ok
        assert gateway.resumes == 3
        identified = len(gateway.identifies)
        await gateway.faults.close(4009)
        await server.wait_for(lambda: len(gateway.identifies) > identified, PATIENCE)
        await server.wait_for(lambda: gateway.ready, PATIENCE)
        assert (await server.click(ann, board, "hit").wait()).ok


@pytest.mark.real("another bot as a process")
async def test_events_twice_after_resume(server: Server, channel: Channel, ann: User) -> None:
    async with running(server, "echo_bot.py"):
        await server.slash(ann, channel, "panel").wait()
        hit = await server.click(ann, server.public(channel)[0], "hit").wait()
        server.gateway.faults.drop(duplicates=3)
        await server.wait_for(lambda: len(hit.attempts) == 2, PATIENCE)
        assert server.gateway.resumes == 1
        assert hit.attempts[1][2] == 400
        assert server.codes["POST /interactions/#/*/callback", 40060] >= 1


# -- interactions -------------------------------------------------------------------------------
async def test_answers(server: Server, api: Api, channel: Channel, ann: User) -> None:
    board = await post_board(api, channel)
    assert board.data["components"][0]["components"][0]["id"]
    press = server.click(ann, board, "a")
    early = await api.webhook("POST", press, "", {"content": "early"})
    assert early.body["code"] == 10015
    first = await api.answer(press, 7, {"content": "new"})
    assert first.status == 200
    assert first.body["resource"]["message"]["content"] == "new"
    assert board.version == 1
    again = await api.answer(press, 7, {"content": "again"})
    assert again.body["code"] == 40060
    assert (press.ok, press.status, press.error) == (True, 200, 40060)
    server.age_tokens(901)
    old = await api.webhook("PATCH", press, "/messages/@original", {"content": "x"})
    assert (old.status, old.body["code"]) == (401, 50027)


async def test_an_answer_that_is_taken_after_a_refusal_counts(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    press = server.click(ann, await post_board(api, channel), "a")
    assert (await api.answer(press, 99)).status == 400
    assert (press.ok, press.status) == (False, 400)
    assert (await api.answer(press, 6)).status == 200
    assert (press.ok, press.status) == (True, 200)


async def test_what_the_client_prevents(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    board = await post_board(api, channel)
    with pytest.raises(LookupError, match="nope"):
        _ = server.click(ann, board, "nope")
    forced = server.click(ann, board, "nope", stale=True)
    assert forced.name == "nope"


async def test_deadline(server: Server, api: Api, channel: Channel, ann: User) -> None:
    board = await post_board(api, channel)
    server.settings.ack_deadline = 0.05
    press = server.click(ann, board, "a")
    await asyncio.sleep(0.1)
    assert (await api.answer(press, 6)).body["code"] == 10062
    assert not (await press.wait()).ok
    assert server.late == 1


async def test_ephemeral_is_private(server: Server, api: Api, channel: Channel, ann: User) -> None:
    bob = server.user("bob")
    rec = await join(api, ann, channel)
    secret = {"content": "secret", "flags": EPHEMERAL, "components": [row(button("p"))]}
    reply = await api.answer(rec, 4, secret)
    assert reply.body["interaction"]["response_message_ephemeral"] is True
    (panel,) = server.panels(ann, channel)
    assert server.view(bob, channel) == []
    assert server.public(channel) == []
    with pytest.raises(LookupError, match="does not see"):
        _ = server.click(bob, panel, "p")
    edited = await api("PATCH", f"/channels/{channel.id}/messages/{panel.id}", {"content": "x"})
    assert edited.body["code"] == 10008
    assert (await api("GET", f"/channels/{channel.id}/messages")).body == []
    server.restart_client(ann)
    assert server.panels(ann, channel) == []


async def test_ephemeral_tokens(server: Server, api: Api, channel: Channel, ann: User) -> None:
    rec = await join(api, ann, channel)
    secret = {"content": "secret", "flags": EPHEMERAL, "components": [row(button("p"))]}
    await api.answer(rec, 4, secret)
    (panel,) = server.panels(ann, channel)
    press = server.click(ann, panel, "p")
    assert (await api.answer(press, 6)).status == 200
    edited = await api.webhook("PATCH", press, "/messages/@original", {"content": "two"})
    assert edited.status == 200
    assert panel.text == "two"
    more = await api.webhook("POST", press, "", {"content": "f", "flags": EPHEMERAL})
    assert len(server.panels(ann, channel)) == 2
    gone = await api.webhook("DELETE", press, f"/messages/{more.body['id']}")
    assert gone.status == 204
    assert server.panels(ann, channel) == [panel]
    other = await join(api, ann, channel)
    assert (await api.answer(other, 5, {"flags": EPHEMERAL})).status == 200
    foreign = await api.webhook("PATCH", other, f"/messages/{panel.id}", {"content": "x"})
    assert foreign.body["code"] == 10008


async def test_followup_fills_a_deferred_answer(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    rec = await join(api, ann, channel)
    await api.answer(rec, 5, {"flags": EPHEMERAL})
    assert rec.original is not None
    assert rec.original.loading
    reply = await api.webhook("POST", rec, "", {"content": "done"})
    assert int(reply.body["id"]) == rec.original.id
    assert rec.original.ephemeral
    assert not rec.original.loading


async def test_edits_through_token_and_bot(api: Api, channel: Channel, ann: User) -> None:
    rec = await join(api, ann, channel)
    await api.answer(rec, 4, {"content": "one", "components": [row(button())]})
    message = rec.original
    assert message is not None
    await api.webhook("PATCH", rec, "/messages/@original", {"content": "two"})
    assert message.data["content"] == "two"
    by_bot = f"/channels/{channel.id}/messages/{message.id}"
    assert (await api("PATCH", by_bot, {"content": "three"})).status == 200
    assert message.data["content"] == "three"
    await api.webhook("PATCH", rec, f"/messages/{message.id}", {"components": []})
    assert (message.data["content"], message.data["components"]) == ("three", [])
    assert message.version == 3
    read = await api.webhook("GET", rec, "/messages/@original")
    assert read.body["content"] == (await api("GET", by_bot)).body["content"] == "three"


NEW_GAME = {
    "type": 1,
    "name": "new",
    "description": "x",
    "options": [
        {
            "type": 4,
            "name": "seats",
            "description": "x",
            "min_value": 2,
            "max_value": 8,
            "required": True,
        },
        {"type": 6, "name": "who", "description": "x"},
    ],
}
GAME = {"name": "game", "description": "x", "options": [NEW_GAME]}
AMOUNT = {"type": 4, "custom_id": "amt", "style": 1, "max_length": 3}
MODAL = {
    "custom_id": "m",
    "title": "bet",
    "components": [{"type": 18, "label": "amount", "component": AMOUNT}],
}


async def register(api: Api, command: dict[str, Any]) -> int:
    reply = await api("PUT", f"/applications/{api.server.app_id}/commands", [command])
    return reply.status


async def test_command_options(server: Server, api: Api, channel: Channel, ann: User) -> None:
    assert await register(api, GAME | {"name": "Bad Name"}) == 400
    assert await register(api, GAME) == 200
    wrong: list[dict[str, Any]] = [
        {},
        {"seats": 9},
        {"seats": "3"},
        {"seats": True},
        {"seats": 3.5},
        {"seats": 3, "zzz": 1},
    ]
    for options in wrong:
        with pytest.raises((ValueError, LookupError)):
            _ = server.slash(ann, channel, "game new", options)
    rec = server.slash(ann, channel, "game new", {"seats": 3, "who": ann})
    assert rec.payload is not None
    data = rec.payload["data"]
    assert data["options"][0]["options"][0] == {"type": 4, "name": "seats", "value": 3}
    assert data["resolved"]["members"]
    asked = server.autocomplete(ann, channel, "game new", {"seats": 2}, "seats")
    choices = [{"name": "two", "value": 2}]
    assert (await api.answer(asked, 8, {"choices": choices})).status == 200
    assert asked.choices == choices


async def test_modal(server: Server, api: Api, channel: Channel, ann: User) -> None:
    rec = await join(api, ann, channel)
    assert (await api.answer(rec, 9, MODAL)).status == 200
    assert rec.modal
    with pytest.raises(ValueError, match="does not fit"):
        _ = server.modal_submit(ann, rec, {"amt": "1000"})
    sent = server.modal_submit(ann, rec, {"amt": "10"})
    assert sent.payload is not None
    assert sent.payload["data"]["components"][0]["component"]["value"] == "10"
    # It came from a slash command: there is no message to update.
    assert (await api.answer(sent, 7, {"content": "x"})).status == 400


# -- forms --------------------------------------------------------------------------------------
TEXT = {"type": 10, "content": "x"}
LONG_TEXT = {"type": 10, "content": "x" * 2001}
NO_FILE = {"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}
ROWS = [row(button(str(i))) for i in range(6)]


def with_row(*items: dict[str, Any]) -> dict[str, Any]:
    return {"content": "x", "components": [row(*items)]}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"content": "x" * 2001}, "content"),
        (with_row(*[button(str(i)) for i in range(6)]), "components"),
        ({"content": "x", "components": ROWS}, "components"),
        (with_row(button("a"), button("a")), "DUPLICATED"),
        (with_row(button("y" * 101)), "custom_id"),
        (with_row(button(label="y" * 81)), "label"),
        ({"content": "x", "components": [TEXT]}, "UNION_TYPE"),
        ({"content": "x", "flags": V2, "components": [TEXT]}, "LEGACY"),
        ({"flags": V2, "components": [TEXT] * 41}, "EXCEEDED"),
        ({"flags": V2, "components": [LONG_TEXT] * 2}, "TEXT_SIZE"),
        ({"embeds": [{"description": "x" * 4097}]}, "description"),
        ({"embeds": [{"description": "x" * 3500}] * 2}, "MAX_EMBED_SIZE"),
        (with_row(button(emoji={"id": "123", "name": "z"})), "INVALID_EMOJI"),
        ({"flags": V2, "components": [NO_FILE]}, "NOT_FOUND"),
    ],
)
async def test_form_errors(api: Api, channel: Channel, body: dict[str, Any], where: str) -> None:
    reply = await api("POST", f"/channels/{channel.id}/messages", body)
    assert (reply.status, reply.body["code"]) == (400, 50035)
    assert where in str(reply.body["errors"])


async def test_v2_files_and_empty(server: Server, api: Api, channel: Channel) -> None:
    emojis = {"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}
    box = {"type": 17, "components": [{"type": 10, "content": "board"}, emojis]}
    payload = {
        "flags": V2,
        "attachments": [{"id": 0, "filename": "b.png"}],
        "components": [box],
    }
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(payload))
    form.add_field("files[0]", b"PNG", filename="b.png", content_type="application/octet-stream")
    url = f"{server.url}/api/v10/channels/{channel.id}/messages"
    async with api.http.post(url, data=form) as r:
        assert r.status == 200
    board = server.public(channel)[0]
    async with api.http.get(board.items[2].raw["items"][0]["media"]["url"]) as r:
        assert await r.read() == b"PNG"
    assert board.text == "board"
    mixed = await api("PATCH", f"/channels/{channel.id}/messages/{board.id}", {"content": "no"})
    assert mixed.status == 400
    assert (await post(api, channel, " ")).body["code"] == 50006


# -- rate limits and faults ---------------------------------------------------------------------
async def test_rate_limits(server: Server, api: Api, channel: Channel) -> None:
    server.limiter.rules[POST] = (5, 60.0)
    replies = [await post(api, channel) for _ in range(6)]
    assert [r.status for r in replies] == [200] * 5 + [429]
    assert replies[4].headers["X-RateLimit-Remaining"] == "0"
    assert 0 < replies[5].body["retry_after"] <= 60
    assert (server.ratelimited, server.limiter.total) == (1, 1)


@pytest.mark.parametrize(
    ("tell", "left", "ends"),
    [
        (fully, "0", True),
        (partly, "0", True),
        (without_an_end, "0", False),
        (not_at_all, None, False),
        (falsely, "3", True),
    ],
)
async def test_rate_limits_are_told_of_in_part_or_falsely(
    server: Server, api: Api, channel: Channel, tell: Any, left: str | None, *, ends: bool
) -> None:
    server.limiter.rules[POST], server.limiter.tell = (1, 60.0), tell
    replies = [await post(api, channel) for _ in range(2)]
    assert replies[0].headers.get("X-RateLimit-Remaining") == left
    assert ("X-RateLimit-Reset-After" in replies[0].headers) == ends
    assert replies[1].status == 429
    assert int(replies[1].headers["Retry-After"]) > 0


async def test_global_rate_limit(server: Server, api: Api) -> None:
    server.limiter.global_limit = 3
    replies = [await api("GET", "/users/@me") for _ in range(40)]
    assert any(r.status == 429 and r.body["global"] for r in replies)


async def test_faults(server: Server, api: Api, channel: Channel) -> None:
    server.limiter.enabled = False
    rule = server.fault("POST /api/v10/channels", status=503, times=2)
    assert [(await post(api, channel)).status for _ in range(3)] == [503, 503, 200]
    assert rule.hits == 2
    server.fault("POST", status=502, when="after", times=1)
    assert (await post(api, channel, "lost answer")).status == 502
    assert [m.text for m in server.public(channel)] == ["x", "lost answer"]
    server.fault("POST", retry_after=2.0, scope="global", times=1)
    assert (await post(api, channel)).body["retry_after"] == 2.0
    # The client repeats a dropped GET, PUT or DELETE by itself, but no POST.
    server.fault("POST", drop=True, times=1)
    with pytest.raises(aiohttp.ClientError):
        await post(api, channel)


async def test_lost_permissions_and_places(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    message = await post_board(api, channel)
    server.deny(channel, "send_messages")
    assert (await post(api, channel)).body["code"] == 50013
    server.deny(channel, "view_channel")
    edited = await api("PATCH", f"/channels/{channel.id}/messages/{message.id}", {"content": "x"})
    assert edited.body["code"] == 50001
    ann.dm_closed = True
    dm = await api("POST", "/users/@me/channels", {"recipient_id": str(ann.id)})
    assert (await post(api, server.channels[int(dm.body["id"])])).body["code"] == 50007
    assert (await api("GET", "/no/such/route")).status == 404
    assert server.unknown["GET /no/such/route"] == 1
    server.delete_channel(channel)
    assert (await api("GET", f"/channels/{channel.id}")).body["code"] == 10003


async def test_hold_before(server: Server, api: Api, channel: Channel) -> None:
    hold = asyncio.Event()
    rule = server.fault("POST", hold=hold)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        sending = group.create_task(post(api, channel))
        await rule.reached.wait()
        assert server.public(channel) == []
        hold.set()
    assert sending.result().status == 200
    assert len(server.public(channel)) == 1


async def test_a_nonce_is_known_for_a_few_minutes(api: Api, channel: Channel) -> None:
    """Then the same one makes another message."""

    async def sent() -> str:
        return str((await post(api, channel, nonce="7", enforce_nonce=True)).body["id"])

    first = await sent()
    await asyncio.sleep(NONCE_KNOWN_FOR - 10)
    assert await sent() == first
    await asyncio.sleep(20)
    second = await sent()
    assert second != first
    assert await sent() == second


async def test_hold_after(server: Server, api: Api, channel: Channel) -> None:
    hold = asyncio.Event()
    rule = server.fault("POST", hold=hold, when="after", status=502)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        sending = group.create_task(post(api, channel))
        await rule.reached.wait()
        assert len(server.public(channel)) == 1
        assert not sending.done()
        hold.set()
    assert sending.result().status == 502


@pytest.mark.parametrize(("when", "status", "applied"), [("before", 499, 0), ("after", 200, 1)])
async def test_client_goes_while_held(
    server: Server, api: Api, when: str, status: int, applied: int
) -> None:
    hold, channel = asyncio.Event(), server.all_channels[0]
    rule = server.fault("POST", hold=hold, when=when)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        sending = group.create_task(post(api, channel))
        await rule.reached.wait()
        sending.cancel()
    await server.wait_for(lambda: server.statuses[POST, status] == 1, PATIENCE)
    hold.set()
    assert len(server.public(channel)) == applied


async def test_a_client_that_goes_in_the_middle_of_its_request_leaves_no_trace(
    server: Server, channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot may be stopped while it sends a picture: nothing is applied, nothing is logged."""
    host, port = server.url.removeprefix("http://").split(":")
    _, sending = await asyncio.open_connection(host, int(port))
    head = f"POST /api/v10/channels/{channel.id}/messages HTTP/1.1"
    fields = f"Host: {host}\r\nAuthorization: Bot x\r\nContent-Type: application/json"
    sending.write(f"{head}\r\n{fields}\r\nContent-Length: 1000\r\n\r\n{{".encode())
    async with asyncio.timeout(PATIENCE):
        while not server.inflight:  # noqa: ASYNC110 a request that is being read changes nothing
            await asyncio.sleep(0.01)
    sending.transport.abort()
    await server.wait_for(lambda: server.statuses[POST, 499] == 1, PATIENCE)
    assert not server.public(channel)
    assert not server.crashes
    assert not caplog.records


async def test_server_stops_while_holding() -> None:
    server = await Server().start()
    rule = server.fault("POST", hold=asyncio.Event())
    async with asyncio.timeout(PATIENCE), Api(server) as api, asyncio.TaskGroup() as group:
        sending = group.create_task(lost(api, server.all_channels[0]))
        await rule.reached.wait()
        await server.stop()
    assert sending.result()
    assert server.public(server.all_channels[0]) == []


async def lost(api: Api, channel: Channel) -> bool:
    try:
        await post(api, channel)
    except aiohttp.ClientError:
        return True
    return False


# -- late answers and clocks --------------------------------------------------------------------
async def test_late_answer_counts_once(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    async with gateway_client(server) as socket:
        rec = await join(api, ann, channel)
        await socket.receive_json(timeout=PATIENCE)
        assert server.late == 0
        rec.deadline = -1.0
        assert server.late == 1
        for _ in range(2):
            assert (await api.answer(rec, 6)).body["code"] == 10062
    assert server.late == 1


async def test_in_time_is_not_late(server: Server, api: Api, channel: Channel, ann: User) -> None:
    async with gateway_client(server) as socket:
        rec = await join(api, ann, channel)
        await socket.receive_json(timeout=PATIENCE)
        assert (await api.answer(rec, 5)).status == 200
        rec.deadline = -1.0
        assert (await api.answer(rec, 5)).body["code"] == 40060
    assert server.late == 0


async def test_late_needs_a_connected_bot(
    server: Server, api: Api, channel: Channel, ann: User
) -> None:
    never_sent = await join(api, ann, channel)
    async with gateway_client(server) as socket:
        cut_off = await join(api, ann, channel)
        await socket.receive_json(timeout=PATIENCE)
    await server.wait_for(lambda: not server.gateway.conns, PATIENCE)
    never_sent.deadline = cut_off.deadline = -1.0
    assert server.late == 0
    assert (await api.answer(never_sent, 5)).body["code"] == 10062
    assert server.late == 1


@pytest.mark.parametrize("skew", [-3600.0, 3600.0])
async def test_clock_skew(skew: float) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with Server(settings=Settings(clock_skew=skew)) as server, Api(server) as api:
        recs = [await join(api, server.user("ann"), server.all_channels[0]) for _ in range(3)]
    for rec in recs:
        stamp = ((rec.id >> 22) + EPOCH_MS) / 1000
        assert abs(stamp - loop.wall() - skew) < 1
    assert len({rec.id for rec in recs}) == 3
    assert recs == sorted(recs, key=lambda rec: rec.id)


# -- processes ----------------------------------------------------------------------------------
@pytest.mark.real("a program that is started with this environment")
async def test_environment_reaches_the_patch(server: Server, tmp_path: Path) -> None:
    """discord.py is patched, and another sitecustomize still runs."""
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.another = 'runs'\n")
    script = "import discord; print(discord.http.Route.BASE, another)"
    entry = server.env["PYTHONPATH"].split(os.pathsep)[0]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        env={**os.environ, **server.env, "PYTHONPATH": f"{entry}{os.pathsep}{tmp_path}"},
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert (Path(entry) / "sitecustomize.py").is_file()
    assert out.decode().split() == [f"{server.url}/api/v10", "runs"]


async def test_control(server: Server, api: Api, channel: Channel) -> None:
    async def control(do: str, *args: Any) -> Any:
        order = {"do": do, "args": args}
        async with api.http.post(f"{server.url}/__ctl", json=order) as r:
            return await r.json()

    board = await post_board(api, channel)
    assert (await control("channels"))[0]["id"] == str(channel.id)
    (shown,) = await control("view", {"user": "ann"}, {"channel": channel.id})
    assert shown["id"] == str(board.id)
    await control("delete_message", {"message": board.id})
    assert board.deleted
    assert (await control("stats"))["late"] == 0
    assert "error" in await control("stop")
    assert "error" in await control("view", {"user": "ann"}, {"channel": 1})
    async with api.http.post(f"{server.url}/__ctl", data="click") as r:
        assert r.status == 400


async def test_control_tells_of_an_interaction_once_it_is_answered(
    server: Server, api: Api, channel: Channel
) -> None:
    board = await post_board(api, channel)
    order = {"do": "click", "args": [{"user": "ann"}, {"message": board.id}, "a"]}
    told = asyncio.ensure_future(api.http.post(f"{server.url}/__ctl", json=order))
    await server.wait_for(lambda: server.tokens)
    (press,) = server.tokens.values()
    assert (await api.answer(press, 7, {"content": "new"})).status == 200
    async with await told as r:
        answer = await r.json()
    assert (answer["ok"], answer["status"]) == (True, 200)


@pytest.mark.real("TLS over a socket")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
async def test_tls() -> None:
    async with Server(settings=Settings(tls=True)) as server, aiohttp.ClientSession() as http:
        url = f"{server.url}/api/v10/gateway"
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await http.get(url)
        assert server.env["SSL_CERT_FILE"] == server.cert
