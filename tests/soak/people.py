"""People who play on whatever happens: they press what is on their screen, and press again."""

import asyncio
import random
from collections.abc import Callable

from bot.fakediscord import Channel, Item, Message, Server
from tests.loopback.players import Player

GAMES = ("ligretto", "dice")
STARING = 8.0
"""Seconds without anything to press after which somebody asks for a new panel."""
READY = ("Ready", "Next round")


class Table:
    """A channel in which the same people play one match after the other."""

    def __init__(self, server: Server, channel: Channel, people: int, seed: int) -> None:
        self.server = server
        self.channel = channel
        self.chance = random.Random(seed)
        self.players = [
            Player(server, server.user(f"t{seed}p{number}"), channel) for number in range(people)
        ]
        self.pressed = 0
        self.answered = 0

    async def play(self, until: Callable[[], bool], pace: float) -> None:
        await asyncio.gather(*(self._sit(player, until, pace) for player in self.players))

    async def _sit(self, player: Player, until: Callable[[], bool], pace: float) -> None:
        loop = asyncio.get_running_loop()
        found = loop.time()
        await asyncio.sleep(pace * 3 * self.chance.random())
        while not until():
            pressed = await self._press(player)
            if pressed or loop.time() - found > STARING:
                found = loop.time()
                _ = pressed or await self._on_board(player, "My cards")
            await asyncio.sleep(pace * (0.5 + self.chance.random()))

    async def _press(self, player: Player) -> bool:
        """One press of what there is to press now."""
        public, host = self.public, player is self.players[0]
        if public is None or _find(public, "Rematch"):
            return host and await self._open(player)
        if _find(public, "Join"):
            if not host:
                return f"{player.user.name.title()}" not in public.text and await self._on_board(
                    player, "Join"
                )
            everybody = all(one.user.name.title() in public.text for one in self.players)
            return everybody and await self._on_board(player, "Start")
        if not player.panels:
            return await self._on_board(player, "My cards")
        panel = player.panel
        item = next((one for name in READY if (one := _find(panel, name))), player.choose())
        return item is not None and await self._click(player, panel, item)

    async def leave(self) -> None:
        """Everybody leaves, until nothing is in play here."""
        while (public := self.public) is not None and _find(public, "Leave"):
            for player in self.players:
                await self._on_board(player, "Leave")
                for asked in self.server.panels(player.user, self.channel)[-1:]:
                    if (yes := _find(asked, "Yes, leave")) is not None:
                        await self._click(player, asked, yes)
            await asyncio.sleep(0.5)

    @property
    def public(self) -> Message | None:
        """The newest table's message, None when nothing can be pressed on it."""
        public = self.server.public(self.channel)
        return public[-1] if public and public[-1].controls else None

    async def _open(self, player: Player) -> bool:
        game = self.chance.choice(GAMES if len(self.players) <= 4 else GAMES[:1])
        answer = await self.server.slash(player.user, self.channel, game).wait()
        return self._counted(ok=bool(answer.ok))

    async def _on_board(self, player: Player, label: str) -> bool:
        public = self.public
        item = _find(public, label) if public is not None else None
        return public is not None and item is not None and await self._click(player, public, item)

    async def _click(self, player: Player, message: Message, item: Item) -> bool:
        answer = await self.server.click(player.user, message, item.custom_id, stale=True).wait()
        return self._counted(ok=bool(answer.ok))

    def _counted(self, *, ok: bool) -> bool:
        self.pressed += 1
        self.answered += ok
        return True


def _find(message: Message, label: str) -> Item | None:
    return next((one for one in message.controls if one.label == label and not one.disabled), None)
