"""A rate limit whose headers or body are not as documented."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.stories.discord_world import ApiError, Fault, Player, becomes, world

SAID = "Discord isn’t updating the table"


@dataclass(eq=False)
class Odd(Fault):
    """A global limit of two seconds whose header or body says something else."""

    told: str | None = "3"
    said: Any = 2.0

    def error(self) -> ApiError | None:
        self.retry_after, self.scope = 2.0, "global"
        refusal = super().error()
        assert refusal is not None
        assert isinstance(refusal.body, dict)
        refusal.body |= {"retry_after": self.said}
        headers = {name: one for name, one in refusal.headers.items() if name != "Retry-After"}
        refusal.headers = headers if self.told is None else headers | {"Retry-After": self.told}
        return refusal


@pytest.mark.parametrize("told", [None, "", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "inf", "-1"])
async def test_odd_retry_after_of_a_global_limit_is_survived(
    tmp_path: Path, told: str | None
) -> None:
    """The header opens the way for everybody else; the pause is that of the body."""
    await drawn_after(tmp_path, Odd("PATCH .*/channels/", times=4, told=told))


@pytest.mark.parametrize("said", [None, "soon", [], -3, 1e30])
async def test_odd_body_of_a_rate_limit_closes_no_table(tmp_path: Path, said: object) -> None:
    """discord.py reads the pause from the body; where it names none, it is our own."""
    await drawn_after(tmp_path, Odd("PATCH .*/channels/", times=4, said=said))


async def drawn_after(folder: Path, limit: Odd) -> None:
    """Play a lobby through a limit: its message shows in the end who has joined."""
    async with world(folder) as here:
        server, channel = here.server, here.server.all_channels[0]
        anna, ben = (Player(server, server.user(name), channel) for name in ("anna", "ben"))
        _ = await anna.open()
        server.faults.append(limit)
        answer = await ben.press_public("Join")
        assert answer.ok
        assert await becomes(server, lambda: "Ben" in anna.public.text, 240)
        assert limit.hits == limit.times
        assert not here.tracebacks


async def test_long_global_limit_stops_no_table_for_more_than_a_minute(tmp_path: Path) -> None:
    """Fifty minutes that one answer names: every table's message goes on after one, and a panel
    says until then why it stands still.
    """
    async with world(tmp_path) as here:
        server, channel = here.server, here.server.all_channels[0]
        anna, ben = (Player(server, server.user(name), channel) for name in ("anna", "ben"))
        assert channel.guild is not None
        other = Player(server, server.user("carl"), server.add_channel(channel.guild, "second"))
        for player in (anna, other):
            _ = await player.open()
        limit = server.fault("PATCH .*/channels/", retry_after=3000.0, scope="global", times=1)
        _ = await ben.press_public("Join")
        assert await becomes(server, lambda: bool(limit.hits), 10)
        assert await becomes(server, lambda: SAID in anna.panel.text, 50)
        _ = await other.press_public("Add robot")
        assert await becomes(server, lambda: "Ben" in anna.public.text, 30)
        assert await becomes(server, lambda: "Robot 1" in other.public.text, 30)
        assert await becomes(server, lambda: SAID not in anna.panel.text, 90)
