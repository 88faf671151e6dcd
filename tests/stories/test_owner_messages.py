"""An owner who reads no log: one direct message for each problem that only they can solve."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.ops.owner.messages import LOOK, SOON
from bot.ops.owner.problems import DAY, Known, restored
from tests.stories.world import World, at_rest, running

LATER = SOON + 30.0


def told(world: World) -> list[str]:
    """Return the direct messages that the owner has."""
    return [one.text for one in world.server.dm(world.server.owner).messages.values()]


async def restarted(world: World, after: float = 0.0) -> None:
    """Start the bot again, so many seconds later, and its clock another day ahead.

    Days go by Discord's clock.
    """
    if world.bot.is_running:
        _ = await world.bot.stop()
    await asyncio.sleep(after)
    world.bot.clock.skew += DAY
    await world.start()
    await asyncio.sleep(LATER)


class Disk:
    """The disk's free space, in MiB."""

    free = 10_000

    def usage(self, _: object) -> Any:
        return shutil._ntuple_diskusage(2**40, 0, self.free * 2**20)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    there = Disk()
    monkeypatch.setattr(shutil, "disk_usage", there.usage)
    return there


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with running(tmp_path, tell_owner=True) as there:
        yield there


async def test_full_disk_is_told_once_until_it_comes_again(world: World, disk: Disk) -> None:
    await asyncio.sleep(LATER)
    assert not told(world)
    disk.free = 7
    await asyncio.sleep(LOOK)
    (said,) = told(world)
    assert "The disk is running full: 7 MiB free in " in said
    assert "check` shows whether it is solved." in said
    await asyncio.sleep(LOOK)
    disk.free = 10_000
    await asyncio.sleep(LOOK)
    disk.free = 6
    await restarted(world)
    await asyncio.sleep(LOOK)
    assert len(told(world)) == 1, "it comes and goes: that is one problem"
    disk.free = 10_000
    await restarted(world, 2 * DAY)
    disk.free = 5
    await asyncio.sleep(LOOK)
    assert len(told(world)) == 2
    assert "5 MiB" in told(world)[1]


@pytest.mark.parametrize(
    ("how", "lines", "count"),
    [
        ({"status": 403, "code": 50007}, ["direct message refused"], 0),
        ({"status": 503, "times": 100}, ["direct message not sent"] * 2, 1),
    ],
    ids=["refused", "down"],
)
async def test_refused_message_is_one_line_and_no_loop(
    world: World, disk: Disk, how: dict[str, Any], lines: list[str], count: int
) -> None:
    """A failure of Discord's is tried again in an hour, a refusal never."""
    disk.free = 7
    _ = world.server.fault("POST .*/channels/[0-9]+/messages", **how)
    await asyncio.sleep(LATER)
    await asyncio.sleep(LOOK)
    world.server.faults.clear()
    await asyncio.sleep(2 * LOOK)
    said = [line for line in world.said() if line.startswith("owner")]
    assert len(said) == len(lines), said
    assert all(part in line for part, line in zip(lines, said, strict=True)), said
    assert len(told(world)) == count


async def test_backups_are_told_after_two_days(tmp_path: Path) -> None:
    """Restarts don't begin the two days anew."""
    blocked = tmp_path / "file"
    blocked.touch()
    folder = blocked / "x"
    async with at_rest(tmp_path, backups_kept=1, backup_path=folder, tell_owner=True) as world:
        await restarted(world)
        await restarted(world, DAY)
        assert not told(world)
        await restarted(world, DAY)
        (said,) = told(world)
        assert "Backups have failed for two days: " in said
        await restarted(world, DAY / 4)
        assert len(told(world)) == 1


async def test_lost_tables_are_told_where_the_owner_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    async with at_rest(tmp_path, channels=2) as world:
        await world.start()
        _ = await world.lobby("anna", "ben")

        def breaks(*_: object, **__: object) -> None:
            raise RuntimeError("a bug")

        for is_on in (False, True):
            other = world.server.all_channels[is_on]
            if is_on:
                await world.person("cleo", other).open()
            _ = await world.bot.stop()
            world.bot.settings["tell_owner"] = is_on
            with monkeypatch.context() as patched:
                patched.setattr("bot.tables.registry.resume.apply", breaks)
                await restarted(world)
            if not is_on:
                assert not told(world), "it is off unless somebody turns it on"
        (said,) = told(world)
        assert "Tables closed, as they could not be resumed: 2\n" in said
        assert [line.text for line in world.log.lines if line.text.startswith("owner")]


def test_unreadable_note_is_forgotten() -> None:
    for stored in ("", "[", "7", "[1]", '["x", {}]', '[null, {"disk": null}]', None):
        assert restored(stored) == Known()
    known = Known(5.0, {"disk": 7.0})
    assert restored(known.stored()) == known
