"""Rate limits on panels: they should be learned, not assumed."""

import asyncio
from pathlib import Path

import pytest

from bot.fakediscord.rate_limits import without_an_end
from tests.stories.discord_world import (
    Player,
    Server,
    becomes,
    labels,
    seated,
    stand_in,
    world,
)

NAMES = [f"player{number}" for number in range(12)]
PUSH = "PATCH .*/webhooks/"
PUSHED = ("PATCH /webhooks/#/*/messages/#", 200)


async def ready(players: list[Player]) -> None:
    for player in players:
        _ = await player.press("Ready")


def are_dealt(players: list[Player]) -> bool:
    return all("Flip" in labels(player.panel) for player in players)


def limited() -> Server:
    """A Discord on which a channel takes 30 webhook calls a minute."""
    server = stand_in(Server)
    server.settings.webhook_calls = 30
    return server


@pytest.mark.parametrize(("people", "within"), [(8, 10.0), (12, 15.0)])
async def test_full_table_is_dealt_where_a_channel_is_limited(
    tmp_path: Path, people: int, within: float
) -> None:
    """Today: the calls are spent on panels before the deal, so most players do not see their
    cards for up to a minute. Everybody should see them within 10 s of the last Ready, 12 people
    within 15 s.
    """
    server = limited()
    async with world(tmp_path, server):
        players = await seated(server, server.all_channels[0], NAMES[:people], 3)
        await ready(players)
        await becomes(server, lambda: are_dealt(players), within)
        waiting = [player.user.name for player in players if "Flip" not in labels(player.panel)]
        assert not waiting, f"they see no cards {within:.0f} s after the last Ready"


async def test_limit_of_a_channels_panels_slows_pushes(tmp_path: Path) -> None:
    """Today: pushes go on as before when Discord refuses some for the whole channel. Each refusal
    should halve their pace, for a minute at least.
    """
    async with world(tmp_path) as here:
        server = here.server
        players = await seated(server, server.all_channels[0], NAMES[:8], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)
        before = await pushes(server, players, 8)
        for _ in range(3):
            fault = server.fault(PUSH, retry_after=0.5, scope="shared", times=1)
            await pushes(server, players, 2)
            assert fault.hits
        after = await pushes(server, players, 8)
        assert after < 0.75 * before, "the channel's limit slowed nothing down"


async def test_headers_without_an_end_stop_no_table(tmp_path: Path) -> None:
    """Today: discord.py raises for the answer to an edit that Discord has carried out, so the same
    edit is made three times and the table is given up. It should be taken for done.
    """
    async with world(tmp_path) as here:
        server = here.server
        server.limiter.tell = without_an_end
        players = await seated(server, server.all_channels[0], NAMES[:2], 3)
        await ready(players)
        assert await becomes(server, lambda: are_dealt(players), 20)


async def pushes(server: Server, players: list[Player], seconds: int) -> int:
    """Let everybody make a move a second. How many panels were pushed meanwhile."""
    begun = server.statuses[PUSHED]
    for _ in range(seconds):
        for player in players:
            _ = await player.act()
        await asyncio.sleep(1)
    return server.statuses[PUSHED] - begun
