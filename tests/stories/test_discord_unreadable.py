"""Answers of Discord that nobody can read: a success with a body that isn't what was asked for."""

import asyncio
import logging
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bot.art.faces import faces
from tests.stories.discord_world import (
    Player,
    Server,
    World,
    all_ready,
    becomes,
    labels,
    seated,
    world,
)

EDIT = "PATCH .*/channels/[0-9]+/messages/"
POST = "POST .*/channels/[0-9]+/messages$"
PUSH = "PATCH .*/webhooks/"
CALLBACK = "/callback$"
PORTAL = "<html>Welcome to this network</html>"
FACES = 3
"""The emojis of a bot, to be quick."""
BODIES: dict[str, dict[str, Any]] = {
    "nothing": {"status": 204, "body": ""},
    "HTML": {"status": 200, "body": PORTAL},
    "no fields": {"status": 200, "body": {}},
    "a list": {"status": 200, "body": []},
    "an id alone": {"status": 200, "body": {"id": "1"}},
    "no id": {"status": 200, "body": {"id": None}},
}
"""What stands where a message should."""
bodies = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
"""A test runs with each."""


async def dealt(server: Server) -> tuple[Player, Player]:
    """Anna and Ben in a live round."""
    anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
    await all_ready([anna, ben])
    return anna, ben


async def play(players: tuple[Player, Player], seconds: float) -> None:
    for _ in range(int(seconds)):
        for player in players:
            _ = await player.act()
        await asyncio.sleep(1)


def complaints(here: World) -> list[str]:
    return [line.text for line in here.log.lines if line.level >= logging.ERROR or line.trace]


@bodies
async def test_unreadable_edits_end_no_match(tmp_path: Path, body: dict[str, Any]) -> None:
    """They are made again until one can be read, with pauses that grow after a minute."""
    async with world(tmp_path, seed=7) as here:
        players = await dealt(here.server)
        fault = here.server.fault(EDIT, when="after", **body)
        await play(players, 5)
        await asyncio.sleep(560)  # nobody is away for ten minutes
        assert 12 < fault.hits < 30, "tried without a pause, or no more"
        assert not complaints(here)
        here.server.faults.clear()
        await play(players, 3)
        assert "closed" not in players[0].panel.text
        await asyncio.sleep(65)
        assert not complaints(here)


@pytest.mark.parametrize("when", ["before", "after"])
@bodies
async def test_unreadable_posting_makes_one_message(
    tmp_path: Path, body: dict[str, Any], when: str
) -> None:
    """The nonce finds the message of Start that was posted, whatever its answer said."""
    async with world(tmp_path, seed=7) as here:
        server, channel = here.server, here.server.all_channels[0]
        anna, ben = (Player(server, server.user(name), channel) for name in ("anna", "ben"))
        _ = await anna.open()
        _ = await ben.press_public("Join")
        _ = server.fault(POST, when=when, times=2, **body)
        _ = await anna.press_public("Start")
        assert await becomes(server, lambda: len(server.public(channel)) == 2, 30)
        await asyncio.sleep(30)
        await all_ready([anna, ben])
        assert len(server.public(channel)) == 2, "the lobby's message and one more"
        assert not complaints(here)


@bodies
async def test_unreadable_push_is_made_again(tmp_path: Path, body: dict[str, Any]) -> None:
    """A panel isn't taken for shown because something in front of Discord said yes."""
    async with world(tmp_path, seed=7) as here:
        anna, ben = await dealt(here.server)
        await asyncio.sleep(5)
        before, fault = anna.panel.version, here.server.fault(PUSH, times=2, **body)
        _ = await ben.act()
        assert await becomes(here.server, lambda: fault.hits == 2, 60)
        assert await becomes(here.server, lambda: anna.panel.version > before, 60)
        assert not complaints(here)


async def test_answer_that_a_portal_takes_is_pushed(tmp_path: Path) -> None:
    """A press whose answer never reached Discord counts, and its panel shows it soon."""
    async with world(tmp_path, seed=7) as here:
        anna, _ = await dealt(here.server)
        await asyncio.sleep(5)
        before = anna.panel.version
        fault = here.server.fault(CALLBACK, status=200, body=PORTAL, times=1)
        _ = await anna.act()
        assert fault.hits == 1
        assert await becomes(here.server, lambda: anna.panel.version > before, 10)
        assert not complaints(here)


async def test_match_goes_on_after_a_portal(tmp_path: Path) -> None:
    """Everything is answered by a network's own page for a while."""
    async with world(tmp_path, seed=7) as here:
        players = await dealt(here.server)
        portal = here.server.fault("(PATCH|POST|GET|DELETE|PUT) ", status=200, body=PORTAL)
        for _ in range(30):
            for player in players:
                _ = await player.act()
            await asyncio.sleep(1)
        assert portal.hits
        here.server.faults.clear()
        await asyncio.sleep(65)
        answer = await players[0].act()
        assert answer is not None
        assert answer.ok
        assert "Flip" in labels(players[0].panel)
        assert not complaints(here)


@bodies
async def test_lobby_whose_answer_cannot_be_read_is_found(
    tmp_path: Path, body: dict[str, Any]
) -> None:
    async with world(tmp_path, seed=7) as here:
        server, channel = here.server, here.server.all_channels[0]
        _ = server.fault(CALLBACK, when="after", times=1, **body)
        _ = server.fault("GET .*/messages/@original", times=1, **body)
        anna = Player(server, server.user("anna"), channel)
        _ = server.slash(anna.user, channel, "ligretto")
        assert await becomes(server, lambda: server.public(channel), 10)
        await asyncio.sleep(30)
        _ = await anna.press_public("Add robot")
        assert await becomes(server, lambda: "Robot 1" in anna.public.text, 30)
        assert len(server.public(channel)) == 1
        assert not complaints(here)


@pytest.mark.parametrize("route", ["GET .*/channels/[0-9]+$", "POST .*/threads$"])
@bodies
async def test_thread_that_cannot_be_read_is_opened(
    tmp_path: Path, body: dict[str, Any], route: str
) -> None:
    """What was opened is found again."""
    async with world(tmp_path, seed=7) as here:
        server, channel = here.server, here.server.all_channels[0]
        fault = server.fault(route, when="after", times=2, **body)
        anna = Player(server, server.user("anna"), channel)
        _ = await anna.open()
        await anna.set_option("place", "thread")
        assert await becomes(server, lambda: fault.hits == 2, 60)
        await asyncio.sleep(60)
        (thread,) = [one for one in server.channels.values() if one.thread]
        assert server.public(thread)
        assert not complaints(here)


@bodies
async def test_emojis_that_cannot_be_read_are_a_line(tmp_path: Path, body: dict[str, Any]) -> None:
    async with world(tmp_path, seed=7) as here:
        assert await here.bot.stop() is None
        here.server.settings.most_emojis = FACES
        here.bot.drawings = lambda: dict(islice(faces().items(), FACES))
        fault = here.server.fault("(GET|POST) .*/emojis$", when="after", times=4, **body)
        here.bot.start()
        await here.server.wait_ready(60, commands=True)
        assert await becomes(here.server, lambda: fault.hits == 4, 7200)
        assert await becomes(here.server, lambda: len(here.server.emojis) == FACES, 1300)
        assert not complaints(here)
