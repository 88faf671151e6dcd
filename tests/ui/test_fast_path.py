"""Past what discord.py builds and nobody reads; another discord.py is used its ordinary way."""

from pathlib import Path

import discord
import pytest
from discord.webhook import async_

from bot.fakediscord import Server
from bot.ui.connection import fast_path
from bot.ui.connection.client import Client
from bot.ui.connection.lazy_interaction import read_presses
from bot.ui.connection.responses import Interaction, is_on_its_message
from bot.ui.limits.errors import UNKNOWN_INTERACTION
from tests.loopback.bots import PATIENCE, bot_here
from tests.loopback.players import Player, all_ready, labels, seated

by_each_client = pytest.mark.parametrize("is_lean", [True, False], ids=["lean", "aiohttp"])
NOTHING, ALL = 204, 200
"""What Discord answers to an answer: no body, or the message."""


@pytest.fixture
def presses(monkeypatch: pytest.MonkeyPatch) -> list[Interaction]:
    """Every press as discord.py hands it over."""
    seen: list[Interaction] = []
    ordinary = Client.on_interaction

    async def noted(client: Client, interaction: Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            seen.append(interaction)
        await ordinary(client, interaction)

    monkeypatch.setattr(Client, "on_interaction", noted)
    return seen


async def a_card_is_turned(server: Server, folder: Path) -> list[int]:
    """By Anna; Ben's panel is told of what he lays. The statuses of the answers to presses."""
    async with bot_here(server, folder / "wire.db"):
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        before = len(server.calls)
        press = await server.click(anna.user, anna.panel, label="Flip").wait()
        assert press.ok
        assert "Flip" in labels(anna.panel)
        await ends(anna, ben)
        calls = list(server.calls)[before:]
        assert not server.unknown
        return [status for _, _, path, status, _ in calls if path.endswith("/callback")]


async def ends(anna: Player, ben: Player) -> None:
    """Anna leaves: that is pushed to Ben's panel."""
    before = ben.panel.text
    await anna.leave()
    await ben.server.wait_for(lambda: ben.panel.text != before, PATIENCE)


async def test_buttons_are_neither_read_with_a_press_nor_with_its_answer(
    tmp_path: Path, presses: list[Interaction]
) -> None:
    async with Server() as server:
        turned, *_ = await a_card_is_turned(server, tmp_path)
    assert turned == NOTHING
    assert len(presses) > 3
    for one in presses:
        assert one.message is not None
        assert one.message.id
        if one.message.flags.ephemeral:
            assert not hasattr(one.message, "components")
        else:
            assert len(one.message.components) == 1, "what was pressed"
            assert is_on_its_message(one)


async def test_another_discord_py_is_used_its_ordinary_way(
    tmp_path: Path, presses: list[Interaction], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_path, "KNOWN", False)
    async with Server() as server:
        turned, *_ = await a_card_is_turned(server, tmp_path)
    assert turned == ALL
    assert all(one.message.components for one in presses if one.message)


def test_this_discord_py_is_the_one_that_is_known() -> None:
    assert fast_path.KNOWN


def test_a_request_that_takes_other_things_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    async def request(self: object, url: str, *, body: bytes) -> None: ...

    monkeypatch.setattr(async_.AsyncWebhookAdapter, "request", request)
    assert not fast_path.is_known()


def test_an_answer_that_takes_other_things_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(self: object, interaction: int, *, body: bytes) -> None: ...

    monkeypatch.setattr(async_.AsyncWebhookAdapter, "create_interaction_response", answers)
    assert not fast_path.is_known()


def test_a_message_that_has_to_have_more_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def author(self: object, *, data: dict[str, object], **_: object) -> None:
        assert data["author"]

    monkeypatch.setattr(discord.Message, "__init__", author)
    assert not fast_path.is_known()


@by_each_client
async def test_nobody_is_answered_twice(
    tmp_path: Path, presses: list[Interaction], *, is_lean: bool
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "twice.db", is_lean=is_lean):
        anna, *_ = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        assert (await server.click(anna.user, anna.panel, label="Flip").wait()).ok
        await server.wait_for(presses[-1].response.is_done, PATIENCE)
        with pytest.raises(discord.InteractionResponded):
            await fast_path.update(presses[-1], discord.ui.LayoutView())


@by_each_client
async def test_an_answer_that_is_not_taken_at_once_is_sent_again(
    tmp_path: Path, *, is_lean: bool
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "again.db", is_lean=is_lean):
        anna, *_ = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        before, ill = anna.panel.text, server.fault("/callback", status=503, times=1)
        _ = server.click(anna.user, anna.panel, label="Flip")
        await server.wait_for(lambda: anna.panel.text != before, PATIENCE)
        assert ill.hits == 1


@by_each_client
async def test_an_answer_that_comes_too_late_is_counted_once(
    tmp_path: Path, *, is_lean: bool
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "late.db", is_lean=is_lean) as here:
        anna, *_ = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        late = server.fault("/callback", status=404, code=UNKNOWN_INTERACTION)
        _ = server.click(anna.user, anna.panel, label="Flip")
        await server.wait_for(lambda: here.app.figures()["answers_late"], PATIENCE)
        await here.client.answered()
        assert here.app.figures()["answers_late"] == 1
        assert late.hits == 1, "what Discord refuses is not sent again"


@by_each_client
async def test_answer_that_meets_a_rate_limit_is_counted_once(
    tmp_path: Path, *, is_lean: bool
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "limit.db", is_lean=is_lean) as here:
        anna, *_ = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        limit = server.fault("/callback", retry_after=0.5, times=1)
        assert (await server.click(anna.user, anna.panel, label="Flip").wait()).ok
        assert limit.hits == 1
        assert here.app.figures()["rate_limits"] == 1


async def test_limit_of_an_old_message_slows_nothing_else_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowed: list[int | None] = []
    async with Server() as server, bot_here(server, tmp_path / "old.db") as here:
        monkeypatch.setattr(here.app, "rate_limited", slowed.append)
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        old = server.fault(f"PATCH .*/messages/{anna.public.id}$", status=429, code=30046)
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: "Robot 1" in anna.public.text, PATIENCE)
        assert old.hits == here.app.figures()["rate_limits"] == 1
        assert slowed == []


def test_a_client_that_reads_presses_elsewhere_reads_them_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    client = discord.Client(intents=discord.Intents.none())
    client._connection.parsers = {}
    read_presses(client)
    assert client._connection.parsers == {}
    assert "fast path disabled" in caplog.text
