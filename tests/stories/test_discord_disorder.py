"""Calls that Discord carries out in another order than they were made, and answers that lie."""

import asyncio
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import pytest
from aiohttp import web

from tests.loopback.players import played_out
from tests.loopback.test_threads import in_thread, started
from tests.stories.discord_world import (
    Player,
    Server,
    all_ready,
    becomes,
    labels,
    seated,
    stand_in,
    world,
)
from tests.stories.test_discord_limits import free, play, pushes
from tests.stories.test_discord_pictures import next_scored, pictures, scored

EDIT = "PATCH .*/channels/[0-9]+/messages/"
PATIENCE = 10.0
"""Seconds after which the bot gives a call up."""
LATE = 25.0
"""Seconds after which Discord carries out a call that was given up."""


class SlowUploads(Server):
    """A Discord on which a call that brings a file may hang. `hung`: how many have."""

    hangs, hung = True, 0

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.hangs and "multipart" in request.headers.get("Content-Type", ""):
            self.hung += 1
            await asyncio.sleep(60)
        return await super()._handle(request)


class WrongDates(Server):
    """A Discord whose next answer to an edit has a Date an hour ahead, if it `is_wrong`."""

    is_wrong = False

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        answer = await super()._handle(request)
        if self.is_wrong and request.method == "PATCH":
            sent = parsedate_to_datetime(answer.headers["Date"]) + timedelta(hours=1)
            answer.headers["Date"], self.is_wrong = format_datetime(sent, usegmt=True), False
        return answer


async def test_words_of_a_score_wait_for_no_upload_that_hangs(tmp_path: Path) -> None:
    server = stand_in(SlowUploads)
    async with world(tmp_path, server):
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 2)
        await all_ready(players)
        await asyncio.gather(*(played_out(player, 0.5) for player in players))
        shown = await becomes(server, lambda: " to go" in players[0].public.text, 3 + 5)
        assert server.hung
        assert shown, "after the upload is given up, and the 5 s of the channel's own limit"


async def test_nothing_waits_for_a_picture_of_its_own_that_hangs(tmp_path: Path) -> None:
    """Where edits take no picture. Who is ready is shown meanwhile."""
    server = stand_in(SlowUploads)
    server.settings.edits_show_files = server.hangs = False
    async with world(tmp_path, server):
        anna, ben = players = await scored(server, rounds=3)
        await server.wait_for(lambda: pictures(server), 20)
        server.hangs = True
        await next_scored(players)
        await asyncio.sleep(6)
        assert server.hung
        for player in (anna, ben):
            before = player.public.version
            _ = await player.press_public("Next round")
            assert await becomes(server, lambda at=before: anna.public.version > at, 4)  # type: ignore[misc]
            await asyncio.sleep(3)


@pytest.mark.parametrize("call", ["DELETE .*/channels/", "PATCH .*/messages/{lobby}$"])
async def test_table_waits_for_no_call_beside_it(tmp_path: Path, call: str) -> None:
    """Neither for the old message that is deleted, nor for the lobby's that links to the table."""
    async with world(tmp_path) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        lobby = server.public(server.all_channels[0])[0].id
        hanging = server.fault(call.format(lobby=lobby), latency=60)
        await all_ready(players)
        _ = await players[0].press_public("Move down")
        await asyncio.sleep(2)
        assert hanging.hits
        before = players[0].public.version
        _ = await players[0].press_public("End round")
        assert await becomes(server, lambda: players[0].public.version > before, 4)


async def test_edit_that_lands_late_is_made_good(tmp_path: Path) -> None:
    """An edit hangs and is given up; the next one is taken, and only then the first is carried out.
    The lobby shows somebody less, and nothing tells the bot.
    """
    async with world(tmp_path) as here:
        server = here.server
        anna, ben, carl = (
            Player(server, server.user(name), server.all_channels[0])
            for name in ("anna", "ben", "carl")
        )
        _ = await anna.open()
        await asyncio.sleep(3)
        late = server.fault(EDIT, latency=LATE, outlives=True, times=1)
        _ = await ben.press_public("Join")
        await asyncio.sleep(5)
        _ = await carl.press_public("Join")
        await server.wait_for(lambda: "Carl" in anna.public.text, 20)
        assert late.hits
        assert await becomes(server, lambda: "Carl" not in anna.public.text, LATE), "it landed"
        assert await becomes(server, lambda: "Carl" in anna.public.text, 30)


@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_edit_that_lands_late_hides_no_link(tmp_path: Path, place: str) -> None:
    """The lobby's message has become a link to the match, or to the table's thread, meanwhile."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = (
            Player(server, server.user(name), server.all_channels[0]) for name in ("anna", "ben")
        )
        _ = await anna.open()
        await asyncio.sleep(3)
        lobby = anna.public
        late = server.fault(EDIT, latency=LATE, outlives=True, times=1)
        _ = await ben.press_public("Join")
        if place == "thread":
            await anna.set_option("place", "thread")
        else:
            _ = await anna.press_public("Start")
        await server.wait_for(lambda: "Join" not in labels(lobby), 20)
        assert late.hits
        assert await becomes(server, lambda: "Join" in labels(lobby), LATE), "it landed"
        assert await becomes(server, lambda: "Join" not in labels(lobby), 30)


async def test_push_that_lands_late_is_made_good(tmp_path: Path) -> None:
    """The same with a panel: the round is over, and her cards of before come back."""
    async with world(tmp_path) as here:
        await free(here)
        server = here.server
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        await play(players, 3)
        push = f"PATCH .*/webhooks/.*/messages/{anna.panel.id}"
        late = server.fault(push, latency=LATE, outlives=True, times=1)
        for _ in range(2):
            _ = await ben.act()
            await asyncio.sleep(1)
        for player in players:
            _ = await player.press_public("End round")
        await server.wait_for(lambda: "Flip" not in labels(anna.panel), 20)
        assert late.hits
        assert await becomes(server, lambda: "Flip" in labels(anna.panel), LATE), "it landed"
        assert await becomes(server, lambda: "Flip" not in labels(anna.panel), 30)


async def test_answer_that_lands_late_is_made_good(tmp_path: Path) -> None:
    """Discord had it in time, and has carried it out after the round was over."""
    server = stand_in(Server)
    server.settings.ack_deadline = LATE
    async with world(tmp_path, server) as here:
        await free(here)
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        late = server.fault("/callback", latency=LATE / 2, outlives=True, times=1)
        _ = server.click(anna.user, anna.panel, label="Flip")
        await asyncio.sleep(1)
        for player in (ben, anna):
            _ = await player.press_public("End round")
        await server.wait_for(lambda: "Flip" not in labels(anna.panel), 10)
        assert late.hits
        assert await becomes(server, lambda: "Flip" in labels(anna.panel), LATE), "it landed"
        assert await becomes(server, lambda: "Flip" not in labels(anna.panel), 30)


@pytest.mark.parametrize("is_known", [True, False])
async def test_limit_of_a_token_is_waited_out_before_a_deletion(
    tmp_path: Path, *, is_known: bool
) -> None:
    async with world(tmp_path) as here:
        if is_known:
            await free(here)
        server = here.server
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        for player in players:
            _ = await player.press_public("My cards")
        limited = server.fault("DELETE .*/webhooks/", retry_after=30, scope="user")
        await all_ready(players)
        await asyncio.sleep(65)
        assert 2 <= limited.hits <= 12, "each of a few old panels is tried three times"


@pytest.mark.parametrize("code", [10003, 10004])
async def test_channel_that_is_called_unknown_once_keeps_its_table(
    tmp_path: Path, code: int
) -> None:
    """Discord is asked for the channel before a match is ended for good."""
    async with world(tmp_path) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        untrue = server.fault(EDIT, status=404, code=code, times=1)
        await play(players, 10)
        assert untrue.hits
        before = players[0].public.version
        await play(players, 3)
        assert players[0].public.version > before
        assert "End round" in labels(players[0].public)


async def test_single_wrong_date_puts_no_panel_to_sleep(tmp_path: Path) -> None:
    """One machine in front of Discord has a clock that is an hour fast."""
    server = stand_in(WrongDates)
    async with world(tmp_path, server, seed=7) as here:
        await free(here)
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        server.is_wrong = True
        await play(players, 2)
        assert not server.is_wrong
        assert await pushes(server, players, 8) >= 4


@pytest.mark.parametrize("phase", ["lobby", "round"])
@pytest.mark.parametrize("is_told", [True, False])
async def test_quiet_table_of_a_deleted_channel_frees_its_people(
    tmp_path: Path, phase: str, *, is_told: bool
) -> None:
    """Their buttons are gone with the channel, so that nobody presses any. `is_told`: the gateway
    tells of it. Otherwise the next command of somebody who sat there finds out.
    """
    server = Server(channels=2)
    async with world(tmp_path, server):
        channel, other = server.all_channels
        anna = Player(server, server.user("anna"), channel)
        if phase == "lobby":
            _ = await anna.open()
        else:
            await all_ready(await seated(server, channel, ["anna", "ben"], 3))
        await asyncio.sleep(10)
        if is_told:
            server.delete_channel(channel)
        else:
            channel.deleted = True
            _ = await server.slash(anna.user, other, "ligretto").wait()
        await asyncio.sleep(2)
        answer = await server.slash(anna.user, other, "ligretto").wait()
        assert answer.original is not None
        assert "another table" not in answer.original.text


async def test_quiet_table_of_a_deleted_thread_frees_its_people(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server = here.server
        players = await in_thread(server, "anna", "ben")
        await started(players)
        await asyncio.sleep(10)
        server.delete_channel(players[0].channel)
        await asyncio.sleep(2)
        answer = await server.slash(players[0].user, server.all_channels[0], "ligretto").wait()
        assert answer.original is not None
        assert "another table" not in answer.original.text


@pytest.mark.parametrize("code", [10008, 10015, 50027])
async def test_panel_that_is_called_unknown_once_stays_live(tmp_path: Path, code: int) -> None:
    async with world(tmp_path, seed=7) as here:
        await free(here)
        server = here.server
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        push = f"PATCH .*/webhooks/.*/messages/{anna.panel.id}"
        untrue = server.fault(push, status=404, code=code, times=1)
        await play([ben], 8)
        assert untrue.hits
        for player in players:
            _ = await player.press_public("End round")
        assert await becomes(server, lambda: "Next round" in labels(anna.panel), 5)
