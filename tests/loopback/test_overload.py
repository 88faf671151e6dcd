"""Too much at once: what is too old is dropped, and a moment later everything is as before."""

import re
from pathlib import Path

from bot.fakediscord import Server
from tests.loopback.bots import bot_process
from tests.loopback.flood import flood
from tests.loopback.players import all_ready, seated

CROWD, RATE, SECONDS = 150, 1200, 3.0
ROUND_TRIP = 0.3
"""Seconds. With 150 presses in work it lets fewer than half of the flood through."""
LATER = 10.0
"""Seconds, at the most, from the flood's end until the bot answers as at rest."""


async def test_a_flood_of_presses_is_shed_and_the_game_goes_on(tmp_path: Path) -> None:
    async with (
        Server() as server,
        bot_process(server, tmp_path / "flood.db", rtt=ROUND_TRIP) as bot,
    ):
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        flooded = await flood(server, players, CROWD, RATE, SECONDS)
        assert 0 < flooded.answered < flooded.pressed / 2, "more than could be answered"
        assert flooded.recovered < LATER
        await bot.says("overload:")
        answer = await players[0].act()
        assert answer is not None
        assert answer.ok
        assert "Traceback" not in bot.output
        assert len(bot.output.splitlines()) < 100, "no line a press"
        assert not re.search(r"ERROR", bot.output)
        assert not server.unknown
        assert not server.crashes
