"""The picture of a score on a table's message, on a Discord that is strict about attachments."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.ui.tables.public_message.picture_message import PAUSE
from tests.loopback.players import played_out
from tests.stories.discord_world import (
    PATIENCE,
    Message,
    Player,
    Server,
    all_ready,
    becomes,
    seated,
    stand_in,
    world,
)

EDITED = "PATCH /channels/#/messages/#"
GALLERY = 12
"""The kind of component that shows a picture."""


def has_picture(message: Message) -> bool:
    return any(item.type == GALLERY for item in message.items)


async def scored(server: Server, rounds: int = 2) -> list[Player]:
    """Two people at a table whose first round of two has just been scored."""
    players = await seated(server, server.all_channels[0], ["anna", "ben"], rounds)
    await all_ready(players)
    await asyncio.gather(*(played_out(player, 0.5) for player in players))
    return players


async def next_scored(players: list[Player]) -> None:
    """The second round is played and scored. Until then the picture of the first stays."""
    server = players[0].server
    before = pictures(server)
    for player in players:
        _ = await player.press_public("Next round")
    await asyncio.sleep(10)
    assert pictures(server) == before, "it stays while the next round is played"
    await asyncio.gather(*(played_out(player, 0.5) for player in players))


def strict() -> Server:
    """A Discord that shows on an edited message only what the edit lists or brings."""
    server = stand_in(Server)
    server.settings.kept_names = False
    return server


def refusing() -> Server:
    """A Discord that also refuses an edit which brings a picture."""
    server = strict()
    server.settings.edits_show_files = False
    return server


def pictures(server: Server) -> list[Message]:
    """The public messages that show a picture, oldest first."""
    return [one for one in server.public(server.all_channels[0]) if has_picture(one)]


async def test_score_keeps_its_picture_at_next_round(tmp_path: Path) -> None:
    """Each edit lists the picture by its id and name."""
    server = strict()
    async with world(tmp_path, server) as here:
        anna, _ = await scored(server)
        assert await becomes(server, lambda: has_picture(anna.public), 10), "no picture at first"
        before, uploads = anna.public.version, len(server.world.blobs)
        _ = await anna.press("Next round")
        await server.wait_for(lambda: anna.public.version > before)
        assert has_picture(anna.public), "the picture went at the first Next round"
        assert len(server.world.blobs) == uploads, "the picture was sent again"
        assert server.statuses[EDITED, 400] == 0
        assert not here.tracebacks


async def test_score_picture_comes_as_a_message_of_its_own(tmp_path: Path) -> None:
    """Once a score; the next score's takes its place, and one refusal teaches it."""
    server = refusing()
    async with world(tmp_path, server) as here:
        anna, _ = players = await scored(server)
        assert await becomes(server, lambda: pictures(server), 20), (
            "no message shows the score's picture"
        )
        assert not has_picture(anna.public)
        assert " to go" in anna.public.text, "the words are on the table's message"
        (first,) = pictures(server)
        await next_scored(players)
        assert await becomes(server, lambda: first.deleted, 20), "the old picture stays"
        assert len(pictures(server)) == 1
        assert server.statuses[EDITED, 400] == 1, "what was learned is tried again"
        assert not here.tracebacks


async def test_what_a_server_takes_is_known_after_a_restart(tmp_path: Path) -> None:
    """Neither the refused edit nor the picture of the same score is sent again."""
    server = refusing()
    async with world(tmp_path, server) as here:
        players = await scored(server)
        await server.wait_for(lambda: pictures(server), 20)
        (first,) = pictures(server)
        await asyncio.sleep(400)  # its nonce finds it no more
        await here.bot.stop()
        here.bot.start()
        await server.wait_ready(PATIENCE, commands=True)
        await asyncio.sleep(30)
        assert pictures(server) == [first], "the same picture was posted again"
        await next_scored(players)
        assert await becomes(server, lambda: first.deleted, 20), "the old picture stays"
        assert len(pictures(server)) == 1
        assert server.statuses[EDITED, 400] == 1, "what was learned was forgotten"


async def test_picture_that_is_due_at_a_stop_comes_after_the_next_start(tmp_path: Path) -> None:
    """The words are told, and that the bot restarts: it ends without a call that can wait."""
    server = refusing()
    async with world(tmp_path, server) as here:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready(players)
        lost = server.fault("POST .*/channels/[0-9]+/messages$", drop=True, times=1)
        await asyncio.gather(*(played_out(player, 0.5) for player in players))
        await server.wait_for(lambda: lost.hits)
        await asyncio.sleep(PAUSE)
        _ = await here.bot.stop()
        assert "restarting" in players[0].public.text
        assert not pictures(server)
        here.bot.start()
        await server.wait_ready(PATIENCE, commands=True)
        assert await becomes(server, lambda: pictures(server), 20)


async def test_picture_whose_posting_was_lost_is_posted_once(tmp_path: Path) -> None:
    server = refusing()
    async with world(tmp_path, server):
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready(players)
        lost = server.fault("POST .*/channels/[0-9]+/messages$", drop=True, when="after", times=1)
        await asyncio.gather(*(played_out(player, 0.5) for player in players))
        await server.wait_for(lambda: lost.hits and pictures(server), 20)
        await asyncio.sleep(30)
        (first,) = pictures(server)
        await next_scored(players)
        assert await becomes(server, lambda: first.deleted, 20), "it was posted and forgotten"
        assert len(pictures(server)) == 1


async def test_picture_that_no_message_may_have_leaves_the_words(tmp_path: Path) -> None:
    """Then nothing is learned: that edits take none isn't the reason."""
    server = refusing()
    async with world(tmp_path, server) as here:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready(players)
        refused = server.fault("POST .*/channels/[0-9]+/messages$", status=400, code=50035)
        await asyncio.gather(*(played_out(player, 0.5) for player in players))
        await asyncio.sleep(60)
        assert " to go" in players[0].public.text
        assert refused.hits == 1
        with closing(sqlite3.connect(here.bot.database)) as db:
            assert db.execute("SELECT count(*) FROM learned").fetchone() == (0,)
