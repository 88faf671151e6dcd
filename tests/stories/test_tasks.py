"""Tasks that end in silence while the bot goes on without them."""

import asyncio
import os
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from bot.store.database.lock import lock_of
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock
from tests.stories.faulty import broken_half_way, hanging, instead
from tests.stories.world import World, at_rest, given, running

T = TypeVar("T")
OWN = frozenset({"SignsOfLife", "DailyBackups", "writer"})
"""Tasks that go on for as long as the bot runs, beside those that tick."""
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


async def test_signs_of_life_go_on_after_one_that_failed(world: World) -> None:
    """systemd would kill a bot that plays."""
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


async def test_the_bot_writes_on_after_a_rollback_that_failed(tmp_path: Path) -> None:
    """The transaction that is left open is taken back before the next."""
    async with running(tmp_path, channels=2) as world:
        await failing_once(world)
        assert world.bot.is_running
        assert await opens_a_lobby(world)


async def test_a_bot_that_cannot_write_gives_no_signs_of_life(tmp_path: Path) -> None:
    """A transaction hangs, as on a disk that answers no more. Once it answers, there are signs
    again.
    """
    async with running(tmp_path, channels=2) as world:
        with instead(hanging):
            asked = world.server.slash(world.server.user("anna"), world.channel, "ligretto")
            await asyncio.sleep(SIGN)
            assert not await gives_signs(world)
        assert not asked.ok
        world.bot.kill()
        await world.start()
        assert await gives_signs(world)


class FailingClock(VirtualClock):
    """Ends each of these tasks by an error, once."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__(loop)
        self.doomed: set[str] = set()

    async def sleep(self, seconds: float) -> None:
        self._ends()
        await super().sleep(seconds)

    async def park(self, what: Awaitable[T], name: str) -> T:
        given = await super().park(what, name)
        self._ends()
        return given

    def _ends(self) -> None:
        task = asyncio.current_task()
        if task is not None and task.get_name() in self.doomed:
            self.doomed.remove(task.get_name())
            raise RuntimeError("nobody has thought of this")


def background(world: World) -> set[str]:
    """The names of the bot's own tasks that never end by themselves."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return {
        name
        for task in loop.tasks(world.bot.number)
        if (name := task.get_name()).startswith("tick of ")
        or name in ("SignsOfLife", "DailyBackups", "WalWatch", "writer")
    }


async def test_every_background_task_is_started_again(tmp_path: Path) -> None:
    """An error that a task doesn't catch itself is not its end."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    async with at_rest(tmp_path, channels=2, backups_kept=7) as world:
        world.bot.clock = clock = FailingClock(loop)
        world.log.filters.clear()  # all fail at one place, and would be told as one
        await world.start()
        before = background(world)
        given({"SignsOfLife", "DailyBackups", "WalWatch", "tick of Tables"} <= before, str(before))
        clock.doomed = set(before)
        _ = await opens_a_lobby(world)
        await asyncio.sleep(2 * 60 * 60)
        given(not clock.doomed, f"all but {clock.doomed} have failed")
        assert world.bot.is_running
        assert background(world) == before
        begun = [line for line in world.said() if line.endswith("failed, restarting in 5 s")]
        assert len(begun) == len(before)
