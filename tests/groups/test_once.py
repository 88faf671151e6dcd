"""One group at a time acts for the whole bot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import discord
import pytest

from bot.fakediscord import Server
from bot.groups.away import ValkeyAwayError
from bot.groups.group import ALONE, Group
from bot.groups.layout import Layout
from bot.groups.once import LIFE, RENEWAL, Always, Once, OnceLease, once_of
from bot.groups.valkey import Valkey
from bot.ops.releases.ask import HOUR, SOON, Releases
from bot.ui.render.emojis import LOOK
from tests import valkey
from tests.loopback.test_emojis import (
    GET,
    POST,
    SOME,
    count,
    names,
    uploading,
    uploads,
    wanted,
)
from tests.real import PATIENCE
from tests.stories import feeds
from tests.tables.clock import HandClock


class Groups:
    """Two groups of a bot on one server, each with a clock that stands still."""

    def __init__(self, url: str) -> None:
        self.clocks = HandClock(), HandClock()
        self.valkeys = [Valkey(url, "1", clock) for clock in self.clocks]
        self.one, self.other = (self._once(place) for place in (0, 1))
        self._tasks: dict[Once, asyncio.Task[None]] = {}

    def _once(self, place: int) -> Once:
        layout = Layout(2, (place,))
        return once_of(Group(layout, place + 1, self.valkeys[place]), self.clocks[place])

    def again(self) -> OnceLease:
        """Return the first group as it is after a start."""
        return OnceLease(self.valkeys[0], 1, self.clocks[0])

    def start(self, once: Once) -> None:
        self._tasks[once] = asyncio.get_running_loop().create_task(once.run())

    async def stop(self, once: Once) -> None:
        self._tasks[once].cancel()
        await asyncio.gather(self._tasks[once], return_exceptions=True)

    async def begin(self) -> None:
        """Start both, the first before the second."""
        self.start(self.one)
        await until(lambda: self.one.is_ours)
        self.start(self.other)
        await self.pass_time(RENEWAL)
        assert self.holders() == [1]

    async def pass_time(self, seconds: float) -> None:
        """Let time pass on both clocks, and wait until Valkey has answered what is asked then."""
        for clock in self.clocks:
            await clock.advance(seconds)
        for one in self.valkeys:
            with suppress(ValkeyAwayError):
                await one.ask(lambda db: db.ping())
        await asyncio.sleep(0.05)

    def holders(self) -> list[int]:
        """The groups that may act for the bot by now."""
        return [number for number, one in ((1, self.one), (2, self.other)) if one.is_ours]

    async def run_out(self) -> None:
        """Let the lease run out in Valkey, where time is the machine's."""
        await self.valkeys[1].ask(lambda db: db.delete(self.valkeys[1].key("once")))

    async def close(self) -> None:
        for once in self._tasks:
            await self.stop(once)
        for one in self.valkeys:
            await one.close()


@pytest.fixture
async def groups(server: valkey.Server) -> AsyncIterator[Groups]:
    there = Groups(server.url)
    yield there
    await there.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 a lease tells nobody
            await asyncio.sleep(0.01)


async def test_bot_that_is_one_process_has_the_right_for_good() -> None:
    once = once_of(ALONE, HandClock())
    assert isinstance(once, Always)
    assert once.is_ours
    done: list[str] = []

    async def work() -> None:
        done.append("registered")

    await once.each_time(work)
    assert done == ["registered"]


async def test_other_group_takes_over_what_was_given_back(groups: Groups) -> None:
    await groups.begin()
    await groups.stop(groups.one)
    assert groups.holders() == []
    await groups.pass_time(RENEWAL)
    await until(lambda: groups.holders() == [2])


async def test_holder_stops_before_another_can_begin(groups: Groups) -> None:
    """Its clock counts from before the renewal that Valkey counts from."""
    await groups.begin()
    groups.valkeys[0]._failed_at = groups.clocks[0].now() + 10 * LIFE  # it is cut off
    await groups.pass_time(LIFE - RENEWAL - 0.1)
    assert groups.holders() == [1]
    await groups.clocks[0].advance(RENEWAL + 0.1)
    assert groups.holders() == []
    await groups.run_out()
    await groups.pass_time(RENEWAL)
    await until(lambda: groups.holders() == [2])


async def test_holder_whose_machine_was_suspended_does_not_act(groups: Groups) -> None:
    await groups.begin()
    groups.clocks[0].asleep += LIFE
    assert groups.holders() == []


async def test_holder_that_comes_back_too_late_is_told_so(groups: Groups) -> None:
    await groups.begin()
    await groups.run_out()
    await groups.valkeys[1].ask(lambda db: db.set(groups.valkeys[1].key("once"), "2"))
    await groups.pass_time(RENEWAL)
    await until(lambda: groups.holders() == [2])


async def test_killed_holder_has_its_own_back_at_once(groups: Groups) -> None:
    await groups.begin()
    started = groups.again()
    groups.start(started)
    await until(lambda: started.is_ours)


async def test_without_valkey_nobody_begins(server: valkey.Server, groups: Groups) -> None:
    server.kill()
    groups.start(groups.one)
    await groups.pass_time(3 * RENEWAL)
    assert groups.holders() == []
    await server.start()
    await groups.pass_time(RENEWAL)
    await until(lambda: groups.one.is_ours)


async def test_work_is_done_whenever_the_right_is_won(groups: Groups) -> None:
    """An older version may have registered its commands meanwhile."""
    done: list[str] = []

    async def work() -> None:
        done.append("registered")

    working = asyncio.get_running_loop().create_task(groups.one.each_time(work))
    await groups.begin()
    await until(lambda: len(done) == 1)
    await groups.pass_time(LIFE)
    assert len(done) == 1, "a renewal wins nothing"
    await groups.valkeys[1].ask(lambda db: db.set(groups.valkeys[1].key("once"), "3"))
    await groups.pass_time(RENEWAL)
    await until(lambda: groups.holders() == [])
    await groups.run_out()
    await groups.clocks[0].advance(RENEWAL)
    await until(lambda: len(done) == 2)
    working.cancel()


async def passing(clock: HandClock, condition: Callable[[], bool]) -> None:
    """Let minutes pass until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await clock.advance(LOOK)
            await asyncio.sleep(0.01)


@pytest.fixture
async def discord_server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    async with Server() as one:
        monkeypatch.setattr(discord.http.Route, "BASE", f"{one.url}/api/v10")
        yield one


async def test_one_group_uploads_and_the_other_shows(
    groups: Groups, discord_server: Server, tmp_path: Path
) -> None:
    await groups.begin()
    async with uploading(discord_server, tmp_path / "2", once=groups.other) as other:
        await passing(other.clock, lambda: count(discord_server, GET) == 3)
        assert not uploads(discord_server)
        async with uploading(discord_server, tmp_path / "1", once=groups.one) as one:
            await one.complete()
            await passing(other.clock, lambda: len(other.emojis.faces) == len(SOME))
            assert other.emojis.faces == one.emojis.faces
    assert names(discord_server) == wanted()
    assert count(discord_server, POST) == len(SOME)


async def test_upload_goes_on_in_the_group_that_takes_over(
    groups: Groups, discord_server: Server, tmp_path: Path
) -> None:
    """The first may have begun one more before it lost the lease, but no second."""
    await groups.begin()
    held = asyncio.Event()
    fault = discord_server.fault("POST .*/emojis", hold=held, skip=1)
    async with uploading(discord_server, tmp_path / "1", once=groups.one):
        await until(lambda: fault.hits == 1)
        await groups.stop(groups.one)
        held.set()
        await until(lambda: count(discord_server, POST) == 2)
        await groups.pass_time(RENEWAL)
        await until(lambda: groups.holders() == [2])
        assert count(discord_server, POST) == 2
        async with uploading(discord_server, tmp_path / "2", once=groups.other) as other:
            await other.complete()
    assert names(discord_server) == wanted()
    assert count(discord_server, POST) == len(SOME)


async def test_emoji_that_another_group_misses_is_uploaded_again(
    groups: Groups, discord_server: Server, tmp_path: Path
) -> None:
    """The holder may have no table on which it would see that."""
    await groups.begin()
    async with uploading(discord_server, tmp_path / "1", once=groups.one) as one:
        await one.complete()
        await until(lambda: count(discord_server, POST) == len(SOME))
        _ = discord_server.emojis.popitem()
        await passing(one.clock, lambda: len(discord_server.emojis) == len(SOME))


async def test_only_the_holder_asks_for_releases(groups: Groups) -> None:
    """The other group's owner reads of it in their own /ping all the same."""
    await groups.begin()
    async with feeds.feed() as feed:
        feed.answer, clocks = feeds.told({"tag_name": "v9.1"}), (HandClock(), HandClock())
        asking = [
            Releases(feed.url, clock, "0.1.0", lambda once=once: once)  # type: ignore[misc]
            for clock, once in zip(clocks, (groups.one, groups.other), strict=True)
        ]
        tasks = [asyncio.get_running_loop().create_task(one.run()) for one in asking]
        await clocks[0].advance(SOON)
        await until(lambda: asking[0].news() is not None)
        await clocks[1].advance(SOON + HOUR)
        await until(lambda: asking[1].news() is not None)
        assert len(feed.requests) == 1
        assert [one.news() for one in asking] == 2 * [asking[0].news()]
        for task in tasks:
            task.cancel()
