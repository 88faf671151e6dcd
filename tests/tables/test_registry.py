"""The registry: one table a channel, one seat a person a server, and what a forged press meets."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions.decide import Done, move_to_channel
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.resume import Stored
from bot.tables.registry.unreadable import known_session
from bot.tables.running.attendance import Attendance
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.journal import JournalLine, TableId
from bot.tables.state.options import defaults
from bot.tables.state.session import Phase, Session
from bot.text import Text
from tests.games.changed import changed
from tests.tables.registry import MemoryJournal, Server, why
from tests.tables.unowned import new_tables


@pytest.fixture
def server() -> Server:
    return Server()


async def test_two_commands_at_once_open_one_table(server: Server) -> None:
    first, second = await asyncio.gather(server.open(UserId(1)), server.open(UserId(2)))
    assert isinstance(first.decision, Done)
    assert why(second) is PressRefusal.TABLE_HERE
    assert second.table is first.table


async def test_robots_sit_at_a_table_from_its_opening(server: Server) -> None:
    asked = server.opened(UserId(1))
    table = (await server.tables.open(asked, server.press_of(UserId(1)), robots=2)).table
    assert table is not None
    assert [chair.human for chair in table.session.chairs] == [True, False, False]
    assert len({chair.name for chair in table.session.chairs}) == 3


async def test_a_person_is_seated_once_in_a_server(server: Server) -> None:
    """Also when both Joins are pressed at the same instant."""
    await server.open(UserId(1), channel=ChannelId(2))
    await server.open(UserId(2), channel=ChannelId(3))
    both = await asyncio.gather(
        server.press(UserId(9), "join", table=1), server.press(UserId(9), "join", table=2)
    )
    assert [why(outcome) for outcome in both] == [None, PressRefusal.SEATED_ELSEWHERE]
    assert why(await server.open(UserId(9), channel=ChannelId(4))) is PressRefusal.SEATED_ELSEWHERE
    assert why(await server.open(UserId(9), channel=ChannelId(5), guild=GuildId(7))) is None, (
        "another server is another night"
    )
    await server.press(UserId(9), "leave", table=1)
    assert why(await server.press(UserId(9), "join", table=2)) is None
    assert not server.tables.index._arrived, "no turn is waited for any longer"


async def test_a_failed_join_keeps_nobody_from_sitting_elsewhere(server: Server) -> None:
    await server.open(UserId(1), channel=ChannelId(2))
    for user in map(UserId, range(10, 21)):
        await server.press(user, "join", table=1)
    assert why(await server.press(UserId(30), "join", table=1)) is TableRefusal.FULL
    await server.open(UserId(2), channel=ChannelId(3))
    assert why(await server.press(UserId(30), "join", table=2)) is None


async def test_a_press_is_counted_once_and_while_it_is_fresh(server: Server) -> None:
    await server.open(UserId(1))
    press = server.press_of(UserId(2))
    await server.tables.press(TableId(1), 0, action("join"), press)
    again = await server.tables.press(TableId(1), 0, action("leave"), press)
    assert why(again) is Stale.SEEN
    wall = server.clock.wall()
    old = Press(99_999, UserId(3), "late", wall - 3, server.clock.now())
    assert why(await server.tables.press(TableId(1), 0, action("join"), old)) is Stale.TOO_OLD
    table = server.tables.index.get(TableId(1))
    assert table is not None
    assert [chair.user for chair in table.session.chairs] == [1, 2]


@pytest.mark.parametrize(
    ("user", "word", "table", "round_", "expected"),
    [
        (1, "join", 77, 0, PressRefusal.NO_TABLE),
        (1, "castle", 1, 0, PressRefusal.UNKNOWN),
        (1, "flip:0", 1, 3, PressRefusal.OLD_PANEL),
        (1, "end.yes", 1, 3, PressRefusal.THAT_ROUND),
        (9, "flip:0", 1, 0, TableRefusal.JOIN_FIRST),
        (9, "castle", 1, 0, TableRefusal.JOIN_FIRST),
        (9, "leave", 1, 0, TableRefusal.JOIN_FIRST),
        (9, "rematch", 1, 0, TableRefusal.STRANGER),
        (1, "rematch", 1, 0, TableRefusal.NOT_OVER),
        (1, "flip:0", 1, 0, TableRefusal.NOT_LIVE),
        (1, "start", 1, 0, TableRefusal.TOO_FEW),
        (1, "remove", 1, 0, TableRefusal.NO_ROBOT),
        (1, "set.rounds=0", 1, 0, TableRefusal.BAD_OPTION),
        (1, "set.rounds=21", 1, 0, TableRefusal.BAD_OPTION),
        (1, "set.castle=1", 1, 0, TableRefusal.BAD_OPTION),
        (2, "set.rounds=5", 1, 0, TableRefusal.HOST_ONLY),
        (2, "set.dice.0=child", 1, 0, TableRefusal.HOST_ONLY),
        (2, "start", 1, 0, TableRefusal.HOST_ONLY),
        (2, "add", 1, 0, TableRefusal.HOST_ONLY),
        (1, "ready", 1, 0, TableRefusal.START_FIRST),
    ],
)
async def test_what_is_refused_before_its_turn(
    server: Server, user: UserId, word: str, table: int, round_: int, expected: object
) -> None:
    await server.open(UserId(1))
    if user == 2:
        await server.press(UserId(2), "join")
    before = [chair.user for chair in server.tables.index.get(TableId(1)).session.chairs]  # type: ignore[union-attr]
    lines = len(server.journal.lines)
    assert why(await server.press(user, word, table, round_)) is expected
    after = server.tables.index.get(TableId(1))
    assert after is not None
    assert [chair.user for chair in after.session.chairs] == before
    assert len(server.journal.lines) == lines


@pytest.mark.parametrize("round_", [0, 1])
async def test_ready_counts_once_even_on_an_older_panel(server: Server, round_: int) -> None:
    await server.live(UserId(1), UserId(2))
    again = await server.press(UserId(1), "ready", round_=round_)
    assert why(again) is TableRefusal.READY_ALREADY


async def test_rounds_and_a_points_target_exclude_each_other(server: Server) -> None:
    outcome = await server.open(UserId(1))
    assert outcome.table is not None
    await server.press(UserId(1), "set.target=99")
    assert outcome.table.session.options["target"] == "99"
    await server.press(UserId(1), "set.rounds=5")
    options = outcome.table.session.options
    assert (options["rounds"], options["target"]) == ("5", "off")


async def test_a_table_that_comes_back_from_its_thread_takes_nobodys_place(server: Server) -> None:
    """Its thread was locked, and in the channel another table is in play by now."""
    first = (await server.open(UserId(1))).table
    assert first is not None
    await first.do(partial(move_to_channel, channel=ChannelId(99), parent=ChannelId(2)))
    second = (await server.open(UserId(3))).table
    assert second is not None
    await first.do(partial(move_to_channel, channel=ChannelId(2), parent=None))
    index = server.tables.index
    assert index.at(ChannelId(99)) is None
    assert index.at(ChannelId(2)) is second
    assert why(await server.open(UserId(5))) is PressRefusal.TABLE_HERE
    await server.tables.close(first, "table.closed.over")
    await first.do(partial(move_to_channel, channel=ChannelId(77), parent=None))
    assert first.session.channel == 2, "a closed table goes nowhere any more"
    assert index.at(ChannelId(2)) is second
    assert index.at(ChannelId(77)) is None


async def test_when_one_of_two_tables_in_a_channel_closes_the_other_is_the_channels(
    server: Server,
) -> None:
    first = (await server.open(UserId(1))).table
    assert first is not None
    await first.do(partial(move_to_channel, channel=ChannelId(99), parent=ChannelId(2)))
    second = (await server.open(UserId(3))).table
    assert second is not None
    await first.do(partial(move_to_channel, channel=ChannelId(2), parent=None))
    await server.tables.close(second, "table.closed.over")
    assert server.tables.index.at(ChannelId(2)) is first


async def test_of_two_tables_in_a_channel_the_one_in_play_is_the_channels(server: Server) -> None:
    first = await server.live(UserId(1), UserId(2))
    other = (await server.open(UserId(3), channel=ChannelId(3))).table
    assert other is not None
    await other.do(partial(move_to_channel, channel=ChannelId(2), parent=None))
    assert server.tables.index.at(ChannelId(2)) is first
    await server.press(UserId(1), "leave.yes")
    assert first.session.phase is Phase.OVER
    assert server.tables.index.at(ChannelId(2)) is other


async def test_a_table_hears_of_best_rounds_and_of_broken_records(server: Server) -> None:
    """Either of them may be all there is."""
    table = await server.live(UserId(1), UserId(2))
    broken = {Seat(0): Text("highlight.points", (("value", 40),))}
    table.tell_records({}, broken)
    assert (table.presence().bests, table.presence().broken) == ({}, broken)
    table.tell_records({Seat(1): 9}, {})
    assert (table.presence().bests, table.presence().broken) == ({Seat(1): 9}, {})


async def test_who_asks_second_for_a_rematch_joins_the_first(server: Server) -> None:
    table = await server.live(UserId(1), UserId(2))
    await server.press(UserId(1), "leave.yes")
    assert table.session.phase is Phase.OVER
    first, second = await asyncio.gather(
        server.press(UserId(2), "rematch", round_=0), server.press(UserId(2), "rematch", round_=0)
    )
    assert first.table is not table
    assert second.table is first.table
    assert first.table is not None
    assert [chair.user for chair in first.table.session.chairs] == [2]


async def test_tables_come_back_with_everybody_in_their_seats(server: Server) -> None:
    await server.open(UserId(1), channel=ChannelId(2))
    await server.press(UserId(2), "join")
    await server.open(UserId(3), channel=ChannelId(3))
    again = new_tables(server.journal, server.clock)
    await again.resume(server.journal.stored(), next_id=3)
    back = again.index.at(ChannelId(2))
    assert back is not None
    assert [chair.user for chair in back.session.chairs] == [1, 2]
    assert again.index.elsewhere(GuildId(1), UserId(3)) is again.index.at(ChannelId(3))


async def test_a_table_that_cannot_be_read_is_closed_and_spoils_no_other(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    await server.open(UserId(1), channel=ChannelId(2))
    await server.open(UserId(2), channel=ChannelId(3))
    broken, fine = server.journal.stored()
    line = JournalLine(broken.id, 2, broken.lines[0].at, e.Moved(0, "r5"))
    again = new_tables(server.journal, server.clock)
    await again.resume([Stored(broken.id, [*broken.lines, line]), fine], next_id=3)
    assert again.index.at(ChannelId(2)) is None
    assert again.index.at(ChannelId(3)) is not None
    assert server.journal.lines[-1].entry == e.Closed("table.closed.broken")
    assert "table 1" in caplog.text


async def test_a_person_who_was_refused_keeps_the_reason() -> None:
    """An outcome says in words what became of a press."""
    refused = Outcome(None, Refused(PressRefusal.NO_TABLE))
    assert refused.said.key == PressRefusal.NO_TABLE
    assert Outcome(None, Done((), refused.said)).refused is None


async def test_a_table_that_breaks_while_it_is_resumed_frees_its_people(server: Server) -> None:
    """The journal can be read but not written: the next start of the bot does not fail for it."""
    await server.live(UserId(1), UserId(3))
    again = Server()
    again.journal = ReadOnly(server.journal.lines)
    again.tables = new_tables(again.journal, again.clock)
    await again.tables.resume(server.journal.stored(), next_id=2)
    assert list(again.tables.index) == []
    again.tables = new_tables(server.journal, again.clock)
    await again.tables.resume(server.journal.stored(), next_id=2)
    assert again.table.session.seat_of(UserId(1)) == 0


async def test_a_table_that_can_not_be_resumed_is_closed_in_words(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message is drawn from what is returned."""
    await server.live(UserId(1), UserId(3))
    monkeypatch.setitem(GAMES, "ligretto", changed(GAMES["ligretto"], deal=broken))
    (closed,) = await Server().tables.resume(server.journal.stored(), next_id=2)
    assert closed.session.closed == "table.closed.broken"
    assert closed.session.channel == server.table.session.channel


def broken(*_: object) -> None:
    raise ValueError("no cards")


class ReadOnly(MemoryJournal):
    def __init__(self, lines: Sequence[JournalLine]) -> None:
        super().__init__()
        self.lines = list(lines)

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        raise OSError("the disk is full")


@pytest.mark.parametrize("changed", [{"rules_version": 0}, {"game": "chess"}], ids=str)
async def test_a_table_of_other_rules_is_closed_and_frees_its_people(
    server: Server, changed: dict[str, Any]
) -> None:
    await server.open(UserId(1), channel=ChannelId(2))
    (stored,) = server.journal.stored()
    first, *others = stored.lines
    assert isinstance(first.entry, e.Opened)
    older = replace(first, entry=replace(first.entry, **changed))
    again = new_tables(server.journal, server.clock)
    await again.resume([Stored(stored.id, [older, *others])], next_id=2)
    assert again.index.at(ChannelId(2)) is None
    assert again.index.elsewhere(GuildId(1), UserId(1)) is None
    closed = server.journal.lines[-1]
    assert closed.entry == e.Closed(PressRefusal.OTHER_VERSION)
    assert closed.seq == stored.lines[-1].seq + 1


async def test_an_unreadable_table_is_drawn_as_of_its_last_line(server: Server) -> None:
    table = (await server.open(UserId(1))).table
    assert table is not None
    await server.clock.advance(60)
    await server.tables.close(table, "table.closed.moderator")
    last = server.journal.lines[-1]
    session = known_session(server.journal.lines)
    assert session is not None
    assert (session.phase, session.channel, session.closed) == (
        Phase.CLOSED,
        ChannelId(2),
        "table.closed.moderator",
    )
    assert (session.at, session.lived) == (last.at, last.lived)


async def test_nothing_is_kept_of_a_table_that_could_not_be_opened(server: Server) -> None:
    tables = new_tables(ReadOnly([]), server.clock)
    opened = e.Opened(
        "ligretto", 1, GuildId(1), ChannelId(2), UserId(7), "en-US", defaults(GAMES["ligretto"])
    )
    with pytest.raises(OSError, match="the disk is full"):
        await tables.open(opened, server.press_of(UserId(7)))
    assert list(tables.index) == []
    assert tables.index.at(ChannelId(2)) is None
    assert tables.index.elsewhere(GuildId(1), UserId(7)) is None
    assert not tables.index._persons


async def test_a_tick_over_a_thousand_rounds_in_which_nothing_is_due_does_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody hears of it, and who has pressed when is not even asked for."""
    playing = (await server.live(UserId(1), UserId(2))).session
    for number in range(2, 1_001):
        opened = await server.open(UserId(number + 1), ChannelId(number + 1), GuildId(number))
        assert opened.table is not None
        opened.table.session = playing
    told, asked = list[Table](), list[Session]()
    server.tables.watchers.append(told.append)

    def idle(_: Attendance, session: Session, __: float) -> dict[UserId, float]:
        asked.append(session)
        return {}

    monkeypatch.setattr(Attendance, "idle_by_user", idle)
    await server.tables.tick()
    assert (told, asked) == ([], [])
