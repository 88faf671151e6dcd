"""The stand-in is as strict as Discord: each test fails where it would be kinder."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.fakediscord import Channel, Interaction, Message, Server, User, permissions
from bot.fakediscord.constants import Intent, MessageFlag
from bot.fakediscord.model.permissions import EVERYONE
from tests.loopback.support import Api, Reply, button, gateway_client, row
from tests.real import PATIENCE

V2, EPHEMERAL = MessageFlag.V2, MessageFlag.EPHEMERAL
HOUR = 3600
NOT_LISTED = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with Server() as server, Api(server) as api:
        yield api


@pytest.fixture
def channel(api: Api) -> Channel:
    return api.server.all_channels[0]


@pytest.fixture
def ann(api: Api) -> User:
    return api.server.user("ann")


def showing(name: str, **more: Any) -> dict[str, Any]:
    """A message whose gallery shows a file."""
    emojis = {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}
    return {"flags": V2, "components": [{"type": 17, "components": [emojis]}], **more}


async def with_files(api: Api, method: str, path: str, body: Any, *names: str) -> Reply:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(body))
    for number, name in enumerate(names):
        form.add_field(f"files[{number}]", b"PNG", filename=name, content_type="image/png")
    async with api.http.request(method, f"{api.server.url}/api/v10{path}", data=form) as reply:
        return Reply(reply.status, await reply.json(), reply.headers)


async def pictured(api: Api, channel: Channel) -> tuple[str, Message]:
    """A message that shows `a.png`: its path, and itself."""
    where = f"/channels/{channel.id}/messages"
    reply = await with_files(api, "POST", where, showing("a.png"), "a.png")
    assert reply.status == 200
    return f"{where}/{reply.body['id']}", channel.messages[int(reply.body["id"])]


async def used(api: Api, user: User, channel: Channel) -> Interaction:
    """A command, delivered and not yet answered."""
    command = {"name": "join", "description": "x", "type": 1}
    await api("PUT", f"/applications/{api.server.app_id}/commands", [command])
    return api.server.slash(user, channel, "join")


# -- files --------------------------------------------------------------------------------------
async def test_edit_shows_only_files_that_it_lists(api: Api, channel: Channel) -> None:
    path, message = await pictured(api, channel)
    (file,) = message.files
    unlisted = await api("PATCH", path, showing("a.png"))
    assert (unlisted.status, NOT_LISTED in str(unlisted.body)) == (400, True)
    by_id = showing("a.png", attachments=[{"id": file["id"]}])
    assert (await api("PATCH", path, by_id)).status == 400
    listed = showing("a.png", attachments=[{"id": file["id"], "filename": "a.png"}])
    assert (await api("PATCH", path, listed)).status == 200
    api.server.settings.kept_names = True
    assert (await api("PATCH", path, showing("a.png"))).status == 200, "the kinder belief"


async def test_files_in_components_are_no_attachments(api: Api, channel: Channel) -> None:
    where = f"/channels/{channel.id}/messages"
    reply = await with_files(api, "POST", where, showing("a.png"), "a.png", "b.txt")
    assert [one["filename"] for one in reply.body["attachments"]] == ["b.txt"]
    (item,) = reply.body["components"][0]["components"][0]["items"]
    message = channel.messages[int(reply.body["id"])]
    assert item["media"]["attachment_id"] == message.files[0]["id"]


async def test_edit_with_a_file_keeps_only_listed_ones(api: Api, channel: Channel) -> None:
    path, message = await pictured(api, channel)
    assert (await with_files(api, "PATCH", path, showing("b.png"), "b.png")).status == 200
    assert [one["filename"] for one in message.files] == ["b.png"]


async def test_press_answered_by_an_update_loses_files(
    api: Api, channel: Channel, ann: User
) -> None:
    where = f"/channels/{channel.id}/messages"
    body = {"content": "x", "components": [row(button())]}
    sent = await with_files(api, "POST", where, body, "a.txt")
    message = channel.messages[int(sent.body["id"])]
    assert message.files
    await api("PATCH", f"{where}/{message.id}", {"content": "y"})
    assert message.files, "an edit keeps what it does not speak of"
    await api.answer(api.server.click(ann, message, "a"), 7, {"content": "z"})
    assert not message.files
    assert not message.data["attachments"]


async def test_edits_may_be_refused_a_picture(api: Api, channel: Channel, ann: User) -> None:
    """A new message may show one all the same, and an edit may keep one."""
    path, message = await pictured(api, channel)
    api.server.settings.edits_show_files = False
    refused = await with_files(api, "PATCH", path, showing("b.png"), "b.png")
    assert (refused.status, NOT_LISTED in str(refused.body)) == (400, True)
    (file,) = message.files
    listed = showing("a.png", attachments=[{"id": file["id"], "filename": "a.png"}])
    assert (await api("PATCH", path, listed)).status == 200
    rec = await used(api, ann, channel)
    await api.answer(rec, 5)
    original = f"/webhooks/{api.server.app_id}/{rec.token}/messages/@original"
    late = await with_files(api, "PATCH", original, showing("c.png"), "c.png")
    assert late.status == 400, "also where the answer was promised"
    _ = await pictured(api, channel)


# -- limits -------------------------------------------------------------------------------------
async def test_channel_may_limit_calls_with_tokens(api: Api, channel: Channel, ann: User) -> None:
    api.server.settings.webhook_calls = 4
    tokens = [await used(api, ann, channel) for _ in range(3)]
    for rec in tokens:
        await api.answer(rec, 4, {"content": "x"})
    said = {"content": "more"}
    replies = [await api.webhook("POST", rec, "", said) for rec in tokens for _ in range(2)]
    assert [reply.status for reply in replies] == [200] * 4 + [429] * 2
    assert replies[-1].headers["X-RateLimit-Scope"] == "shared"
    await asyncio.sleep(60)
    assert (await api.webhook("POST", tokens[0], "", said)).status == 200


async def test_old_messages_take_few_edits(api: Api, channel: Channel) -> None:
    where = f"/channels/{channel.id}/messages"
    old = [(await api("POST", where, {"content": "x"})).body["id"] for _ in range(2)]
    await asyncio.sleep(HOUR + 1)
    new = (await api("POST", where, {"content": "x"})).body["id"]
    edited = {"content": "y"}
    replies = [await api("PATCH", f"{where}/{old[n % 2]}", edited) for n in range(4)]
    assert [reply.status for reply in replies] == [200] * 3 + [429]
    assert replies[-1].body["code"] == 30046
    assert replies[-1].body["retry_after"] > 0
    assert (await api("PATCH", f"{where}/{new}", edited)).status == 200
    await asyncio.sleep(6)
    assert (await api("PATCH", f"{where}/{old[0]}", edited)).status == 200


async def test_too_many_old_edits_are_a_rate_limit(api: Api, channel: Channel) -> None:
    api.server.fault("PATCH", code=30046, times=1)
    reply = await api("PATCH", f"/channels/{channel.id}/messages/1", {"content": "x"})
    assert (reply.status, reply.body["code"]) == (429, 30046)
    assert reply.headers["Via"]


async def test_nonce_is_known_for_as_long_as_is_set(api: Api, channel: Channel) -> None:
    api.server.settings.nonce_life = 60
    where = f"/channels/{channel.id}/messages"
    body = {"content": "x", "nonce": "7", "enforce_nonce": True}
    first, same = [(await api("POST", where, body)).body["id"] for _ in range(2)]
    await asyncio.sleep(61)
    assert first == same != (await api("POST", where, body)).body["id"]


# -- places -------------------------------------------------------------------------------------
async def test_presses_come_from_servers_without_the_bot(
    api: Api, channel: Channel, ann: User
) -> None:
    """Where only the commands were added. The answer may be given; the channel is closed."""
    assert channel.guild is not None
    rec = await used(api, ann, channel)
    api.server.kick_bot(channel.guild)
    async with aiohttp.ClientSession() as http, http.ws_connect(api.server.ws_url) as socket:
        await socket.receive_json(timeout=PATIENCE)
        await socket.send_json({"op": 2, "d": {"token": "x", "intents": int(Intent.GUILDS)}})
        ready = await socket.receive_json(timeout=PATIENCE)
        assert not ready["d"]["guilds"]
        rec = api.server.slash(ann, channel, "join")
        event = await socket.receive_json(timeout=PATIENCE)
        assert event["d"]["token"] == rec.token
    assert (await api.answer(rec, 4, {"content": "x"})).status == 200
    path = f"/channels/{channel.id}/messages"
    assert (await api("POST", path, {"content": "x"})).body["code"] == 50001


async def test_new_server_tells_of_no_member_but_the_bot(api: Api, ann: User) -> None:
    (guild,) = api.server.guilds.values()
    guild.join(ann)
    async with aiohttp.ClientSession() as http, http.ws_connect(api.server.ws_url) as socket:
        await socket.receive_json(timeout=PATIENCE)
        await socket.send_json({"op": 2, "d": {"token": "x", "intents": int(Intent.GUILDS)}})
        await socket.receive_json(timeout=PATIENCE)
        told = (await socket.receive_json(timeout=PATIENCE))["d"]
    assert [one["user"]["id"] for one in told["members"]] == [str(api.server.bot.id)]
    assert told["member_count"] > 1


async def test_only_who_began_a_thread_archives_it(api: Api, channel: Channel) -> None:
    assert channel.guild is not None
    closed = {"archived": True}
    somebodys = Channel(api.server.world.ids(), "a thread", channel.guild, 11, channel)
    api.server.world.keep(somebodys)
    path = f"/channels/{somebodys.id}"
    assert (await api("PATCH", path, closed)).body["code"] == 50013
    own = await api("POST", f"/channels/{channel.id}/threads", {"name": "own", "type": 11})
    assert (await api("PATCH", f"/channels/{own.body['id']}", closed)).status == 200
    channel.guild.bot_perms = EVERYONE | permissions("manage_threads")
    assert (await api("PATCH", path, closed)).status == 200


async def test_heartbeats_take_time(api: Api) -> None:
    api.server.settings.heartbeat = 1.5
    loop = asyncio.get_running_loop()
    async with gateway_client(api.server) as socket:
        sent = loop.time()
        await socket.send_json({"op": 1, "d": None})
        while (await socket.receive_json(timeout=PATIENCE))["op"] != 11:
            pass
        assert loop.time() - sent >= 1.5


# -- answers ------------------------------------------------------------------------------------
async def test_what_is_made_is_answered_with_201(api: Api, channel: Channel) -> None:
    emoji = {"name": "crown", "image": "data:image/png;base64,"}
    path = f"/applications/{api.server.app_id}/emojis"
    assert (await api("POST", path, emoji)).status == 201
    thread = await api("POST", f"/channels/{channel.id}/threads", {"name": "x", "type": 11})
    assert thread.status == 201
    assert "newly_created" not in thread.body, "only its event says so"


async def test_commands_are_answered_as_discord_does(api: Api) -> None:
    path = f"/applications/{api.server.app_id}/commands"
    option = {"type": 3, "name": "who", "description": "x", "name_localizations": {"de": "wer"}}
    command = {
        "name": "settings",
        "description": "x",
        "default_member_permissions": permissions("manage_guild"),
        "name_localizations": {"de": "einstellungen"},
        "options": [option],
        "integration_types": None,
    }
    (put,) = (await api("PUT", path, [command])).body
    assert put["default_member_permissions"] == str(permissions("manage_guild"))
    assert put["integration_types"] == [0]
    assert put["name_localizations"] == {"de": "einstellungen"}
    (told,) = (await api("GET", path)).body
    assert "localizations" not in str(told)
    (whole,) = (await api("GET", f"{path}?with_localizations=true")).body
    assert whole == put


async def test_only_shown_messages_are_resources(api: Api, channel: Channel, ann: User) -> None:
    public = await api(
        "POST", f"/channels/{channel.id}/messages", {"content": "x", "components": [row(button())]}
    )
    message = channel.messages[int(public.body["id"])]
    for kind, told in ((5, False), (6, False), (7, True), (4, True)):
        rec = api.server.click(ann, message, "a")
        reply = await api.answer(rec, kind, {"content": "y"})
        assert ("resource" in reply.body) == told, kind


async def test_modals_tell_what_opened_them(api: Api, channel: Channel, ann: User) -> None:
    rec = await used(api, ann, channel)
    text = {"type": 4, "custom_id": "t", "label": "x", "style": 1, "required": False}
    await api.answer(rec, 9, {"custom_id": "m", "title": "x", "components": [row(text)]})
    sent = api.server.modal_submit(ann, rec, {})
    reply = await api.answer(sent, 4, {"content": "x", "flags": EPHEMERAL})
    told = reply.body["resource"]["message"]["interaction_metadata"]
    assert told["triggering_interaction_metadata"]["id"] == str(rec.id)


async def test_components_are_answered_in_full(api: Api, channel: Channel) -> None:
    """And without what Discord does not know of them."""
    choice = {"label": "a", "value": "a", "emoji": {"id": None, "name": "🂡"}}
    select = {"type": 3, "custom_id": "s", "required": True, "options": [choice]}
    line, face = {"type": 14}, {"name": "🂡", "id": None, "animated": None}
    box = {"type": 17, "components": [line, row(button(emoji=face)), row(select)]}
    path = f"/channels/{channel.id}/messages"
    told = (await api("POST", path, {"flags": V2, "components": [box]})).body["components"][0]
    assert (told["accent_color"], told["spoiler"]) == (None, False)
    divided, buttons, selects = told["components"]
    assert (divided["divider"], divided["spacing"]) == (True, 1)
    assert buttons["components"][0]["emoji"] == {"name": "🂡"}
    (menu,) = selects["components"]
    assert (menu["min_values"], menu["max_values"], "required" in menu) == (1, 1, False)
    assert menu["options"] == [{"label": "a", "value": "a", "emoji": {"name": "🂡"}}]


async def test_people_and_the_application_have_all_fields(api: Api, ann: User) -> None:
    person = (await api("GET", f"/users/{ann.id}")).body
    assert person["flags"] == 0
    assert "clan" not in person
    told = (await api("GET", "/oauth2/applications/@me")).body
    wanted = {"type", "flags_new", "redirect_uris", "eligible_oauth2_scopes"}
    assert wanted <= set(told)
    assert not {"summary", "cover_image"} & set(told)


async def test_rate_limits_have_a_code(api: Api, channel: Channel) -> None:
    api.server.fault("GET", retry_after=1)
    assert (await api("GET", f"/channels/{channel.id}")).body["code"] == 0


async def test_record_has_requests_as_they_were_sent(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    body = showing("a.png")
    async with Server(record=path) as server, Api(server) as api:
        where = f"/channels/{server.all_channels[0].id}/messages"
        assert (await with_files(api, "POST", where, body, "a.png")).status == 200
    (line,) = map(json.loads, path.read_text().splitlines())
    assert line["json"] == body


@pytest.mark.parametrize("kind", [4, 15, 16], ids=["category", "forum", "media"])
async def test_nothing_is_posted_where_no_text_is(api: Api, channel: Channel, kind: int) -> None:
    channel.type = kind
    reply = await api("POST", f"/channels/{channel.id}/messages", {"content": "a"})
    assert (reply.status, reply.body["code"]) == (400, 50008)
    assert not channel.messages


async def test_no_thread_opens_in_a_thread(api: Api, channel: Channel) -> None:
    where = f"/channels/{channel.id}/threads"
    thread = (await api("POST", where, {"name": "a", "type": 11})).body["id"]
    sent = await api("POST", f"/channels/{thread}/messages", {"content": "a"})
    for path in (f"/channels/{thread}", f"/channels/{thread}/messages/{sent.body['id']}"):
        reply = await api("POST", f"{path}/threads", {"name": "b"})
        assert (reply.status, reply.body["code"]) == (400, 50024)


async def test_edit_that_brings_a_file_needs_its_permission(api: Api, channel: Channel) -> None:
    path, message = await pictured(api, channel)
    api.server.deny(channel, "attach_files")
    reply = await with_files(api, "PATCH", path, showing("b.png"), "b.png")
    assert (reply.status, reply.body["code"]) == (403, 50013)
    assert "a.png" in str(message.data)
