"""What a screen knows of the time is all that its table knows."""

from dataclasses import fields, replace

import pytest

from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.decisions.presence import Presence
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.epoch import Epoch
from bot.tables.state.notices import Notices
from bot.text import Text
from tests.tables.clock import HandClock
from tests.tables.table import race
from tests.tables.table import table as table_of

OWN = {"lived", "born", "champions"}
"""What the screen knows by itself."""


async def test_nothing_of_a_tables_presence_is_lost_on_its_screens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(race())
    there = Presence(
        5_000,
        count=3,
        absent=(UserId(1),),
        quiet=True,
        notices=Notices(restarting=True),
        host_away=True,
        forgotten=True,
        slow=True,
        bests={Seat(0): 7},
        broken={Seat(1): Text("x")},
    )
    plain = Presence(0)
    kept = [one.name for one in fields(Presence) if one.name not in OWN]
    assert all(getattr(there, one) != getattr(plain, one) for one in kept), "each one is told apart"
    monkeypatch.setattr(table, "presence", lambda: there)
    epoch = Epoch(table, DiscordTime(HandClock()))
    shown = epoch.presence((UserId(9),))
    assert replace(shown, lived=5_000, born=0.0, champions=()) == there
    assert shown.champions == (UserId(9),)
