"""The test of Discord from `/settings`, and from `check --live`, where Discord is in trouble."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Message
from tests.stories.discord_world import World, becomes, world
from tests.stories.test_live_check import (
    A_MINUTE_AND_MORE,
    begun,
    is_over,
    rows,
    threads,
)

POST = "POST .*/channels/[0-9]+/messages$"


def public(here: World) -> list[Message]:
    return here.server.public(here.server.all_channels[0])


async def report(here: World) -> str:
    """The report of a test that one person starts with two presses."""
    owner = here.server.owner
    first, _ = await begun(here, owner, owner)
    await here.server.wait_for(lambda: is_over(first), 2 * A_MINUTE_AND_MORE)
    return first.text


async def restarted(here: World, after: float = 0.0) -> None:
    await here.bot.stop()
    await asyncio.sleep(after)
    here.server.faults.clear()
    here.bot.start()
    await here.server.wait_ready()


# -- what was posted --------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, None], ids=["one answer", "every answer"])
async def test_lost_posting_is_found_and_deleted(tmp_path: Path, times: int | None) -> None:
    async with world(tmp_path) as here:
        lost = here.server.fault(POST, when="after", hold=asyncio.Event(), times=times)
        said = await report(here)
        assert "⚠️ Post: no answer" in said
        assert lost.hits == (1 if times else 2), "the same nonce is sent once more"
        assert ("Everything was deleted again" in said) == (times == 1)
        assert bool(public(here)) == (times is None)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it stayed"


async def test_lost_posting_is_found_by_its_words_later(tmp_path: Path) -> None:
    """Discord has forgotten its nonce."""
    async with world(tmp_path) as here:
        _ = here.server.fault(POST, when="after", hold=asyncio.Event())
        _ = await report(here)
        assert len(public(here)) == 1
        await restarted(here, after=3600)
        assert await becomes(here.server, lambda: not public(here), 30), "it stayed"


@pytest.mark.parametrize("fault", [{"status": 403, "code": 50013}, {"status": 503}, {"drop": True}])
async def test_refused_deletion_is_told_and_tried_again(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault("DELETE .*/channels/[0-9]+/messages", **fault)
        said = await report(here)
        assert "✅ Delete" not in said
        assert ("❌ Delete" if "status" in fault else "⚠️ Delete") in said
        assert "Everything was deleted again" not in said
        assert "Not everything could be deleted" in said
        assert public(here)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it was forgotten"


async def test_what_stays_at_one_start_is_tried_at_the_next(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        _ = here.server.fault("DELETE .*/channels/", status=503)
        _ = await report(here)
        here.bot.kill()
        here.bot.start()
        await here.server.wait_ready()
        await asyncio.sleep(60)
        assert public(here)
        await restarted(here)
        assert await becomes(here.server, lambda: not public(here), 30), "it was forgotten"


async def test_thread_that_stays_is_told_as_such(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        said = await report(here)
        assert "✅ Delete" in said
        assert "Its thread stays, archived: I may not delete threads." in said
        assert "Not everything" not in said
        assert all(thread.archived for thread in threads(here.server))
        assert rows(here, "SELECT value FROM notes WHERE key = 'live check'") == [("[]",)]
