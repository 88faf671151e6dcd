"""What one person or one server can do too much of, and what it costs the others: nothing."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.duel_limits import DUEL_WITHIN, READING_TIME
from bot.tables.presses.lost_races import NOTED
from bot.tables.presses.press import IN_LINE, Press, Stale
from bot.tables.presses.rate_limit import PRESSES, WITHIN
from bot.tables.presses.replay_guard import MOST_REMEMBERED, ReplayGuard
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.opening import MOST_TABLES
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.session import Phase
from tests.tables.registry import Server, why
from tests.tables.table import ANNA, BEN, SlowJournal, race, table

HOST, GUEST = UserId(101), UserId(102)


FORMAT = Path(__file__).parents[2] / "docs" / "format.md"


@pytest.fixture
def server() -> Server:
    return Server()


async def test_a_press_too_many_is_said_and_does_not_count(server: Server) -> None:
    """Its person can go on as soon as the others are two seconds ago."""
    await server.live(HOST, GUEST)
    await server.clock.advance(WITHIN)
    lines = len(server.journal.lines)
    outcomes = [await server.press(HOST, "flip:0", round_=1) for _ in range(PRESSES + 30)]
    assert [why(one) for one in outcomes[PRESSES:]] == [Stale.TOO_MANY] * 30
    assert Stale.TOO_MANY not in map(why, outcomes[:PRESSES])
    assert len(server.journal.lines) == lines + 1, "nothing of it is in the journal"
    assert why(await server.press(GUEST, "flip:0", round_=1)) is None
    await server.clock.advance(WITHIN)
    assert why(await server.press(HOST, "flip:1", round_=1)) is None


async def test_a_server_has_only_so_many_tables(server: Server) -> None:
    """Beyond the limit the command says so; when one has ended there is room again."""
    for number in range(MOST_TABLES):
        assert (
            why(await server.open(UserId(1000 + number), channel=ChannelId(2000 + number))) is None
        )
    refused = await server.open(HOST, channel=ChannelId(3000))
    assert refused.refused == Refused(PressRefusal.MOST_TABLES, (("n", MOST_TABLES),))
    assert why(await server.open(HOST, channel=ChannelId(4000), guild=GuildId(2))) is None, (
        "elsewhere there is room"
    )
    await server.press(UserId(1000), "leave")
    assert why(await server.open(HOST, channel=ChannelId(3000))) is None


async def test_a_rematch_is_a_table_more(server: Server) -> None:
    await server.live(HOST, GUEST)
    await server.press(GUEST, "leave.yes")
    assert server.table.session.phase is Phase.OVER
    for number in range(MOST_TABLES):
        assert (
            why(await server.open(UserId(1000 + number), channel=ChannelId(2000 + number))) is None
        )
    assert why(await server.press(HOST, "rematch")) == PressRefusal.MOST_TABLES


async def test_refusals_fill_no_journal() -> None:
    """So many of one seat in a round are kept for the log, and no more; all are told the same."""
    journal = SlowJournal()
    one = table(race(), journal)
    for number in range(NOTED + 20):
        refused = await one.move(ANNA, "b3", number * 0.5, None)
        assert isinstance(refused, Refused)
        assert refused.why == MoveRefusal.NO_FIT
    assert len(journal.lines) == NOTED
    assert isinstance(await one.move(BEN, "b6", 0.0, None), Refused)
    assert len(journal.lines) == NOTED + 1, "each seat has its own"
    assert not isinstance(await one.move(ANNA, "r2", 0.0, None), Refused)
    assert [line.seq for line in journal.lines] == list(range(10, 10 + NOTED + 2))


async def test_a_press_that_waited_too_long_for_its_turn_is_dropped(server: Server) -> None:
    """The journal holds the table up: who was in line for two seconds gets no answer any more."""
    await server.live(HOST, GUEST)
    held_up = asyncio.Event()
    holding = server.table.turns.take(held_up.wait)
    late = server.tables.press(server.table.id, 1, action("flip:0"), server.press_of(HOST))
    await server.clock.advance(IN_LINE + 0.1)
    held_up.set()
    assert await holding
    assert why(await late) == Stale.TOO_OLD
    assert not any(isinstance(entry, e.Moved) for entry in server.entries)


def test_no_more_interactions_are_remembered_than_there_is_room_for() -> None:
    fresh = ReplayGuard()
    for number in range(MOST_REMEMBERED + 10):
        assert fresh.check(Press(number, HOST, "Anna", 0.0, 0.0)) is None
        assert fresh.remembered <= MOST_REMEMBERED
    last = Press(MOST_REMEMBERED + 9, HOST, "Anna", 0.0, 0.0)
    assert fresh.check(last) == Refused(Stale.SEEN)


@pytest.mark.parametrize(("name", "value"), [("duel", DUEL_WITHIN), ("reading time", READING_TIME)])
def test_what_classifies_a_lost_race_is_what_the_format_says(name: str, value: int) -> None:
    """Whoever checks a log goes by that page."""
    (said,) = re.findall(rf"^\| {name} \| ([0-9,]+) \|", FORMAT.read_text(), re.MULTILINE)
    assert value == int(said.replace(",", ""))
