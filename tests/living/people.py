"""The people at one table, who know nothing but what is on their screens."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.fakediscord import Channel, Interaction, Item, Message, Server, User
from tests.loopback.players import CONTAINER, END, QUESTIONS, Player
from tests.simulate import screens
from tests.simulate.people import Choosing

PACE = 1.0
"""Seconds between two looks of one person at their screen."""
STARING = 6.0
"""Seconds without anything to press after which somebody asks for a new panel."""
PATIENCE = 60.0
"""Seconds within which a button is there that somebody waits for."""
STRANDED = 3 * 60.0
"""Seconds without a change of the table message, in which people press what they see."""
ANSWERS = ("Ready", "Next round", "End round")
"""Buttons of a panel that are pressed whenever they are there."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a channel, its thread, and direct messages. The first of the people is host."""

    server: Server
    channel: Channel
    people: tuple[User, ...]

    @property
    def host(self) -> User:
        return self.people[0]

    @property
    def places(self) -> list[Channel]:
        """The channel and its threads."""
        threads = [one for one in self.server.channels.values() if one.parent is self.channel]
        return [self.channel, *threads]

    @property
    def message(self) -> Message:
        """The table message: the newest public one."""
        found = [one for place in self.places for one in self.server.public(place)]
        return max(found, key=lambda one: one.id)

    def panel(self, user: User) -> Message | None:
        """The newest panel that this person has, wherever it is."""
        seen = [one for place in self.places for one in self.server.panels(user, place)]
        seen += self.server.public(user.dm) if user.dm is not None else []
        return max((one for one in seen if _is_panel(one)), key=lambda one: one.id, default=None)

    @property
    def is_over(self) -> bool:
        """Whether nobody can leave it any more: its match has ended, or it is closed."""
        return screens.pressable(self.message, "Leave") is None

    async def press(self, user: User, label: str) -> Interaction:
        """Press a button of the table message once it can be pressed."""
        find = lambda: screens.pressable(self.message, label)  # noqa: E731 read twice
        item = await self.server.wait_for(find, PATIENCE)
        assert item is not None
        return await self.server.click(user, self.message, item.custom_id).wait()

    async def set_option(self, key: str, value: str) -> None:
        """The host sets an option by itself, as lists of earlier versions did."""
        start = screens.pressable(self.message, "Start")
        assert start is not None
        assert start.custom_id is not None
        sent = start.custom_id.replace("start", f"set.{key}={value}")
        _ = await self.server.click(self.host, self.message, sent, stale=True).wait()

    async def play(self, until: Callable[[], bool]) -> None:
        """Everybody presses what their screens offer. Raises AssertionError for a table that is
        stranded: its people press, and nothing comes of it.
        """
        async with asyncio.TaskGroup() as together:
            for number, user in enumerate(self.people):
                together.create_task(self._sit(user, number * PACE / len(self.people), until))

    async def _sit(self, user: User, late: float, until: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        idle, seen, since = 0.0, (0, 0), loop.time()
        await asyncio.sleep(late)
        while not until():
            acted = await self._act(user, asks=idle > STARING)
            idle = 0.0 if acted else idle + PACE
            now = (self.message.id, self.message.version)
            seen, since = now, since if now == seen else loop.time()
            assert loop.time() - since < STRANDED, f"a table is stranded: {self.message.text}"
            await asyncio.sleep(PACE)

    async def _act(self, user: User, *, asks: bool) -> bool:
        """Whether there was anything to press."""
        found = self._next(user, asks=asks)
        if found is None:
            return False
        message, item = found
        answer = await self.server.click(user, message, item.custom_id, stale=True).wait()
        assert answer.ok, f"{answer} was not answered"
        asked = answer.original
        if asked is not None and (yes := screens.pressable(asked, END)) is not None:
            _ = await self.server.click(user, asked, yes.custom_id, stale=True).wait()
        return True

    def _next(self, user: User, *, asks: bool) -> tuple[Message, Item] | None:
        message, panel = self.message, self.panel(user)
        wanted = ["Start"] if user is self.host and screens.pressable(message, "Join") else []
        if asks:
            wanted.extend(screens.MINE)
        on_table = next(
            (one for label in wanted if (one := screens.pressable(message, label))), None
        )
        if on_table is not None:
            return message, on_table
        if panel is None:
            return None
        item = next((one for label in ANSWERS if (one := screens.pressable(panel, label))), None)
        player = Player(self.server, user, self.channel)
        item = item or Choosing(self.server, player, panel).choose()
        return None if item is None else (panel, item)


def _is_panel(message: Message) -> bool:
    parts = message.data["components"]
    asks = any(words in message.text for words in QUESTIONS)
    return bool(parts) and parts[0]["type"] == CONTAINER and not asks
