"""A start with many tables: presses come before their messages."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.composition.restoring import AT_ONCE, REST, recall, restore
from tests.loopback.bots import clock_here


class Everything:
    """A client that connects, a supervisor, and tables' messages; they count what they are told."""

    def __init__(self, shards: int = 0) -> None:
        self.started: list[float] = []
        self.held = self.read = 0
        self.shards = shards

    def connected(self) -> int:
        return self.shards

    async def wait_for(self, *_: object, **__: object) -> None:
        assert not self.shards, "it would wait for the next connection"
        await asyncio.sleep(1.0)
        self.shards = 1

    def hold(self, _: object) -> None:
        assert not self.read, "before the first await"
        self.held += 1

    async def recall(self, _: object) -> None:
        self.read += 1

    def resume(self, _: object) -> None:
        """Nothing is restored."""

    def start(self, *_: object) -> None:
        assert self.shards, "presses come first"
        self.started.append(asyncio.get_running_loop().time())


@pytest.mark.parametrize("shards", [0, 1], ids=["not yet", "connected"])
async def test_a_thousand_tables_are_restored_a_few_at_a_time(shards: int) -> None:
    table: Any = SimpleNamespace(session=SimpleNamespace(opened=SimpleNamespace(arena=None)))
    fake: Any = Everything(shards)
    unread = await recall([table] * 1000, fake)
    assert not unread
    await restore(fake, [table] * 1000, unread, fake, fake, clock_here())
    assert fake.held == fake.read == len(fake.started) == 1000
    assert max(fake.started.count(at) for at in set(fake.started)) == AT_ONCE
    assert fake.started[-1] - fake.started[0] < 1000 / AT_ONCE * REST * 1.1
