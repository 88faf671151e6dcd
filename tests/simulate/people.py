"""People who play whatever happens: they press what is on their screen, and now and then they
vanish, press twice, race, forge, leave or come back.
"""

import asyncio
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.fakediscord import Channel, Interaction, Item, Message, Server, User
from tests.loopback.players import END, Player, is_a_note
from tests.simulate import screens
from tests.simulate.witness import Witness

STARING = 6.0
"""Seconds without anything to press after which somebody asks for a new panel."""
READY = ("Ready", "Next round")
OPTIONS = {
    "ligretto": (
        {},
        {"set.variant": "expert"},
        {"set.assist": "on"},
        {"set.place": "thread"},
        {"set.panels": "dm"},
    ),
    "dice": ({}, {"set.assist": "on", "set.dice.0": "6"}, {"set.panels": "dm"}),
}
"""What a host may choose before the start."""
FORGED = (
    "",
    "lg1:",
    "lg1:0:0:join",
    "lg1:999:1:ready",
    "lr1:privacy:keep",
    "x" * 100,
    "lg1:1:1:R99",
)


@dataclass(slots=True)
class Habits:
    """How often people do what, per press, and how long they take. Times in seconds."""

    pace: float = 1.2
    double: float = 0.03
    forge: float = 0.01
    stale: float = 0.02
    vanish: float = 0.004
    away: float = 40.0
    forget: float = 0.01
    leave: float = 0.001
    leave_in_count: float = 0.01
    vote: float = 0.01
    regret: float = 0.3
    release: float = 0.3
    absent: float = 0.0006
    command: float = 0.1
    watch: float = 0.5
    share: float = 0.7
    race: float = 0.3
    beat: float = 1.0


def racing(pace: float) -> Habits:
    """Habits of people who press together, vote and change their minds, and vanish little."""
    return Habits(
        pace=pace / 8, vanish=0.0002, vote=0.005, absent=0.0003, leave=0.0002, race=1.0, beat=0.3
    )


@dataclass(slots=True)
class Group:
    """The same people in one channel, who play one match after the other."""

    server: Server
    witness: Witness
    channel: Channel
    players: list[Player]
    chance: random.Random
    habits: Habits
    game: str
    options: dict[str, str] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    watched: int = 0
    """Moving pictures that people were shown."""

    async def play(self, until: Callable[[], bool]) -> None:
        async with asyncio.TaskGroup() as together:
            for player in self.players:
                together.create_task(self._sit(player, until))

    @property
    def shared(self) -> int:
        """Count the moving pictures in the channel."""
        return sum(any(map(_is_moving, one.files)) for one in self.server.public(self.channel))

    async def go_home(self) -> None:
        """Everybody leaves for good, as often as it takes."""
        while (public := self.public) is not None and screens.pressable(public, "Leave"):
            for player in self.players:  # one message for all: to some of them it may be gone
                await self._leave(player, public)
            await asyncio.sleep(1.0)

    async def plays_on(self, player: Player) -> None:
        """One thing that this player can do, if only to look at their panel."""
        panel, public = self.panel(player), self.public
        if panel is None or public is None or not screens.pressable(public, *screens.MINE):
            return
        item = next((one for name in READY if (one := screens.pressable(panel, name))), None)
        item = item or Choosing(self.server, player, panel).choose()
        if item is None or item.custom_id is None:
            _ = await self._on_board(player, *screens.MINE)
        else:
            _ = await self._press(player, panel, item.custom_id)

    async def leaves(self, player: Player) -> None:
        """Out of the match or the lobby, for good."""
        _ = await self._leave(player, self.public)

    @property
    def public(self) -> Message | None:
        """The table's message that people look at, None when nothing can be pressed."""
        places = [self.channel, *(c for c in self.server.channels.values() if self._is_thread(c))]
        in_words = (
            [m for m in self.server.public(place) if m.text and not screens.is_picture(m)]
            for place in places
        )
        newest = [messages[-1:] for messages in in_words]
        found = [m for one in newest for m in one if _is_table(m) and m.id not in self.gone]
        return max(found, key=lambda message: message.id, default=None)

    def panel(self, player: Player) -> Message | None:
        """The newest panel that this player sees, in the channel, its thread or by message."""
        seen = [
            m for place in self._places(player.user) for m in _panels(self.server, player, place)
        ]
        return max(seen, key=lambda message: message.id, default=None)

    # -- one person -------------------------------------------------------------------------

    async def _sit(self, player: Player, until: Callable[[], bool]) -> None:
        loop, habits = asyncio.get_running_loop(), self.habits
        pressed_at = loop.time()
        await asyncio.sleep(habits.pace * 3 * self.chance.random())
        while not until():
            if self.chance.random() < habits.vanish:
                await asyncio.sleep(self.chance.uniform(1.0, habits.away))
            if self.chance.random() < habits.absent:
                await asyncio.sleep(self.chance.uniform(*ABSENT))
            if await self._turn(player):
                pressed_at = loop.time()
            elif loop.time() - pressed_at > STARING:
                pressed_at = loop.time()
                await self._on_board(player, *screens.MINE)
            await asyncio.sleep(habits.pace * (0.4 + 1.2 * self.chance.random()))

    async def _turn(self, player: Player) -> bool:
        """Whether there was anything to do."""
        public, host, chance = self.public, player is self.players[0], self.chance.random()
        if public is not None and chance < self.habits.watch and screens.pressable(public, WATCH):
            return await self._watches(player, public)
        if public is None or screens.pressable(public, screens.ENDED):
            return await self._open(player, public) if host else False
        if screens.pressable(public, "Join"):
            return await self._lobby(player, public, host=host)
        leaves = self.habits.leave_in_count if screens.counts(public) else self.habits.leave
        if chance < leaves:
            return await self._leave(player, public)
        if chance < leaves + self.habits.vote:
            return await self._votes(player, "End round")
        if (away := screens.releasable(public)) and self.chance.random() < self.habits.release:
            return await self._votes(player, self.chance.choice(away))
        if self.chance.random() < self.habits.forget:
            self.server.restart_client(player.user)
            return False
        if (panel := self.panel(player)) is None:
            return await self._on_board(player, *screens.MINE)
        return await self._on_panel(player, panel)

    async def _on_panel(self, player: Player, panel: Message) -> bool:
        if self.chance.random() < self.habits.forge:
            _ = await self._press(player, panel, self.chance.choice(FORGED))
            return True
        if self.chance.random() < self.habits.stale and panel.history:
            old = self.chance.choice(panel.history)["components"]
            words = [str(one["custom_id"]) for one in _flat(old) if one.get("custom_id")]
            if words:
                _ = await self._press(player, panel, self.chance.choice(words))
                return True
        item = next((one for name in READY if (one := screens.pressable(panel, name))), None)
        item = item or Choosing(self.server, player, panel).choose()
        if item is None or item.custom_id is None:
            return False
        if self.chance.random() < self.habits.race:
            # Everybody who races moves on the same beat.
            now = asyncio.get_running_loop().time()
            beat = self.habits.beat
            await asyncio.sleep(beat - now % beat + self.chance.random() * 0.08)
        times = 2 if self.chance.random() < self.habits.double else 1
        await asyncio.gather(*(self._press(player, panel, item.custom_id) for _ in range(times)))
        return True

    async def _lobby(self, player: Player, public: Message, *, host: bool) -> bool:
        is_in = is_seated(player, public)
        if not is_in and self.chance.random() < self.habits.command:
            return await self._open(player, None)
        if not is_in:
            return await self._on_board(player, "Join")
        if not host and not screens.host_is_away(public):
            return False
        everybody = all(is_seated(one, public) for one in self.players)
        return (everybody or not host) and await self._on_board(player, "Start")

    async def _open(self, player: Player, public: Message | None) -> bool:
        if public is not None and self.chance.random() < REMATCHES:
            return await self._on_board(player, screens.ENDED)
        answer = self.witness.pressed(self.server.slash(player.user, self.channel, self.game))
        _ = await answer.record.wait()
        if (message := self.public) is not None and self.options:
            await self._choose(player, message)
        return True

    async def _watches(self, player: Player, public: Message) -> bool:
        """Look at a round of the match that is over, and now and then share it: once or twice."""
        item = screens.pressable(public, WATCH)
        assert item is not None
        shown = (await self._press(player, public, item.custom_id or "")).original
        await asyncio.sleep(LOOKING)
        self.watched += shown is not None and any(_is_moving(file) for file in shown.files)
        share = screens.pressable(shown, "Share") if shown is not None else None
        if shown is not None and share is not None and self.chance.random() < self.habits.share:
            times = 2 if self.chance.random() < self.habits.double else 1
            again = (self._press(player, shown, share.custom_id or "") for _ in range(times))
            await asyncio.gather(*again)
        return True

    async def _choose(self, player: Player, public: Message) -> None:
        item = screens.pressable(public, "Options")
        if item is None:
            return
        begins, _, _ = (item.custom_id or "").rpartition(":")
        for key, value in self.options.items():
            _ = await self._press(player, public, f"{begins}:{key}={value}")

    async def _leave(self, player: Player, public: Message | None) -> bool:
        item = screens.pressable(public, "Leave") if public is not None else None
        if public is None or item is None or item.custom_id is None:
            return False
        asked = (await self._press(player, public, item.custom_id)).original
        if asked is not None and (yes := screens.pressable(asked, "Yes, leave")) is not None:
            _ = await self._press(player, asked, yes.custom_id or "")
        return True

    async def _votes(self, player: Player, label: str) -> bool:
        """Vote; now and then take it back a moment later. The label then says another number."""
        voted = await self._on_board(player, label)
        if voted and self.chance.random() < self.habits.regret:
            await asyncio.sleep(self.chance.uniform(0.1, 3.0))
            public = self.public
            again = screens.releasable(public) if public is not None else []
            name = label.partition(" (")[0]
            alike = [one for one in again if one.partition(" (")[0] == name]
            _ = await self._on_board(player, alike[0] if alike else label)
        return voted

    async def _on_board(self, player: Player, *labels: str) -> bool:
        public = self.public
        item = screens.pressable(public, *labels) if public is not None else None
        if public is None or item is None or item.custom_id is None:
            return False
        asked = (await self._press(player, public, item.custom_id)).original
        if asked is not None and (yes := screens.pressable(asked, END)) is not None:
            _ = await self._press(player, asked, yes.custom_id or "")
        return True

    async def _press(self, player: Player, message: Message, custom_id: str) -> Interaction:
        pressed = self.server.click(player.user, message, custom_id, stale=True)
        record = await self.witness.pressed(pressed).record.wait()
        text = record.original.text if record.original is not None else ""
        if text.startswith(GONE) or (text.startswith(NOT_IN) and self._names(message, player)):
            self.gone.add(message.id)
        return record

    def _names(self, message: Message, player: Player) -> bool:
        """Whether this person sits at the table, by what its message says. For whom a seat is held
        does not sit there yet.
        """
        lines = (line for line in message.text.splitlines() if "held for" not in line)
        return any(player.user.name.title() in line for line in lines)

    def _is_thread(self, channel: Channel) -> bool:
        return channel.parent is self.channel and not channel.deleted

    def _places(self, user: User) -> list[Channel]:
        threads = [c for c in self.server.channels.values() if self._is_thread(c)]
        return [self.channel, *threads, *([user.dm] if user.dm is not None else [])]


GONE, NOT_IN = "This table is gone.", "You are not at this table."
"""The answers to a press on the message of a table, or of a seat, that a power cut took away."""
ABSENT = (3 * 60.0 + 5, 4 * 60.0)
"""Seconds after which the others notice that somebody is away."""
WATCH, LOOKING = "Watch", 4.0
"""The button to a moving picture, and the seconds for which somebody looks at it."""
REMATCHES = 0.5
"""How often the host presses Rematch, rather than to open a new table."""


class Choosing(Player):
    """Finds what fits, on the panel that a player has before them."""

    def __init__(self, server: Server, player: Player, panel: Message) -> None:
        super().__init__(server, player.user, player.channel)
        self._panel = panel

    @property
    def panel(self) -> Message:
        return self._panel

    def choose(self) -> Item | None:
        """What fits; else the first column for half a move; else Flip or Roll."""
        return super().choose()


_SEAT = re.compile("[\u2460-\u246b]|<:s[0-9]")
"""The back of a player's cards, before their name."""


def is_seated(player: Player, public: Message) -> bool:
    """Whether the message of a lobby names this player as seated: a seat may also be held."""
    name = player.user.name.title()
    return any(_SEAT.match(line) and name in line for line in public.text.splitlines())


def _is_moving(file: Mapping[str, Any]) -> bool:
    return str(file["filename"]).endswith(".gif")


def _is_table(message: Message) -> bool:
    return any((item.custom_id or "").startswith("lg1:") for item in message.controls)


def _panels(server: Server, player: Player, place: Channel) -> list[Message]:
    private = server.panels(player.user, place) if place.guild else server.public(place)
    boxes = [m for m in private if m.data["components"] and m.data["components"][0]["type"] == BOX]
    return [m for m in boxes if not is_a_note(m) and not screens.is_picture(m)]


BOX = 17
"""The type of the container that a panel is drawn in."""


def _flat(components: list[dict[str, object]]) -> list[dict[str, object]]:
    found = []
    for one in components:
        found.append(one)
        inner = one.get("components")
        if isinstance(inner, list):
            found += _flat(inner)
    return found
