"""The test of Discord from `/settings`, on every Discord that the bot may meet."""

import asyncio
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot.cli.visits import check_live
from bot.fakediscord import Channel, Interaction, Message, Server, User, permissions
from bot.fakediscord.model.permissions import EVERYONE
from bot.groups.layout import shard_of
from bot.ids import ChannelId, GuildId
from bot.ops.check.finding import Finding, Mark
from bot.settings.config import Config
from bot.store.database.errors import DatabaseError
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import TOKEN, VirtualClock
from tests.stories.discord_world import (
    Player,
    World,
    becomes,
    labels,
    send,
    spaced,
    stand_in,
    world,
)

BUTTON = "Test Discord here"
COMPONENT = 3
THREADS = 11
A_MINUTE_AND_MORE = 150.0
"""Seconds in which a test is over, also where a limit has to be waited out for the report."""


async def settings(server: Server, user: User, channel: Channel) -> Message:
    answer = await server.slash(user, channel, "settings").wait()
    assert answer.original is not None
    return answer.original


async def pressed(server: Server, user: User, panel: Message) -> Interaction:
    return await server.click(user, panel, label=BUTTON).wait()


async def begun(here: World, first: User, second: User) -> list[Message]:
    """Two presses: the private messages that answered them."""
    server, (channel, *_) = here.server, here.server.all_channels
    panels = []
    for user in (first, second):
        answer = await pressed(server, user, await settings(server, user, channel))
        assert answer.original is not None
        panels.append(answer.original)
    return panels


def manager(server: Server, name: str) -> User:
    user = server.user(name)
    (guild,) = server.guilds.values()
    guild.member_perms[user.id] = EVERYONE | permissions("manage_guild")
    return user


def is_over(panel: Message) -> bool:
    return "Test of Discord" in panel.text or "The test is over" in panel.text


def rows(here: World, sql: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(here.bot.database) as db:
        return db.execute(sql).fetchall()


def threads(server: Server) -> list[Channel]:
    return [one for one in server.channels.values() if one.type == THREADS and not one.deleted]


def question(server: Server, user: User) -> Message:
    channel = server.all_channels[0]
    return next(one for one in server.panels(user, channel) if "It moves" in labels(one))


def discord(*, pictures: bool, per_channel: int | None) -> Server:
    """A Discord with one of the beliefs in each."""
    server = stand_in(Server)
    server.settings.edits_show_files = pictures
    server.settings.webhook_calls = per_channel
    return server


async def reported(here: World, first: User, second: User, seen: str = "It moves") -> str:
    """The report on the first of two presses, after the first person has seen the picture."""
    server = here.server
    panels = await begun(here, first, second)
    await server.wait_for(lambda: "It moves" in str(server.panels(first, panels[0].channel)))
    asked = question(server, first)
    assert ".gif" in str(asked.data["components"])
    _ = await server.click(first, asked, label=seen).wait()
    await server.wait_for(lambda: all(map(is_over, panels)), A_MINUTE_AND_MORE)
    return spaced(panels[0].text)


BELIEFS = pytest.mark.parametrize(
    ("pictures", "per_channel"),
    [(pictures, limit) for pictures in (True, False) for limit in (None, 30)],
)


@BELIEFS
async def test_report_says_what_discord_takes(
    tmp_path: Path,
    pictures: bool,  # noqa: FBT001 a belief
    per_channel: int | None,
) -> None:
    server = discord(pictures=pictures, per_channel=per_channel)
    async with world(tmp_path, server) as here:
        said = await reported(here, server.owner, manager(server, "ben"))
        assert ("Edits of private messages in 60 s: **40**" in said) == (per_channel is None)
        assert ("the channel’s rate limit stopped them" in said) == (per_channel is not None)
        assert "Discord’s own limit for a message: 5 in 2 s" in said
        assert ("❌ Edit with a picture: refused (400/50035)" in said) == (not pictures)
        assert ("✅ Post with a picture" in said) == (not pictures)
        assert "✅ Open a thread" in said
        assert "✅ The picture moves" in said
        assert "ms (median)," in said
        assert not server.public(server.all_channels[0]), "something was left in the channel"
        assert all(thread.archived for thread in threads(server))
        assert not here.tracebacks


@BELIEFS
async def test_what_is_learned_is_kept_for_the_server(
    tmp_path: Path,
    pictures: bool,  # noqa: FBT001 a belief
    per_channel: int | None,
) -> None:
    server = discord(pictures=pictures, per_channel=per_channel)
    async with world(tmp_path, server) as here:
        _ = await reported(here, server.owner, manager(server, "ben"))
        await asyncio.sleep(1)
        lessons = {str(lesson) for (lesson,) in rows(here, "SELECT lesson FROM learned")}
        assert lessons == (set() if pictures else {"pictures apart"})
        paces = rows(here, "SELECT channel, per_minute, is_limited FROM paces")
        pace = (41.0, 0) if per_channel is None else (27.0, 1)
        channel = server.all_channels[0]
        assert set(paces) == {(channel.id, *pace), (channel.guild_id, *pace)}


async def test_pictures_that_stand_still_are_remembered(tmp_path: Path) -> None:
    """Rounds are then shown as attachments, until somebody sees that one moves."""
    server = discord(pictures=True, per_channel=None)
    async with world(tmp_path, server) as here:
        for seen, lessons in (("It doesn’t", [("pictures stand still",)]), ("It moves", [])):
            _ = await reported(here, server.owner, manager(server, "ben"), seen)
            await asyncio.sleep(1)
            assert rows(here, "SELECT lesson FROM learned") == lessons
            server.restart_client(server.owner)
            await asyncio.sleep(120)


async def test_what_is_otherwise_now_is_learned_anew(tmp_path: Path) -> None:
    server = discord(pictures=False, per_channel=30)
    async with world(tmp_path, server) as here:
        _ = await reported(here, server.owner, server.owner)
        server.settings.edits_show_files, server.settings.webhook_calls = True, None
        await asyncio.sleep(120)
        server.restart_client(server.owner)
        first, _ = await begun(here, server.owner, server.owner)
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        await asyncio.sleep(1)
        assert rows(here, "SELECT lesson FROM learned") == []
        assert {limited for (limited,) in rows(here, "SELECT is_limited FROM paces")} == {0}


async def test_one_manager_presses_twice(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        owner = here.server.owner
        first, second = await begun(here, owner, owner)
        await here.server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        assert await becomes(here.server, lambda: "message above" in second.text, 10)
        assert "didn’t say whether the picture moves" in first.text
        assert labels(first) == set(), "a report has nothing to press"


async def test_second_test_at_once_is_refused(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        panels = await begun(here, owner, owner)
        channel = server.all_channels[0]
        answer = await pressed(server, owner, await settings(server, owner, channel))
        assert answer.original is not None
        assert "already running" in answer.original.text
        await server.wait_for(lambda: is_over(panels[0]), A_MINUTE_AND_MORE)
        await asyncio.sleep(5)
        again = await pressed(server, owner, await settings(server, owner, channel))
        assert again.original is not None
        assert "once more" in again.original.text


async def test_who_may_not_manage_the_server_is_refused(tmp_path: Path) -> None:
    """Their button has outlived their role. The press counts for nothing."""
    async with world(tmp_path) as here:
        server, (channel, *_) = here.server, here.server.all_channels
        ben = manager(server, "ben")
        panel = await settings(server, ben, channel)
        assert channel.guild is not None
        channel.guild.member_perms[ben.id] = EVERYONE
        for word in ("lr1:settings:live", "lr1:live:moves"):
            data = {"component_type": 2, "custom_id": word, "id": 1}
            answer = await send(server, ben, panel, COMPONENT, data).wait()
            assert answer.original is not None
            assert "Manage Server" in answer.original.text, word
        first = await pressed(server, server.owner, await settings(server, server.owner, channel))
        assert first.original is not None
        assert "once more" in first.original.text
        assert not rows(here, "SELECT lesson FROM learned")


async def test_channel_with_a_table_is_not_tested(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, (channel, *_) = here.server, here.server.all_channels
        _ = await Player(server, server.user("anna"), channel).open()
        answer = await pressed(server, server.owner, await settings(server, server.owner, channel))
        assert answer.original is not None
        assert "This channel has a table" in answer.original.text


async def test_kill_leaves_nothing_that_hurts(tmp_path: Path) -> None:
    """What was posted is deleted at the next start. Old messages have nothing to press."""
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panels = await begun(here, owner, owner)
        held = server.fault("DELETE .*/channels/", hold=asyncio.Event())
        await asyncio.wait_for(held.reached.wait(), A_MINUTE_AND_MORE)
        assert server.public(channel)
        here.bot.kill()
        server.faults.clear()
        here.bot.start()
        await server.wait_ready()
        assert await becomes(server, lambda: not server.public(channel), 30), "it was left"
        assert all(thread.archived for thread in threads(server))
        assert not labels(panels[0]) | labels(panels[1])
        again = await pressed(server, owner, await settings(server, owner, channel))
        assert again.original is not None
        assert "once more" in again.original.text, "nothing runs any more"


async def test_first_press_waits_five_minutes(tmp_path: Path) -> None:
    """Its token has to last for all of the test."""
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panel = await settings(server, owner, channel)
        _ = await pressed(server, owner, panel)
        await asyncio.sleep(301)
        late = await pressed(server, owner, panel)
        assert late.original is not None
        assert "once more" in late.original.text


async def test_refusals_are_reported(tmp_path: Path) -> None:
    """Where the bot may not write, and where Discord says nothing."""
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        first, _ = await begun(here, owner, owner)
        server.deny(channel, "create_public_threads")
        server.fault("PATCH .*/channels/", latency=20.0)
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        assert "❌ Open a thread: refused (403/50013)" in first.text
        assert "⚠️ Edit with a picture: no answer" in first.text
        assert not rows(here, "SELECT lesson FROM learned"), "silence teaches nothing"
        assert not server.public(channel)


# -- without a press ------------------------------------------------------------------------


async def tried(here: World, channel: Channel | int, **settings: Any) -> tuple[Finding, ...]:
    """`check --live` in this channel, on the bot's own database."""
    number = ChannelId(channel if isinstance(channel, int) else channel.id)
    config = Config(
        _env_file=None, discord_token=TOKEN, database_path=here.bot.database, **settings
    )
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return await check_live(config, number, VirtualClock(loop))


@pytest.mark.parametrize("pictures", [True, False], ids=["picture edits", "no picture edits"])
async def test_check_tries_what_needs_no_press(tmp_path: Path, pictures: bool) -> None:  # noqa: FBT001
    async with world(tmp_path) as here:
        here.server.settings.edits_show_files = pictures
        (channel, *_) = here.server.all_channels
        await here.bot.stop()
        identified = len(here.server.gateway.identifies)
        found = {one.subject: one for one in await tried(here, channel)}
        assert len(here.server.gateway.identifies) == identified, "it takes nobody's turn"
        assert all(one.mark is not Mark.FIX for one in found.values())
        assert re.fullmatch("[0-9]+ ms", found["post"].said)
        assert ("get their own message" in found["edit with a picture"].said) == (not pictures)
        assert "archived" in found["thread"].said
        assert not here.server.public(channel)
        lessons = rows(here, "SELECT lesson FROM learned")
        assert lessons == ([] if pictures else [("pictures apart",)])


async def test_check_tries_nothing_in_a_server_of_another_group(tmp_path: Path) -> None:
    """What it learns there would stand in the wrong database."""
    async with world(tmp_path) as here:
        (channel, *_) = here.server.all_channels
        await here.bot.stop()
        assert channel.guild is not None
        others = 1 - shard_of(GuildId(channel.guild.id), 2)
        group = {"shard_count": 2, "shard_ids": (others,), "valkey_url": "valkey://127.0.0.1"}
        (line,) = await tried(here, channel, **group)
        assert str(line) == (
            f"FIX   channel: {channel.id} is in a server of another group: run the check there"
        )


async def test_check_tries_nothing_while_a_bot_runs(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        (channel, *_) = here.server.all_channels
        with pytest.raises(DatabaseError, match="stop it first"):
            _ = await tried(here, channel)
        assert not here.server.public(channel)


async def test_check_says_what_is_missing(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        (channel, *_) = here.server.all_channels
        await here.bot.stop()
        here.server.deny(channel, "send_messages")
        (refused,) = await tried(here, channel)
        assert (refused.mark, refused.subject) == (Mark.FIX, "post")
        assert "403/50013" in refused.said
        (unknown,) = await tried(here, 7)
        assert (unknown.mark, unknown.subject) == (Mark.FIX, "channel")
