"""Tasks that end in silence while the bot goes on without them."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.store.database import lock_of
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock
from tests.stories.faulty import broken_half_way, instead
from tests.stories.world import World, at_rest, given, running

SIGN = 60.0
"""Seconds within which a living bot gives three signs of life."""


@contextmanager
def moved_away(folder: Path) -> Iterator[None]:
    """A folder is not there for a while."""
    away = folder.with_name(f"{folder.name} away")
    folder.rename(away)
    try:
        yield
    finally:
        away.rename(folder)


async def gives_signs(world: World) -> bool:
    """Whether the lock file is touched within a minute."""
    lock = lock_of(world.bot.database)
    os.utime(lock, (0, 0))
    await asyncio.sleep(SIGN)
    return lock.stat().st_mtime > 0


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a folder that is away for half a minute ends the signs of life for ever",
)
async def test_signs_of_life_go_on_after_one_that_failed(world: World) -> None:
    """Today one failed touch of the lock file ends the heartbeat, and systemd kills a bot that
    plays. The next touch should be tried.
    """
    given(await gives_signs(world), "it lives")
    with moved_away(world.bot.folder):
        await asyncio.sleep(30)
    assert await gives_signs(world)


async def failing_once(world: World) -> None:
    """The disk fails in the middle of one transaction, and is well again."""
    with instead(broken_half_way):
        await world.server.slash(world.server.user("anna"), world.channel, "ligretto").wait()
    await asyncio.sleep(30)


async def opens_a_lobby(world: World) -> bool:
    """Whether a command in another channel is answered."""
    other, ben = world.server.all_channels[1], world.server.user("ben")
    answer = await world.server.slash(ben, other, "dice").wait()
    return bool(answer.ok)


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="after one rollback that fails nothing is ever written again",
)
async def test_the_bot_writes_on_after_a_rollback_that_failed(tmp_path: Path) -> None:
    """Today the writer's task ends, and every command and press waits for ever. It should be
    started again, or the process should end and be.
    """
    async with running(tmp_path, channels=2) as world:
        await failing_once(world)
        if not world.bot.is_running:
            await world.start()
        assert await opens_a_lobby(world)


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a bot that can write nothing any more goes on giving signs of life",
)
async def test_a_bot_that_cannot_write_gives_no_signs_of_life(tmp_path: Path) -> None:
    """Today the heartbeat means that the loop turns, and a bot whose writer is dead is never
    restarted. It should mean that the writer writes, too.
    """
    async with running(tmp_path, channels=2) as world:
        await failing_once(world)
        writes = await opens_a_lobby(world)
        alive = world.bot.is_running and await gives_signs(world)
        assert writes or not alive


class FailingClock(VirtualClock):
    """Ends each of these tasks by an error, once."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__(loop)
        self.doomed: set[str] = set()

    async def sleep(self, seconds: float) -> None:
        task = asyncio.current_task()
        if task is not None and task.get_name() in self.doomed:
            self.doomed.remove(task.get_name())
            raise RuntimeError("nobody has thought of this")
        await super().sleep(seconds)


def background(world: World) -> set[str]:
    """The names of the bot's own tasks that never end by themselves."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return {
        name
        for task in loop.tasks(world.bot.number)
        if (name := task.get_name()).startswith("tick of ") or name in ("Heart", "DailyBackup")
    }


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="a background task that fails in a way nobody has thought of is never started again",
)
async def test_every_background_task_is_started_again(tmp_path: Path) -> None:
    """Today an error that a task doesn't catch itself is its end: lobbies never close, no backup is
    made, and the bot goes on. Each should be started again, or the process should end.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with at_rest(tmp_path) as world:
        world.bot.clock = clock = FailingClock(loop)
        await world.start()
        before = background(world)
        given({"Heart", "DailyBackup", "tick of Tables"} <= before, str(before))
        clock.doomed = set(before)
        await asyncio.sleep(2 * 60 * 60)
        given(not clock.doomed, "each of them has failed")
        assert not world.bot.is_running or background(world) == before
