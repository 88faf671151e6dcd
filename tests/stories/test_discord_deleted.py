"""A table's message is deleted while nothing changes: whoever types the command brings it back."""

import asyncio
from pathlib import Path

import pytest

from tests.stories.discord_world import (
    Message,
    Player,
    Server,
    all_ready,
    becomes,
    labels,
    seated,
    world,
)

SOON = 10.0
"""Seconds from the command to a message that is there again."""
EDIT = "PATCH .*/channels/[0-9]+/messages/"
EDITED = "PATCH /channels/#/messages/#"


def wipe(server: Server, player: Player) -> None:
    for message in server.public(player.channel):
        server.delete_message(message)


async def asks(player: Player) -> Message:
    """What the command answers."""
    asked = await player.server.slash(player.user, player.channel, "ligretto").wait()
    assert asked.original is not None
    return asked.original


async def players(server: Server, phase: str) -> list[Player]:
    """A table that is in this phase and stands still."""
    channel = server.all_channels[0]
    if phase == "lobby":
        anna = Player(server, server.user("anna"), channel)
        _ = await anna.open()
        people = [anna]
    else:
        people = await seated(server, channel, ["anna", "ben"], 3)
    if phase == "live":
        await all_ready(people)
    await asyncio.sleep(5)
    return people


@pytest.mark.parametrize("phase", ["lobby", "ready", "live"])
@pytest.mark.parametrize("who", ["anna", "zoe"])
async def test_deleted_message_is_missed_when_somebody_asks(
    tmp_path: Path, phase: str, who: str
) -> None:
    async with world(tmp_path) as here:
        server = here.server
        anna, *_ = await players(server, phase)
        wipe(server, anna)
        one = Player(server, server.user(who), anna.channel)
        _ = await asks(one)
        assert await becomes(server, lambda: server.public(anna.channel), SOON), "a dead link"
        await asyncio.sleep(SOON)
        assert str(anna.public.id) in (await asks(one)).text
        assert len(server.public(anna.channel)) == 1
        assert labels(anna.public)


async def test_message_that_is_there_stays_when_somebody_asks(tmp_path: Path) -> None:
    """Each question costs one edit at most."""
    async with world(tmp_path) as here:
        server = here.server
        anna, *_ = await players(server, "lobby")
        public, before = anna.public, server.statuses[EDITED, 200]
        for _ in range(3):
            assert str(public.id) in (await asks(anna)).text
            await asyncio.sleep(SOON)
        assert anna.public is public
        assert server.statuses[EDITED, 200] - before <= 3


async def test_bot_that_deletes_each_message_is_told_to_who_asks(tmp_path: Path) -> None:
    """After a few the people read why there is no table."""
    async with world(tmp_path) as here:
        server = here.server
        anna, *_ = await players(server, "lobby")
        read: list[str] = []
        for _ in range(6):
            wipe(server, anna)
            read.append((await asks(anna)).text)
            await asyncio.sleep(SOON)
            read.append(anna.panel.text)
        told = ["deleting this table’s messages" in text for text in read]
        assert any(told[::2]), "the command's answer"
        assert any(told[1::2]), "the panel"
        assert not here.tracebacks


async def test_messages_that_are_called_deleted_come_back_when_somebody_asks(
    tmp_path: Path,
) -> None:
    """Discord calls one after the other unknown, though they are there. No more are posted, panels
    say what brings one back, and what they say does.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await players(server, "live")
        server.fault(EDIT, status=404, code=10008)
        told = "Something keeps deleting this table’s messages. /ligretto posts the table again."
        for _ in range(60):
            if told in anna.panel.text:
                break
            _ = await anna.act()
            _ = await ben.act()
            await asyncio.sleep(1)
        assert told in anna.panel.text
        server.faults.clear()
        _ = await asks(anna)
        await asyncio.sleep(SOON)
        assert anna.public.text.splitlines()[1:5] == anna.panel.text.splitlines()[1:5]
        assert told not in anna.panel.text
