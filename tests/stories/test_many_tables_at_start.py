"""A start with many tables: presses come before their messages."""

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.composition.restoring import AT_ONCE, REST, restore
from tests.loopback.bots import clock_here


class Everything:
    """A client that connects, a supervisor, and tables' messages; they count what they are told."""

    def __init__(self) -> None:
        self.started: list[float] = []
        self.held = self.read = 0
        self.is_connected = False

    async def wait_for(self, *_: object, **__: object) -> None:
        await asyncio.sleep(1.0)
        self.is_connected = True

    def hold(self, _: object) -> None:
        assert not self.read, "before the first await"
        self.held += 1

    async def recall(self, _: object) -> None:
        assert not self.is_connected, "before anybody can press"
        self.read += 1

    def resume(self, _: object) -> None:
        """Nothing is restored."""

    def start(self, *_: object) -> None:
        self.started.append(asyncio.get_running_loop().time())


async def test_a_thousand_tables_are_restored_a_few_at_a_time() -> None:
    table: Any = SimpleNamespace(session=SimpleNamespace(opened=SimpleNamespace(arena=None)))
    fake: Any = Everything()
    await restore(fake, [table] * 1000, fake, fake, clock_here())
    assert fake.held == fake.read == len(fake.started) == 1000
    assert max(fake.started.count(at) for at in set(fake.started)) == AT_ONCE
    assert fake.started[-1] - fake.started[0] < 1000 / AT_ONCE * REST * 1.1
