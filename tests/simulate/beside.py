"""An ordinary table in a channel of its own, at which people play while something else goes on."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.loopback.players import Player, labels, seated
from tests.stories.world import World

ROUNDS = 20
"""The most that a match may have."""
ON_IT_GOES = ("Ready", "Next round")


@dataclass(slots=True)
class Beside:
    """Four people at an ordinary table. `presses`: seconds from a press in a round to its answer.

    `is_down`: the bot is, so that nobody presses.
    """

    world: World
    game: str
    pace: float
    chance: random.Random
    is_over: Callable[[], bool]
    is_down: Callable[[], bool]
    presses: list[float] = field(default_factory=list)
    unanswered: int = 0

    async def play(self) -> None:
        """Play a long match, or as much of it as there is time for."""
        home = self.world.channel.guild
        assert home is not None
        channel = self.world.server.add_channel(home, "beside")
        names = ["quinn", "rosa", "sam", "tess"]
        people = await seated(self.world.server, channel, names, ROUNDS, self.game)
        async with asyncio.TaskGroup() as together:
            for one in people:
                together.create_task(self._sit(one))

    async def _sit(self, player: Player) -> None:
        while not self.is_over() and "Rematch" not in labels(player.panel):
            if not self.is_down():
                await self._press(player)
            await asyncio.sleep(self.pace * self.chance.uniform(0.5, 1.5))

    async def _press(self, player: Player) -> None:
        if item := player.choose():
            began = asyncio.get_running_loop().time()
            sent = self.world.server.click(player.user, player.panel, item.custom_id, stale=True)
            if (await sent.wait()).ok:
                self.presses.append(asyncio.get_running_loop().time() - began)
            elif not self.is_down():
                self.unanswered += 1
        elif found := labels(player.panel) & set(ON_IT_GOES):
            label = found.pop()
            _ = await self.world.server.click(
                player.user, player.panel, label=label, stale=True
            ).wait()


def percentile(numbers: Sequence[float], share: float) -> float:
    """Return the value below which this share of the numbers is; 0 without any."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
