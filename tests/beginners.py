"""`python -m tests.beginners 1000`: scripted beginners take the guided first hand.

Half of their presses are at random. They press twice, press what an older message shows, look away
for a minute or longer than a token lives, and open the lesson again; the bot is killed and started
again meanwhile. Each finishes, and each answer on the way says what to press.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.fakediscord import Channel, Interaction, Item, Message, Server, User
from tests.garbage import collect_rarely
from tests.simulate.loop import VirtualLoop
from tests.stories.world import LONG, World, running

TOGETHER = 50
"""Beginners at a time. Halfway through the first part the bot is killed."""
GREEN = 3
MOST = 200
"""Presses after which a beginner would have given up."""
MINUTE, TOKEN = 60.0, 16 * 60.0
ODDS = {"double": 0.15, "older": 0.05, "wait": 0.08, "sleep": 0.02, "reopen": 0.05}


class LostError(AssertionError):
    """A beginner wasn't told what to press, or never finished."""


@dataclass
class Beginner:
    """Somebody who sees the lesson for the first time. `did` counts what they did."""

    server: Server
    user: User
    channel: Channel
    chance: random.Random
    did: Counter[str] = field(default_factory=Counter)

    async def learn(self) -> None:
        """Take the lesson to its end. Raises LostError."""
        await self._open()
        while not is_over(self._newest):
            if self.did["press"] > MOST:
                raise LostError(f"{self.user.name} is lost: {self._newest.text}")
            await self._act()
        self.did["finished"] += 1

    @property
    def _lessons(self) -> list[Message]:
        panels = self.server.panels(self.user, self.channel)
        return [one for one in panels if any(is_lesson(item) for item in one.controls)]

    @property
    def _newest(self) -> Message:
        return self._lessons[-1]

    async def _open(self) -> None:
        answer = await self.server.slash(self.user, self.channel, "learn").wait()
        if not answer.ok:  # the bot is down: they type it again
            self.did["unanswered"] += 1
            await asyncio.sleep(MINUTE)
            await self._open()

    async def _act(self) -> None:
        """Do one thing that beginners do, and look at the answer."""
        await asyncio.sleep(self.chance.uniform(0.5, 4.0))
        match self._mood():
            case "wait":
                await asyncio.sleep(MINUTE)
            case "sleep":
                await asyncio.sleep(TOKEN)
            case "reopen":
                await self._open()
            case "older" if len(self._lessons) > 1:
                await self._press(self.chance.choice(self._lessons[:-1]))
            case mood:
                await self._press(self._newest, twice=mood == "double")

    def _mood(self) -> str:
        names = [*ODDS, "press"]
        weights = [*ODDS.values(), 1 - sum(ODDS.values())]
        mood = self.chance.choices(names, weights)[0]
        self.did[mood] += 1
        return mood

    async def _press(self, message: Message, *, twice: bool = False) -> None:
        item = self._chosen(message)
        presses = [self._click(message, item) for _ in range(1 + twice)]
        for answer in await asyncio.gather(*presses):
            if not answer.ok:
                self.did["unanswered"] += 1
        await asyncio.sleep(LONG)
        tells_what_to_press(message)

    async def _click(self, message: Message, item: Item) -> Interaction:
        return await self.server.click(self.user, message, item.custom_id, stale=True).wait()

    def _chosen(self, message: Message) -> Item:
        """The green button, or half the time any that can be pressed."""
        buttons = [item for item in message.controls if not item.disabled and is_lesson(item)]
        if is_over(message):
            return next(item for item in buttons if item.label == "Once more")
        self.did["press"] += 1
        if self.chance.random() < 0.5:
            return self.chance.choice(buttons)
        return next(item for item in buttons if item.style == GREEN)


def is_lesson(item: Item) -> bool:
    return (item.custom_id or "").startswith("lr1:learn:")


def is_over(message: Message) -> bool:
    return "Ligretto stop!" in message.text


def tells_what_to_press(message: Message) -> None:
    """Raises LostError unless one green button is there, and words that name it."""
    green = [item for item in message.controls if item.style == GREEN and not item.disabled]
    if len(green) != 1 or not (is_over(message) or "ress" in message.text):
        raise LostError(f"nothing says what to press: {message.text}")


async def taught(world: World, number: int, seed: int) -> Counter[str]:
    """Let so many beginners learn, some at a time. Return what they did. Raises LostError."""
    done: Counter[str] = Counter()
    for first in range(0, number, TOGETHER):
        part = [
            Beginner(
                world.server,
                world.server.user(f"beginner{one}"),
                world.channel,
                random.Random(seed * 1_000_003 + one),
            )
            for one in range(first, min(first + TOGETHER, number))
        ]
        lessons = asyncio.gather(*(one.learn() for one in part))
        if first == 0:
            await asyncio.sleep(20)
            world.bot.kill()
            await world.start()
        await lessons
        for one in part:
            done.update(one.did)
    return done


async def _main(number: int, seed: int) -> Counter[str]:
    with TemporaryDirectory() as folder:
        async with running(Path(folder)) as world:
            return await taught(world, number, seed)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.beginners", description=__doc__)
    parser.add_argument("beginners", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    collect_rarely()
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(asked.seed)) as runner:
        did = runner.run(_main(asked.beginners, asked.seed))
    told = ", ".join(f"{did[what]:,} {what}" for what in sorted(did))
    sys.stdout.write(f"{told}; {time.process_time():.0f} s of processor time\n")


if __name__ == "__main__":
    main()
