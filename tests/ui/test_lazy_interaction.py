"""A press is read from the gateway's JSON, and is what discord.py would have made of it."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import discord
import orjson
import pytest

from bot.app import App
from bot.fakediscord import Interaction, Server
from bot.ui.connection import lazy_interaction as lazy
from bot.ui.connection import press_payloads as payloads
from bot.ui.connection.deadlines import left
from bot.ui.connection.lazy_interaction import LazyInteraction
from bot.ui.connection.press_origin import is_anothers
from bot.ui.connection.responses import created, is_on_its_message, is_private
from tests.loopback.bots import PATIENCE, Here, bot_here
from tests.loopback.players import Player, all_ready, seated

PRIVATE, V2 = 1 << 6, 1 << 15
USER = {"id": "5", "username": "ann", "global_name": "Ann", "discriminator": "0", "avatar": None}
BEN = USER | {"id": "6", "username": "ben"}
BUTTON = {"type": 2, "id": 3, "style": 1, "label": "Flip", "custom_id": "lg1:1:1:flip"}
IN_A_BOX = [{"type": 17, "components": [{"type": 1, "components": [BUTTON]}]}]
MEMBER = {"user": USER, "nick": None, "roles": ["8"], "flags": 0, "permissions": "8"}
PRESS: dict[str, Any] = {
    "id": "1400000000000000001",
    "application_id": "2",
    "type": 3,
    "token": "token",
    "version": 1,
    "attachment_size_limit": 0,
    "app_permissions": "2048",
    "locale": "de",
    "data": {"component_type": 2, "custom_id": "lg1:1:1:flip"},
}
MESSAGE = {"id": "30", "type": 0, "author": USER, "content": "", "attachments": []}
OTHER = {"name": "x", "position": 1, "bitrate": 64, "user_limit": 0}
PLACES: dict[str, dict[str, Any]] = {
    "a direct message": {"channel": {"id": "40", "type": 1}},
    "a group": {"channel": {"id": "41", "type": 3}},
    "a channel": {"channel": {"id": "42", "type": 0}, "guild_id": "7", "guild_locale": "fr"},
    "another channel": {"channel": {"id": "43", "type": 5, **OTHER}, "guild_id": "7"},
    "a voice channel": {"channel": {"id": "44", "type": 2, **OTHER}, "guild_id": "7"},
    "a stage": {"channel": {"id": "45", "type": 13, **OTHER}, "guild_id": "7"},
    "another server": {"channel": {"id": "46", "type": 0, **OTHER}, "guild_id": "9"},
}
THREAD = {
    "id": "47",
    "parent_id": "42",
    "owner_id": "5",
    "name": "x",
    "message_count": 1,
    "member_count": 1,
    "total_message_sent": 1,
    "flags": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "locked": False,
        "archive_timestamp": "2026-11-30T10:00:00+00:00",
    },
}
PLACES |= {
    f"a thread of type {kind}": {"channel": {**THREAD, "type": kind}, "guild_id": "7"}
    for kind in (10, 11, 12)
}
NAMES: tuple[dict[str, Any], ...] = (
    {},
    {"global_name": None},
    {"avatar": "0123", "nick": "Annie"},
    {"nick": ""},
    {"discriminator": "1234", "global_name": ""},
)
LOCALES: tuple[dict[str, Any], ...] = ({}, {"locale": "pt-BR"}, {"locale": "tlh"}, {"locale": None})
MESSAGES: tuple[dict[str, Any], ...] = (
    {},
    {"flags": PRIVATE | V2, "components": IN_A_BOX, "interaction_metadata": {"user": USER}},
    {"flags": PRIVATE, "interaction_metadata": {"user": BEN}},
    {"flags": V2, "components": IN_A_BOX, "interaction_metadata": {"user": BEN}},
    {"flags": V2, "components": [], "type": 23},
)
READ = {"id", "type", "flags", "content", "components", "interaction_metadata"}
METADATA = {"id": "50", "type": 2, "authorizing_integration_owners": {}}


def press(place: dict[str, Any], name: dict[str, Any], *more: dict[str, Any]) -> dict[str, Any]:
    """A press as the gateway sends it."""
    locale, message = more
    user = USER | {key: value for key, value in name.items() if key != "nick"}
    whose = {"member": MEMBER | {"user": user, "nick": name.get("nick")}}
    kept = MESSAGE | message
    if asked := message.get("interaction_metadata"):
        kept["interaction_metadata"] = METADATA | asked
    read = {**PRESS, **place, **(whose if "guild_id" in place else {"user": user}), **locale}
    if read["locale"] is None:
        del read["locale"]
    return {**read, "message": kept}


EVERY = [press(*parts) for parts in product(PLACES.values(), NAMES, LOCALES, MESSAGES)]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of interactions that discord.py has made."""
    ids: list[int] = []
    ordinary = discord.Interaction.__init__

    def noted(self: discord.Interaction[Any], *, data: Any, state: Any) -> None:
        ids.append(int(data["id"]))
        ordinary(self, data=data, state=state)

    monkeypatch.setattr(discord.Interaction, "__init__", noted)
    return ids


async def client() -> discord.Client:
    """A client in one server, with one channel."""
    one = discord.Client(intents=discord.Intents(guilds=True))
    state: Any = one._connection
    one.http._HTTPClient__session = object()  # type: ignore[attr-defined]
    state.user = discord.ClientUser(state=state, data=USER | {"id": "2", "bot": True})  # type: ignore[arg-type]
    channel = {"id": "42", "type": 0, "name": "games", "position": 0, "permission_overwrites": []}
    state._add_guild_from_data({"id": "7", "channels": [channel], "roles": [], "emojis": []})
    return one


def said(one: discord.Interaction[Any]) -> dict[str, object]:
    """What a press says that is asked of presses on tables."""
    assert one.message is not None
    return {
        "ids": (one.id, one.token, one.guild_id, one.channel_id, one.user.id, one.message.id),
        "type": one.type,
        "sent": one.data,
        "name": one.user.display_name,
        "locale": str(one.locale),
        "flags": one.message.flags,
        "private": is_private(one),
        "another's": is_anothers(one),
        "pressed there": is_on_its_message(one),
        "created": (one.created_at, created(one) == one.created_at.timestamp()),
        "client": one.client,
        "session": one._session,
        "response": (one.response.is_done(), one.response.type),
        "expired": one.is_expired(),
    }


def rest(one: discord.Interaction[Any]) -> dict[str, object]:
    """What else could be asked."""
    assert one.message is not None
    return {
        "message": (one.message.type, one.message.created_at, one.message.jump_url),
        "components": [part.to_dict() for part in getattr(one.message, "components", ())],
        "user": (one.user, str(one.user), one.user.mention, one.user.display_avatar.url),
        "member": isinstance(one.user, discord.Member),
        "guild": (one.guild, one.guild_locale),
        "channel": (type(one.channel), getattr(one.channel, "name", None)),
        "permissions": (one.permissions, one.app_permissions),
        "application": (one.application_id, one.version, repr(one.context), one.filesize_limit),
    }


async def test_lazy_press_says_what_discord_py_says(made: list[int]) -> None:
    state: Any = (await client())._connection
    for data in EVERY:
        assert payloads.is_complete(data), data
        trimmed: Any = payloads.trimmed(data)
        one = LazyInteraction(data=trimmed, state=state)
        whole = discord.Interaction[Any](data=trimmed, state=state)
        is_usual = data["message"].get("interaction_metadata", {}).get("user") is not BEN
        made.clear()
        assert trimmed["message"].keys() <= READ, "held while the press is handled"
        told = said(one)
        assert not made or not is_usual or data.get("locale") == "tlh", data
        assert told == said(whole), data
        parts = (rest(one), rest(LazyInteraction(data=trimmed, state=state)))
        for part in parts:
            assert part == rest(whole), data


async def test_parts_of_a_press_are_whole_when_asked() -> None:
    """Whether the press has become discord.py's meanwhile, or not."""
    state: Any = (await client())._connection
    data = press(PLACES["a channel"], NAMES[0], {}, MESSAGES[3])
    one = LazyInteraction(data=payloads.trimmed(data), state=state)
    user, message = one.user, one.message
    assert isinstance(user, discord.Member)
    assert isinstance(message, discord.Message)
    assert message.components
    assert user.mention == "<@5>"
    assert {user} == {one.user}
    assert one.guild_locale is discord.Locale.french
    assert type(one.user) is discord.Member
    assert (user, message) == (one.user, one.message)


UNUSUAL: dict[str, dict[str, Any]] = {
    "of another kind": {"type": 5},
    "without a version": {"version": None},
    "without a message": {"message": None},
    "on a message without a type": {"message": {"id": "30"}},
    "with flags that are no number": {"message": MESSAGE | {"flags": "64"}},
    "in no channel": {"channel": None},
    "in a channel of another type": {"channel": {"id": "42", "type": 15}},
    "in a server's channel, outside servers": {"guild_id": None, "member": None, "user": USER},
    "by a member of no server": {"guild_id": None},
    "by nobody in a server": {"member": None},
    "by a member without roles": {"member": {"user": USER, "flags": 0}},
    "by somebody without a picture": {"member": MEMBER | {"user": {"id": "5", "username": "a"}}},
    "in a language that is no word": {"locale": 5},
    "on a component of no type": {"data": {"custom_id": "lg1:1:1:flip"}},
}


@pytest.mark.parametrize("change", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_press_is_left_to_discord_py(change: dict[str, Any]) -> None:
    usual = press(PLACES["a channel"], NAMES[0], {}, MESSAGES[1])
    data = {key: value for key, value in (usual | change).items() if value is not None}
    assert payloads.is_complete(usual)
    assert not payloads.is_complete(data)


def test_this_discord_py_reads_a_press_alike() -> None:
    assert lazy.KNOWN


CHANGES: dict[str, tuple[type, str, object]] = {
    "a session kept elsewhere": (discord.Interaction, "_session", property(lambda _: "another")),
    "another name": (discord.Member, "display_name", property(lambda _: "another")),
    "a user with another id": (discord.User, "__init__", lambda *_, **__: None),
    "other parts": (discord.Interaction, "_from_data", lambda _, data: data["parts"]),
}


@pytest.mark.parametrize(("changed", "name", "value"), CHANGES.values(), ids=CHANGES)
def test_other_discord_py_is_noticed(
    monkeypatch: pytest.MonkeyPatch, changed: type, name: str, value: object
) -> None:
    monkeypatch.setattr(changed, name, value)
    assert not lazy.is_known()


async def played(server: Server, here: Here) -> tuple[Player, Player]:
    anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
    await all_ready(players)
    await here.client.answered()
    return anna, ben


async def flip(player: Player) -> Interaction:
    answer = await player.server.click(player.user, player.panel, label="Flip").wait()
    assert answer.ok
    return answer


async def test_press_on_a_table_makes_no_interaction(tmp_path: Path, made: list[int]) -> None:
    """Neither on a panel nor, refused, on a message that it isn't on; forms and others do."""
    async with Server() as server, bot_here(server, tmp_path / "lazy.db") as here:
        anna, ben = await played(server, here)
        made.clear()
        for _ in range(3):
            assert (await anna.act()) is not None
            await flip(ben)
        assert not made
        with frees_at_once():
            await flip(anna)
            await here.client.answered()
        rules = await server.click(ben.user, ben.public, label="Rules").wait()
        assert rules.ok
        assert rules.id in made, "a press outside the table"


def presses() -> list[object]:
    return [one for one in gc.get_objects() if type(one) is LazyInteraction]


@contextmanager
def frees_at_once() -> Iterator[None]:
    """No press of these is left without a garbage collection. Other tests may have left some."""
    gc.collect()
    gc.disable()
    before = {id(one): one for one in presses()}
    try:
        yield
        assert not [one for one in presses() if id(one) not in before]
    finally:
        gc.enable()


async def test_press_that_needs_more_becomes_whole(tmp_path: Path, made: list[int]) -> None:
    """The options are a form; what it sends is discord.py's. The lobby goes on."""
    async with Server() as server, bot_here(server, tmp_path / "form.db"):
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        made.clear()
        opened = await anna.press_public("Options")
        assert opened.modal is not None
        sent = await server.modal_submit(anna.user, opened, {}).wait()
        assert sent.ok
        assert made.count(opened.id) <= 1
        assert sent.id in made


async def test_response_stays_when_a_press_becomes_whole(
    tmp_path: Path, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was given before, and is followed by another message."""
    seen: list[discord.Interaction[Any]] = []
    ordinary = App.press

    async def followed(answer: Any, press: discord.Interaction[Any]) -> None:
        await answer
        assert not made
        arrival = left(press)
        assert press.response.is_done()
        await press.followup.send("and more", ephemeral=True)
        assert press.guild_locale is not None
        assert left(press) < arrival
        assert press.response.is_done()
        assert press.response.type is discord.InteractionResponseType.message_update
        with pytest.raises(discord.InteractionResponded):
            await press.response.defer()
        seen.append(press)

    async with Server() as server, bot_here(server, tmp_path / "more.db") as here:
        anna, _ = await played(server, here)
        made.clear()
        monkeypatch.setattr(App, "press", lambda self, one: followed(ordinary(self, one), one))
        answer = await flip(anna)
        await here.client.answered()
        assert made == [one.id for one in seen] == [answer.id]


async def test_presses_are_handled_in_the_order_of_arrival(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are left to discord.py among them."""
    handled: list[tuple[int, type]] = []
    ordinary = App.press

    def noted(self: App, one: discord.Interaction[Any]) -> Any:
        handled.append((one.id, type(one)))
        return ordinary(self, one)

    async with Server() as server, bot_here(server, tmp_path / "order.db") as here:
        server.settings.keep_payloads = True
        anna, _ = await played(server, here)
        sent = orjson.loads(orjson.dumps((await flip(anna)).payload))
        monkeypatch.setattr(App, "press", noted)
        read = here.client._connection.parsers["INTERACTION_CREATE"]
        numbers = range(int(sent["id"]) + 1, int(sent["id"]) + 9)
        for number in numbers:
            strange = {"channel": sent["channel"] | {"type": 15}} if number % 3 else {}
            read({**sent, **strange, "id": str(number)})
        await asyncio.sleep(1)
        assert [number for number, _ in handled] == [*numbers]
        assert {kind for _, kind in handled} == {LazyInteraction, discord.Interaction}


async def test_other_discord_py_reads_each_press(
    tmp_path: Path,
    made: list[int],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(lazy, "KNOWN", False)
    async with Server() as server, bot_here(server, tmp_path / "other.db") as here:
        anna, _ = await played(server, here)
        answer = await flip(anna)
        await server.wait_for(lambda: answer.ok, PATIENCE)
        assert answer.id in made
    assert "it reads each press" in caplog.text
