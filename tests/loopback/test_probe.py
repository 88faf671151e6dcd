"""The loopback Discord against what a discord.py game bot uses, with rate limits on."""

from collections.abc import AsyncIterator

import pytest

from bot.fakediscord import Channel, Interaction, Message, Server, User, permissions
from tests.loopback.bots import ROUND_TRIP
from tests.loopback.support import running
from tests.real import PATIENCE

pytestmark = pytest.mark.real("another bot as a process")


class Scene:
    """Two users at one table of a running probe bot."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.ann: User = server.user("ann", "pl")
        self.bob: User = server.user("bob")
        self.channel: Channel = server.all_channels[0]

    async def filled(self, deferred: Interaction) -> None:
        original = deferred.original
        assert original is not None
        await self.server.wait_for(lambda: not original.loading, PATIENCE)

    async def open_table(self) -> Message:
        server, channel = self.server, self.channel
        opened = await server.slash(
            self.ann, channel, "table", {"seats": 3, "who": self.ann}
        ).wait()
        assert opened.callback_type == 5
        await self.filled(opened)
        return server.public(channel)[-1]

    async def join(self, board: Message) -> Message:
        joined = await self.server.click(self.bob, board, emoji="🎲").wait()
        assert joined.ok
        assert joined.original is not None
        assert joined.original.ephemeral
        await self.server.wait_for(lambda: board.text == "board: bob\nseat", PATIENCE)
        return self.server.panels(self.bob, self.channel)[-1]


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with Server(channels=1) as server:
        server.settings.ack_deadline = PATIENCE
        server.settings.rtt = (
            ROUND_TRIP  # an answer is with the bot later than its message with the people
        )
        (guild,) = server.guilds.values()
        guild.bot_perms |= permissions("pin_messages")
        guild.locale = "de"
        async with running(server, "probe_bot.py") as bot:
            yield Scene(server)
        assert not server.unknown
        assert not server.crashes
        assert server.ratelimited == 0
        assert server.late == 0
    assert "Traceback" not in bot.output
    assert "ERROR" not in bot.output


async def test_board_and_panel(scene: Scene) -> None:
    server, ann, bob, channel = scene.server, scene.ann, scene.bob, scene.channel
    asked = await server.autocomplete(ann, channel, "table", {"seats": 2}, "seats").wait()
    assert asked.choices is not None
    assert [choice["value"] for choice in asked.choices] == [2, 3, 4]
    board = await scene.open_table()
    assert board.text == "board\nseat"
    assert board.flags & 1 << 15
    panel = await scene.join(board)
    assert server.panels(ann, channel) == []
    opened = await server.click(bob, panel, "p:bet").wait()
    assert opened.callback_type == 9
    await server.wait_for(
        lambda: server.panels(bob, channel)[-1].text == "place your bet", PATIENCE
    )
    sent = await server.modal_submit(bob, opened, {"amt": "10", "kind": ["b"]}).wait()
    assert sent.callback_type == 7
    assert panel.text == "bet 10 b"
    assert not panel.controls


async def test_select_followups_and_context_menu(scene: Scene) -> None:
    server, ann, bob, channel = scene.server, scene.ann, scene.bob, scene.channel
    board = await scene.open_table()
    panel = await scene.join(board)
    assert (await server.select(bob, panel, "p:who", [ann]).wait()).ok
    assert panel.text == "picked ann"
    await server.click(bob, panel, "p:slow").wait()
    deleted = ("DELETE /webhooks/#/*/messages/#", 204)
    await server.wait_for(lambda: server.statuses[deleted] == 1, PATIENCE)
    assert panel.text == "slow done"
    assert panel.data["attachments"][0]["filename"] == "x.txt"
    assert server.public(channel)[-1].pings == {f"user:{bob.id}"}
    poked = await server.context(ann, channel, "poke", bob).wait()
    assert poked.original is not None
    assert poked.original.text == "poked Bob [pl/de]"
    assert server.say(ann, channel, "hello") in server.view(bob, channel)
    server.react(ann, board, "🎲")
    server.delete_channel(channel)


async def test_tour_of_routes(scene: Scene) -> None:
    for dm, messages in (("ok", 2), ("50007", 4)):
        scene.ann.dm_closed = dm == "50007"
        scene.server.emojis.clear()
        toured = await scene.server.slash(scene.ann, scene.channel, "tour").wait()
        await scene.filled(toured)
        assert toured.original is not None
        assert toured.original.text == f"1 {messages} two ann dm {dm} 1 71 10008"
