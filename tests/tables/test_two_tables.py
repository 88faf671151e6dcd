"""Two tables and one person: what was asked for first is decided first, wherever it is decided."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from functools import partial

import pytest

from bot.games.values import Seat
from bot.ids import ChannelId, UserId
from bot.tables.decisions.decide import go_live, move_to_channel
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.decisions.timeouts import IDLE_FOR, OVER_FOR
from bot.tables.presses.press import IN_LINE, Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from tests.tables.registry import Server, why

ANNA, BEN, CEM, DORA, EVA, FAY = map(UserId, range(101, 107))
HERE, THERE = ChannelId(2), ChannelId(3)
"""Channels."""


@pytest.fixture
def server() -> Server:
    return Server()


@asynccontextmanager
async def held_up(server: Server) -> AsyncIterator[None]:
    """The first table's line waits: a disk takes its time."""
    others = asyncio.Event()
    holding = server.table.turns.take(others.wait)
    yield
    others.set()
    await holding


async def over(server: Server) -> None:
    """A match of Anna and Ben that has ended."""
    await server.live(ANNA, BEN, rounds="1")
    for user in (ANNA, BEN):
        await server.press(user, "end", round_=1)
    assert server.table.session.phase is Phase.OVER


def seats_of(server: Server, user: UserId) -> list[TableId]:
    tables = server.tables.index
    return [table.id for table in tables if table.session.seat_of(user) is not None]


async def test_who_leaves_one_table_gets_the_last_seat_of_another(server: Server) -> None:
    """Ben's Join arrives while his Leave is written, and before Eva's Join."""
    await server.open(ANNA)
    await server.press(BEN, "join")
    dice = await server.open(CEM, channel=THERE, game="dice")
    assert dice.table is not None
    for user in (DORA, FAY):
        await server.press(user, "join", table=dice.table.id)
    pressed = [
        server.tables.press(table, 0, action(word), server.press_of(user))
        for table, word, user in (
            (TableId(1), "leave", BEN),
            (dice.table.id, "join", BEN),
            (dice.table.id, "join", EVA),
        )
    ]
    assert [why(await one) for one in pressed] == [None, None, TableRefusal.FULL]


async def test_a_command_comes_after_the_leave_that_empties_the_channel(server: Server) -> None:
    await server.open(ANNA)
    leaving = server.tables.press(TableId(1), 0, action("leave"), server.press_of(ANNA))
    opening = server.tables.open(server.opened(BEN), server.press_of(BEN))
    assert why(await leaving) is None
    assert why(await opening) is None


async def test_who_leaves_opens_another_table_at_once(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    leaving = server.tables.press(TableId(1), 0, action("leave"), server.press_of(BEN))
    opening = server.tables.open(server.opened(BEN, channel=THERE), server.press_of(BEN))
    assert [why(await leaving), why(await opening)] == [None, None]


async def test_the_first_command_gets_a_channel_that_is_being_freed(server: Server) -> None:
    """Cem's command waits behind the closing of the table, and Dora's comes when it is over."""
    await server.open(ANNA)
    later: list[asyncio.Task[Outcome]] = []

    def closed(table: object) -> None:
        if table is first and not later:
            later.append(asyncio.ensure_future(server.open(DORA)))

    first = server.table
    server.tables.watchers.append(closed)
    closing = asyncio.ensure_future(server.tables.close(first, "table.closed.moderator"))
    await asyncio.sleep(0)
    assert why(await server.open(CEM)) is None
    assert why(await later[0]) is PressRefusal.TABLE_HERE
    await closing


async def test_two_joins_and_a_command_seat_somebody_once(server: Server) -> None:
    """Eva taps Join twice at a full table, and the seat that Dora leaves is hers at the second."""
    await server.open(ANNA, game="dice")
    for user in (BEN, CEM, DORA):
        await server.press(user, "join")
    async with held_up(server):
        asked = [
            server.tables.press(TableId(1), 0, action(word), server.press_of(user))
            for word, user in (("join", EVA), ("leave", DORA), ("join", EVA))
        ]
        command = server.tables.open(server.opened(EVA, channel=THERE), server.press_of(EVA))
    assert [why(await one) for one in asked] == [TableRefusal.FULL, None, None]
    assert why(await command) is PressRefusal.SEATED_ELSEWHERE
    assert seats_of(server, EVA) == [1]


async def test_a_join_comes_after_a_command_that_is_refused(server: Server) -> None:
    """Cem's command waits for the line of a lobby whose host then presses: they join elsewhere."""
    await server.open(ANNA)
    other = await server.open(BEN, channel=THERE)
    assert other.table is not None
    await server.clock.advance(ABSENT_AFTER)
    async with held_up(server):
        panel = server.tables.press(TableId(1), 0, action("panel"), server.press_of(ANNA))
        command = server.tables.open(server.opened(CEM), server.press_of(CEM))
        join = server.tables.press(other.table.id, 0, action("join"), server.press_of(CEM))
    assert [why(await one) for one in (panel, command, join)] == [
        None,
        PressRefusal.TABLE_HERE,
        None,
    ]
    assert seats_of(server, CEM) == [other.table.id]


async def test_a_command_before_a_rematch_is_the_host(server: Server) -> None:
    await over(server)
    opening = server.tables.open(server.opened(CEM), server.press_of(CEM))
    again = server.tables.press(TableId(1), 1, action("rematch"), server.press_of(ANNA))
    opened, joined = await opening, await again
    assert [why(opened), why(joined)] == [None, None]
    assert opened.table is joined.table
    assert opened.table is not None
    assert opened.table.session.host == CEM


async def test_a_channel_is_free_when_the_table_after_a_match_cannot_be_written(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ended table is closed while the next one waits for a disk that is then full."""
    await over(server)
    await server.clock.advance(OVER_FOR + 1)
    append = server.journal.append

    async def full(lines: list[object], *, durable: bool) -> None:
        if any(isinstance(line.entry, e.Opened) for line in lines):  # type: ignore[attr-defined]
            await asyncio.sleep(0.02)
            raise OSError("the disk is full")
        await append(lines, durable=durable)  # type: ignore[arg-type]

    monkeypatch.setattr(server.journal, "append", full)
    closing = asyncio.ensure_future(server.tables.tick())
    await asyncio.sleep(0)
    with pytest.raises(OSError, match="full"):
        await server.open(CEM)
    await closing
    monkeypatch.setattr(server.journal, "append", append)
    assert server.tables.index.at(HERE) is None
    assert why(await server.open(CEM)) is None


# -- three minutes, ten minutes -------------------------------------------------------------------


async def test_nobody_is_released_for_the_time_that_others_waited(server: Server) -> None:
    """Both votes arrive before three minutes are over, and so does Ben's press behind them."""
    table = await server.live(ANNA, BEN, CEM)
    await server.clock.advance(ABSENT_AFTER - 10)
    for user in (ANNA, CEM):
        await server.press(user, "panel", round_=1)
    await server.clock.advance(9.9)
    async with held_up(server):
        votes = [
            server.tables.press(table.id, 1, action(f"release.{BEN}"), server.press_of(user))
            for user in (ANNA, CEM)
        ]
        await server.clock.advance(0.05)
        flip = server.tables.press(table.id, 1, action("flip:0"), server.press_of(BEN))
        await server.clock.advance(0.15)
    assert [why(await vote) for vote in votes] == [TableRefusal.NOT_ABSENT] * 2
    assert why(await flip) is None


async def test_nobody_starts_for_a_host_in_the_time_that_others_waited(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.press(ANNA, "panel")
    await server.clock.advance(ABSENT_AFTER - 0.1)
    async with held_up(server):
        start = server.tables.press(TableId(1), 0, action("start"), server.press_of(BEN))
        await server.clock.advance(0.2)
    assert why(await start) is TableRefusal.HOST_ONLY


async def test_a_match_goes_on_for_a_press_that_came_in_time(server: Server) -> None:
    """It waits behind a computer's move when the ten minutes are over."""
    await server.open(ANNA)
    await server.press(ANNA, "add")
    await server.press(ANNA, "start")
    await server.press(ANNA, "ready")
    await server.go_live()
    await server.clock.advance(IDLE_FOR - 0.1)
    async with held_up(server):
        robot = server.table.move(Seat(1), "flip:0", server.clock.now())
        flip = server.tables.press(TableId(1), 1, action("flip:0"), server.press_of(ANNA))
        await server.clock.advance(0.2)
        ticking = asyncio.ensure_future(server.tables.tick())
        await asyncio.sleep(0)
    await asyncio.gather(robot, flip, ticking)
    assert server.table.session.phase is Phase.LIVE


# -- no circle ------------------------------------------------------------------------------------


async def within_a_second(server: Server, *asked: Awaitable[Outcome]) -> list[object]:
    """Why each is refused. Nobody waits for anything but writes, which take a millisecond."""
    async with asyncio.timeout(1):
        return [why(await one) for one in asked]


async def test_a_command_twice_and_a_join_hold_nobody_up(server: Server) -> None:
    """Cem asks for a table where one is, again, and joins it; then Ben presses."""
    await server.open(ANNA)
    told = await within_a_second(
        server,
        server.tables.open(server.opened(CEM), server.press_of(CEM)),
        server.tables.open(server.opened(CEM), server.press_of(CEM)),
        server.tables.press(TableId(1), 0, action("join"), server.press_of(CEM)),
        server.tables.press(TableId(1), 0, action("join"), server.press_of(BEN)),
    )
    assert told == [PressRefusal.TABLE_HERE, PressRefusal.TABLE_HERE, None, None]


async def test_a_rematch_and_a_join_hold_nobody_up(server: Server) -> None:
    """Dora's command comes first. Ben asks for a rematch, which is then her table, and joins it."""
    await over(server)
    await server.open(DORA)
    told = await within_a_second(
        server,
        server.tables.press(TableId(1), 1, action("rematch"), server.press_of(BEN)),
        server.tables.press(TableId(2), 0, action("join"), server.press_of(BEN)),
        server.tables.press(TableId(2), 0, action("join"), server.press_of(EVA)),
    )
    assert told == [None, None, None]


async def test_a_rematch_before_a_join_gets_the_last_seat(server: Server) -> None:
    await over(server)
    await server.open(CEM, game="dice")
    for user in (DORA, FAY):
        await server.press(user, "join", table=2)
    told = await within_a_second(
        server,
        server.tables.press(TableId(1), 1, action("rematch"), server.press_of(BEN)),
        server.tables.press(TableId(2), 0, action("join"), server.press_of(EVA)),
    )
    assert told == [None, TableRefusal.FULL]


async def test_a_join_before_a_leave_is_refused(server: Server) -> None:
    """Ben joins the second table, whose line is long, and then leaves the first."""
    await server.open(ANNA, channel=THERE)
    await server.open(CEM)
    await server.press(BEN, "join", table=2)
    async with held_up(server):
        join = server.tables.press(TableId(1), 0, action("join"), server.press_of(BEN))
        leave = server.tables.press(TableId(2), 0, action("leave"), server.press_of(BEN))
        assert why(await leave) is None
    assert why(await join) is PressRefusal.SEATED_ELSEWHERE
    assert seats_of(server, BEN) == []


async def test_many_joins_hold_a_table_up_no_longer_than_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's command waits for a disk elsewhere, and he presses Join again and again."""
    monkeypatch.setattr(server.clock, "now", asyncio.get_running_loop().time)
    await server.open(ANNA)
    await server.open(CEM, channel=THERE)
    async with held_up(server):  # the first table's line, and so the command there
        command = server.tables.open(server.opened(BEN), server.press_of(BEN))
        joins = [
            server.tables.press(TableId(2), 0, action("join"), server.press_of(BEN))
            for _ in range(5)
        ]
        join = server.tables.press(TableId(2), 0, action("join"), server.press_of(DORA))
        before = asyncio.get_running_loop().time()
        await join
        assert asyncio.get_running_loop().time() - before <= IN_LINE + 0.1
    assert {why(await one) for one in joins} == {Stale.TOO_OLD}, "each was in line, and waited"
    assert why(await command) is Stale.TOO_OLD


async def test_a_rematch_of_an_older_match_opens_one(server: Server) -> None:
    """Between them another match was played here, and is over too."""
    await over(server)
    await server.open(CEM)
    await server.press(DORA, "join", table=2)
    await server.press(CEM, "set.rounds=1", table=2)
    await server.press(CEM, "start", table=2)
    for user in (CEM, DORA):
        await server.press(user, "ready", table=2)
    newest = server.tables.index.at(HERE)
    assert newest is not None
    await newest.do(go_live)
    for user in (CEM, DORA):
        await server.press(user, "end", table=2, round_=1)
    assert newest.session.phase is Phase.OVER
    again = await server.press(ANNA, "rematch", round_=1)
    assert why(again) is None
    assert again.table is not None
    assert again.table.session.host == ANNA


async def test_a_rematch_joins_a_table_from_another_channel_at_its_turn(server: Server) -> None:
    """Cem's table has moved here, but its line is still the one of the channel it came from."""
    await over(server)
    other = (await server.open(CEM, channel=THERE)).table
    assert other is not None
    await other.do(partial(move_to_channel, channel=HERE, parent=None))
    others = asyncio.Event()
    holding = other.turns.take(others.wait)
    dora = server.tables.press(other.id, 0, action("join"), server.press_of(DORA))
    ben = server.tables.press(TableId(1), 0, action("rematch"), server.press_of(BEN))
    both = asyncio.gather(dora, ben)
    await asyncio.sleep(0.01)
    others.set()
    await holding
    assert [why(one) for one in await both] == [None, None]
    assert [chair.user for chair in other.session.chairs] == [CEM, DORA, BEN]
