"""Events and frames of the gateway that discord.py cannot read."""

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest

from bot.cli.online import ending
from bot.fakediscord.constants import Opcode
from bot.fakediscord.gateway.connection import Connection, Frame
from tests.stories.discord_world import PATIENCE, Player, becomes, world

ANYBODY = {"id": "3", "username": "x", "discriminator": "0", "avatar": None}
PRESS = {
    "id": "1",
    "application_id": "2",
    "type": 3,
    "token": "t",
    "version": 1,
    "data": {"component_type": 2, "custom_id": "lg1:1:0:join"},
    "entitlements": [],
    "authorizing_integration_owners": {},
    "app_permissions": "0",
    "attachment_size_limit": 0,
}
UNREADABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "a press without a custom id": (
        "INTERACTION_CREATE",
        {**PRESS, "data": {"component_type": 2}, "user": ANYBODY},
    ),
    "a press by nobody in a server": (
        "INTERACTION_CREATE",
        {**PRESS, "guild_id": "4", "channel_id": "5", "user": ANYBODY},
    ),
    "a press by a member of no server": (
        "INTERACTION_CREATE",
        {**PRESS, "channel_id": "5", "member": {"user": ANYBODY, "roles": []}},
    ),
    "a purchase without an id": ("ENTITLEMENT_CREATE", {"sku_id": "1", "application_id": "2"}),
    "a server without an id": ("GUILD_CREATE", {"name": "x"}),
}


NO_WORDS: tuple[object, ...] = (True, 1.5, 5, [], {})
FIELDS: list[tuple[str, str, object]] = [("data", "custom_id", value) for value in NO_WORDS] + [
    ("user", name, value)
    for name in ("username", "global_name", "id", "avatar", "discriminator")
    for value in NO_WORDS
]


@pytest.mark.parametrize(("part", "name", "value"), FIELDS)
async def test_press_with_a_field_of_another_kind_costs_one_line(
    tmp_path: Path, part: str, name: str, value: object
) -> None:
    async with world(tmp_path) as here:
        server = here.server
        server.settings.keep_payloads = True
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        pressed = await anna.press_public("Join")
        press: dict[str, Any] = orjson.loads(orjson.dumps(pressed.payload))
        press["id"] = str(int(press["id"]) + 1)
        (press["member"] if part == "user" else press)[part][name] = value
        server.gateway.dispatch("INTERACTION_CREATE", press)
        await asyncio.sleep(5)
        assert here.bot.is_running
        assert not here.tracebacks
        answer = await anna.press_public("Join")
        assert answer.ok


@pytest.mark.parametrize(("event", "data"), UNREADABLE.values(), ids=UNREADABLE)
async def test_unreadable_event_costs_one_event(
    tmp_path: Path, event: str, data: dict[str, Any]
) -> None:
    """The event is dropped, and its type is logged once. Every table goes on."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        for _ in range(3):
            server.gateway.dispatch(event, data)
            await asyncio.sleep(1)
        assert here.bot.is_running, "the bot has ended"
        answer = await anna.press_public("Join")
        assert answer.ok
        told = [line.text for line in here.log.lines if event in line.text]
        assert len(told) == 1, "the event's type is logged once"
        assert not here.tracebacks


async def test_unreadable_server_at_the_start_costs_that_server(tmp_path: Path) -> None:
    """The bot starts, and the other servers' tables go on."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        await here.bot.stop()
        server.add_guild("strange", channels=0).members[server.bot.id].clear()
        here.bot.start()
        await server.wait_for(lambda: server.gateway.ready, PATIENCE)
        await asyncio.sleep(5)
        assert here.bot.is_running, "the bot has ended at its start"
        answer = await anna.press_public("Join")
        assert answer.ok
        assert await becomes(server, lambda: "Anna" in anna.public.text, 10)


FRAMES: dict[str, bytes] = {
    "no JSON": b"{",
    "nothing": b"",
    "a list": b"[]",
    "RESUMED without data": b'{"op":0,"t":"RESUMED","s":null,"d":null}',
    "a second HELLO without its fields": b'{"op":10,"d":{}}',
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
async def test_unreadable_frame_costs_a_resume(tmp_path: Path, frame: bytes) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        server.gateway.conns[0].send(Frame(frame))
        assert await becomes(server, lambda: server.gateway.resumes == 1, 10)
        answer = await anna.press_public("Join")
        assert answer.ok
        assert here.bot.is_running
        told = [line.text for line in here.log.lines if "cannot be read" in line.text]
        assert len(told) == 1
        assert not here.tracebacks


@pytest.mark.parametrize(("every", "said"), [(1, "cannot be reached"), (20, "cannot be read")])
async def test_frames_that_stay_unreadable_end_the_bot_after_an_hour(
    tmp_path: Path, every: int, said: str
) -> None:
    """They are answered by new sessions, with growing pauses."""
    async with world(tmp_path) as here:
        server, loop = here.server, asyncio.get_running_loop()
        began, before = loop.time(), len(server.gateway.identifies)
        while here.bot.is_running and loop.time() - began < 3 * 3600:
            for connection in server.gateway.conns:
                connection.send(Frame(b"{"))
            await asyncio.sleep(every)
        assert 3600 <= loop.time() - began < 2 * 3600
        error = await here.bot.ended()
        assert error is not None
        line, code = ending(error)
        assert said in line
        assert code == 75
        assert len(server.gateway.identifies) - before < 30
        assert not here.tracebacks


@pytest.mark.parametrize("at_start", [True, False])
async def test_unreadable_hello_is_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at_start: bool,  # noqa: FBT001 a time
) -> None:
    async with world(tmp_path) as here:
        server = here.server
        if at_start:
            await here.bot.stop()
        left = [3]

        def send_op(self: Connection, op: Opcode, data: object = None) -> None:
            if op == Opcode.HELLO and left[0]:
                left[0] -= 1
                data = {}
            ordinary(self, op, data)

        ordinary = Connection.send_op
        monkeypatch.setattr(Connection, "send_op", send_op)
        if at_start:
            here.bot.start()
        else:
            server.gateway.conns[0].send(Frame(b"{"))
        assert await becomes(server, lambda: not left[0] and server.gateway.ready, 300)
        assert here.bot.is_running
        assert not here.tracebacks
