"""The test of Discord from `/settings`, where its private messages or presses are in trouble."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import COMPONENT, becomes, send, spaced, world
from tests.stories.test_live_check import (
    A_MINUTE_AND_MORE,
    begun,
    is_over,
    manager,
    pressed,
    question,
    rows,
    settings,
)
from tests.stories.test_live_trouble import LONG, POST, report

# -- one message in trouble -------------------------------------------------------------------


def taken(said: str) -> int:
    """Return the number of edits that a report names."""
    return int(spaced(said).split("60 s: **")[1].split("*", maxsplit=1)[0])


ON_ONE: list[tuple[dict[str, Any], int, bool]] = [
    ({"status": 404, "code": 10008}, 38, True),
    ({"status": 401, "code": 50027}, 38, True),
    ({"status": 502, "times": 1}, 38, True),
    ({"status": 502}, 36, False),
    ({"drop": True, "times": 1}, 40, False),  # it is sent again at once
    ({"drop": True, "times": 2}, 38, True),
    ({"hold": True, "times": 1}, 31, True),
    ({"status": 429, "body": "<html>", "times": 1}, 38, False),
]
"""Faults of one message's edits, the least edits that are made all the same, and whether just one
edit has failed in the end.
"""


@pytest.mark.parametrize(("fault", "least", "is_one"), ON_ONE, ids=str)
async def test_trouble_on_one_message_ends_no_edits_of_the_other(
    tmp_path: Path, fault: dict[str, Any], least: int, *, is_one: bool
) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        first, second = await begun(here, manager(server, "ben"), owner)
        how = fault | ({"hold": asyncio.Event()} if "hold" in fault else {})
        spoiled = server.fault(f"PATCH .*/messages/{first.id}", **how)
        assert await becomes(server, lambda: is_over(second), A_MINUTE_AND_MORE)
        assert spoiled.hits
        assert "ended early" not in second.text
        assert taken(second.text) >= least
        assert ("Failed edits: 1." in second.text) is is_one
        await asyncio.sleep(1)
        assert rows(here, "SELECT * FROM paces WHERE NOT is_limited")
        assert not here.tracebacks


async def test_edits_end_early_when_no_message_is_left(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        first, second = await begun(here, manager(server, "ben"), owner)
        _ = server.fault("PATCH .*/messages/", status=404, code=10008, times=2)
        assert await becomes(server, lambda: is_over(first) and is_over(second), 30)
        assert "The edits ended early (404/10008)." in first.text


async def test_edits_without_any_answer_are_told_as_such(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        first, _ = await begun(here, owner, owner)
        _ = server.fault("PATCH .*/webhooks/", status=502, times=40)
        assert await becomes(server, lambda: is_over(first), A_MINUTE_AND_MORE)
        assert "Failed edits: 40. The last one: 502/0" in first.text
        assert "No rate limit was reached" not in first.text


async def test_test_ends_in_minutes_whatever_is_refused(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        _ = await begun(here, manager(server, "ben"), owner)
        _ = server.fault("PATCH .*/webhooks/", retry_after=1.0, scope="global")
        await asyncio.sleep(300)
        server.faults.clear()
        again = await pressed(server, owner, await settings(server, owner, channel))
        assert again.original is not None
        assert "once more" in again.original.text


async def test_limit_without_a_time_is_told_as_such(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault(POST, status=429, body="<html>")
        said = await report(here)
        assert "⏳ Post: Discord asks for a pause, but doesn’t say how long" in said


# -- presses in trouble -----------------------------------------------------------------------


@pytest.mark.parametrize("presses", [1, 2])
async def test_kill_just_after_a_press_is_told_at_the_next_start(
    tmp_path: Path, presses: int
) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panels = []
        for _ in range(presses):
            answer = await pressed(server, owner, await settings(server, owner, channel))
            assert answer.original is not None
            panels.append(answer.original)
        await asyncio.sleep(0.05)
        here.bot.kill()
        here.bot.start()
        await server.wait_ready()
        assert await becomes(server, lambda: all("Interrupted" in p.text for p in panels), LONG)
        await asyncio.sleep(1)
        assert rows(here, "SELECT value FROM notes WHERE key = 'live check panels'") == [("[]",)]


@pytest.mark.parametrize("fault", [{"latency": 2.9}, {"drop": True, "when": "after"}], ids=str)
async def test_report_comes_although_the_second_answer_was_lost(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        ben = manager(server, "ben")
        _ = await pressed(server, ben, await settings(server, ben, channel))
        panel = await settings(server, owner, channel)
        _ = server.fault("POST .*/callback", times=1, **fault)
        second = await pressed(server, owner, panel)
        shown = second.original
        assert shown is not None
        assert await becomes(server, lambda: is_over(shown), A_MINUTE_AND_MORE)
        assert taken(shown.text) >= 38


@pytest.mark.parametrize("fault", [{"latency": 2.9}, {"drop": True, "when": "after"}], ids=str)
async def test_first_press_whose_answer_was_lost_is_told(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        panel = await settings(server, owner, channel)
        _ = server.fault("POST .*/callback", times=1, **fault)
        first = await pressed(server, owner, panel)
        shown = first.original
        assert shown is not None
        assert await becomes(server, lambda: "no longer counts" in shown.text, LONG)


async def test_press_in_another_channel_tells_the_first(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        server, owner, (channel, *_) = here.server, here.server.owner, here.server.all_channels
        assert channel.guild is not None
        ben, other = manager(server, "ben"), server.add_channel(channel.guild, "other")
        first = await pressed(server, ben, await settings(server, ben, channel))
        second = await pressed(server, owner, await settings(server, owner, other))
        assert first.original is not None
        assert second.original is not None
        shown = first.original
        assert await becomes(server, lambda: "no longer counts" in shown.text, LONG)
        assert "once more" in second.original.text


@pytest.mark.parametrize("words", ["still", "moves"])
async def test_no_answer_teaches_after_the_test(tmp_path: Path, words: str) -> None:
    async with world(tmp_path) as here:
        server, owner = here.server, here.server.owner
        first, _ = await begun(here, owner, owner)
        if words == "still":
            place = first.channel
            await server.wait_for(lambda: "It moves" in str(server.panels(owner, place)))
            _ = await server.click(owner, question(server, owner), label="It moves").wait()
        await server.wait_for(lambda: is_over(first), A_MINUTE_AND_MORE)
        await asyncio.sleep(1)
        before = rows(here, "SELECT * FROM learned ORDER BY lesson")
        data = {"custom_id": f"lr1:live:{words}", "component_type": 2, "id": 1}
        planted = await send(server, owner, first, COMPONENT, data).wait()
        assert planted.original is not None
        assert "The test is over" in planted.original.text
        await asyncio.sleep(1)
        assert rows(here, "SELECT * FROM learned ORDER BY lesson") == before
