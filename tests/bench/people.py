"""Who presses: people at live tables of ours, and people with a panel of the bare bot."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.bench.standin import Channel, Interaction, Message, Server, User
from tests.loopback.players import Player
from tests.real import PATIENCE

AT_ONCE = 40
"""Tables that are opened side by side."""
LOOK = 0.1
FLIP = ":flip:"
TEXT, BUTTONS, RULE = 10, 1, 14


class Presser(Protocol):
    """A person with one message to press on."""

    @property
    def server(self) -> Server: ...

    @property
    def shown(self) -> int:
        """How many presses their message shows."""

    def press(self) -> Interaction: ...


@dataclass(frozen=True, slots=True)
class Hitter:
    """Presses the one button of the bare bot's panel that counts."""

    server: Server
    user: User
    panel: Message

    @property
    def shown(self) -> int:
        return int(self.panel.text.rpartition("hits: ")[2])

    def press(self) -> Interaction:
        return self.server.click(self.user, self.panel, "hit:0", stale=True)


@dataclass(frozen=True, slots=True)
class Flipper:
    """Flips cards on a panel of ours: a legal move each time, and news to nobody else. The panel's
    button says how often they have flipped already.
    """

    server: Server
    user: User
    panel: Message

    @property
    def shown(self) -> int:
        return int(self.word.rpartition(":")[2])

    def press(self) -> Interaction:
        return self.server.click(self.user, self.panel, self.word, stale=True)

    @property
    def word(self) -> str:
        ids = (item.custom_id or "" for item in self.panel.controls)
        return next(one for one in ids if FLIP in one)


async def hitters(server: Server, count: int) -> list[Hitter]:
    """People with a panel of the bare bot, in as many channels as there are."""
    channels = server.all_channels
    made: list[Hitter] = []
    for number in range(count):
        user, channel = server.user(f"p{number}"), channels[number % len(channels)]
        answer = await server.slash(user, channel, "panel").wait()
        assert answer.original is not None
        made.append(Hitter(server, user, answer.original))
    return made


async def live_tables(
    server: Server, tables: int, people: int, places: Sequence[Channel] | None = None
) -> list[list[Player]]:
    """Card tables in their first round, each in a channel of its own: one of these `places`."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, channel: Channel) -> list[Player]:
        async with free:
            return await _live(server, channel, [f"t{number}p{i}" for i in range(people)])

    channels = (server.all_channels if places is None else places)[:tables]
    return await asyncio.gather(*(one(i, channel) for i, channel in enumerate(channels)))


async def _live(server: Server, channel: Channel, names: Sequence[str]) -> list[Player]:
    players = [Player(server, server.user(name), channel) for name in names]
    _ = await server.slash(players[0].user, channel, "ligretto").wait()
    await _until(lambda: server.panels(players[0].user, channel))
    table = _id(players[0].public, "join").removesuffix("join")
    for player in players[1:]:
        await _clicked(player, player.public, f"{table}join")
    await _clicked(players[0], players[0].public, f"{table}start")
    for player in players:
        await _clicked(player, player.panel, f"{table}ready")
    for player in players:
        await _until(lambda player=player: _id(player.panel, "flip:0"))
    return players


def flippers(tables: Sequence[Sequence[Player]]) -> list[Flipper]:
    """Everybody at these tables, with the panels they have now."""
    return [
        Flipper(player.server, player.user, player.panel)
        for players in tables
        for player in players
    ]


def shape(panel: Message) -> str:
    """What a message is made of, for a bot that shows as much."""
    return json.dumps(list(_blocks(panel.data["components"][0]["components"])))


def _blocks(components: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in components:
        if one["type"] == TEXT:
            yield {"text": one["content"]}
        elif one["type"] == BUTTONS:
            buttons = [
                {"label": b.get("label"), "emoji": bool(b.get("emoji")), "disabled": b["disabled"]}
                for b in one["components"]
            ]
            yield {"buttons": buttons}
        else:
            assert one["type"] == RULE
            yield {}


def _id(message: Message, word: str) -> str:
    """The custom id of a button by its word; empty where it is not there."""
    ids = (item.custom_id or "" for item in message.controls)
    return next((one for one in ids if one.endswith(f":{word}")), "")


async def _clicked(player: Player, message: Message, custom_id: str) -> None:
    """Pressed before it may be on the screen: the messages of many tables are drawn in turn. Who
    is not answered presses again.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            press = player.server.click(player.user, message, custom_id, stale=True)
            if (await press.wait()).ok:
                return


async def _until(seen: Any) -> None:
    """Looked at now and then: a thousand who look at every change would be the load."""
    async with asyncio.timeout(PATIENCE):
        while not seen():  # noqa: ASYNC110 said above
            await asyncio.sleep(LOOK)
