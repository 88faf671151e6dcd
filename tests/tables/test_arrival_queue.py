"""The line at a table: who comes first, what is dropped, and what is never dropped."""

import asyncio
import inspect
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest

from bot.app import App
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions.decide import Done
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.presses.press import IN_LINE, Stale
from bot.tables.presses.rate_limit import PRESSES
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.registry import Tables
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.session import Phase
from bot.ui.presses.presses import Presses
from tests.games.states import ligretto_state, seat_cards
from tests.tables.registry import Server, why
from tests.tables.table import cards, own
from tests.tables.unowned import spawn

ANNA, BEN, CEM = UserId(101), UserId(102), UserId(103)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.mark.parametrize("function", [Tables.press, Tables.open, Presses.handle, App.press])
def test_nothing_can_be_awaited_before_the_line(function: object) -> None:
    """Each is an ordinary function: what it returns is awaited, and it is in line by then."""
    assert callable(function)
    assert not inspect.iscoroutinefunction(function)
    assert inspect.signature(function).return_annotation.__name__ == "Awaitable"


async def test_presses_are_in_line_before_anybody_waits_for_them(server: Server) -> None:
    """Ben's answer is asked for first, and Anna has pressed first."""
    table = await server.live(ANNA, BEN)
    flips = [
        server.tables.press(table.id, 1, action("flip:0"), server.press_of(user))
        for user in (ANNA, BEN)
    ]
    for flip in reversed(flips):
        assert (await flip).refused is None
    assert server.entries[-2:] == [e.Moved(0, "flip:0"), e.Moved(1, "flip:0")]


async def test_whoever_is_back_says_so_and_moves_at_one_turn(server: Server) -> None:
    """In one transaction; the press is the move's."""
    table = await server.live(ANNA, BEN, CEM)
    table.session = replace(table.session, release_votes=frozenset({(Seat(0), Seat(1))}))
    press = server.press_of(BEN)
    await server.tables.press(table.id, 1, action("flip:0"), press)
    back, moved = server.journal.lines[-2:]
    assert (back.entry, back.interaction) == (e.Returned(1), None)
    assert (moved.entry, moved.interaction) == (e.Moved(1, "flip:0"), press.interaction)
    assert not table.session.release_votes


async def test_a_refused_press_brings_somebody_back_as_well(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    table.session = replace(table.session, release_votes=frozenset({(Seat(0), Seat(1))}))
    assert why(await server.press(BEN, "nonsense", round_=1)) is PressRefusal.UNKNOWN
    assert server.entries[-1] == e.Returned(1)


# -- what is dropped ------------------------------------------------------------------------------


async def held_up(server: Server, user: UserId, word: str) -> object:
    """This press finds others before it for longer than it may wait. Why it is refused."""
    others = asyncio.Event()
    holding = server.table.turns.take(others.wait)
    late = server.tables.press(server.table.id, 1, action(word), server.press_of(user))
    await server.clock.advance(IN_LINE + 0.1)
    others.set()
    assert await holding
    return why(await late)


async def test_a_press_that_is_dropped_withdraws_no_vote(server: Server) -> None:
    """It is dropped before anything of it is decided."""
    table = await server.live(ANNA, BEN, CEM)
    table.session = replace(table.session, release_votes=frozenset({(Seat(0), Seat(1))}))
    lines = len(server.journal.lines)
    assert await held_up(server, BEN, "flip:0") is Stale.TOO_OLD
    assert table.session.release_votes
    assert len(server.journal.lines) == lines


async def test_a_press_that_is_dropped_leaves_half_a_move_as_it_is(server: Server) -> None:
    table = await server.live(ANNA, BEN, variant="expert")
    anna = own("r9 b8 g7", "g2 g3", "y1 y2 y3")
    seats = (anna, seat_cards(table.session, 1))
    state = replace(ligretto_state(table.session), seats=seats)
    table.session = replace(table.session, state=state)
    await server.press(ANNA, "g2>", round_=1)
    assert await held_up(server, ANNA, "g2>1") is Stale.TOO_OLD
    assert table.half(ANNA) == "g2>"
    await server.press(ANNA, "g2>1", round_=1)
    assert seat_cards(table.session, 0).row[1] == cards("b8 g2")


async def test_a_move_that_is_being_written_counts_whoever_has_gone(server: Server) -> None:
    """Its answer may be late; the move is never taken back."""
    table = await server.live(ANNA, BEN)

    async def pressed() -> None:
        await server.tables.press(table.id, 1, action("flip:0"), server.press_of(ANNA))

    waiting = asyncio.ensure_future(pressed())
    for _ in range(3):  # it has its turn, and the journal is at it
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await server.press(BEN, "flip:0", round_=1)).refused is None
    assert seat_cards(table.session, 0).discard, "Anna's cards are turned"
    assert server.entries[-2:] == [e.Moved(0, "flip:0"), e.Moved(1, "flip:0")]


async def test_a_press_in_line_counts_whoever_has_gone(server: Server) -> None:
    """It has arrived: who presses later comes after it."""
    table = await server.live(ANNA, BEN)
    others = asyncio.Event()
    holding = table.turns.take(others.wait)
    waiting = asyncio.ensure_future(server.press(ANNA, "flip:0", round_=1))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    others.set()
    assert await holding
    assert (await server.press(BEN, "flip:0", round_=1)).refused is None
    assert server.entries[-2:] == [e.Moved(0, "flip:0"), e.Moved(1, "flip:0")]


# -- the line itself ------------------------------------------------------------------------------


async def test_a_failure_is_its_own_and_the_next_has_its_turn() -> None:
    turns = ArrivalQueue("here", spawn)

    async def fails() -> None:
        raise OSError("the disk is full")

    async def works() -> int:
        return 7

    failing, working = turns.take(fails), turns.take(works)
    with pytest.raises(OSError, match="full"):
        await failing
    assert await working == 7


async def test_nothing_leaves_the_line() -> None:
    """A press counts from its arrival, whether or not somebody waits for its answer."""
    turns, done = ArrivalQueue("here", spawn), list[int]()

    async def work(number: int) -> None:
        done.append(number)

    first, second, third = (turns.take(lambda n=n: work(n)) for n in (1, 2, 3))  # type: ignore[misc]
    second.cancel()
    await asyncio.gather(first, third)
    assert done == [1, 2, 3]


async def test_the_last_turn_is_there_until_its_work_is_done() -> None:
    """Whoever has to wait for a line waits for that: also if its worker was cancelled before."""
    workers, seen = list[asyncio.Task[None]](), list[object]()

    def hired(work: Coroutine[Any, Any, None], *, name: str) -> None:
        workers.append(asyncio.get_running_loop().create_task(work, name=name))

    turns, gate = ArrivalQueue("here", hired), asyncio.Event()
    first, second = turns.take(gate.wait), turns.take(gate.wait)
    await asyncio.sleep(0)
    workers[0].cancel()
    await asyncio.wait(workers)
    assert first.cancelled()
    assert turns.last is second, "it is still in line"
    third = turns.take(gate.wait)
    assert turns.last is third
    gate.set()
    third.add_done_callback(lambda _: seen.append(turns.last))
    assert await third
    assert seen == [None], "not even while the worker's task has yet to end"


# -- opening --------------------------------------------------------------------------------------


async def test_a_table_that_cannot_be_written_was_never_there(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who joins it in that moment is told that it is closed, and is free."""
    append = server.journal.append

    async def full(*_: object, **__: object) -> None:
        await asyncio.sleep(0.001)
        raise OSError("the disk is full")

    monkeypatch.setattr(server.journal, "append", full)
    opening = asyncio.ensure_future(server.open(ANNA))
    for _ in range(3):  # it has its turn in the channel, and is being written
        await asyncio.sleep(0)
    joined = await server.press(BEN, "join")
    with pytest.raises(OSError, match="full"):
        await opening
    assert why(joined) is TableRefusal.CLOSED
    assert not list(server.tables.index)
    monkeypatch.setattr(server.journal, "append", append)
    assert isinstance((await server.open(BEN)).decision, Done)


# -- the host -------------------------------------------------------------------------------------

AWAY = 3 * 60.0


async def test_the_next_press_of_the_host_takes_the_powers_back(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.clock.advance(AWAY - 1)
    assert why(await server.press(BEN, "add")) is TableRefusal.HOST_ONLY
    await server.clock.advance(1)
    for word in ("add", "set.rounds=5", "remove", "options"):
        assert why(await server.press(BEN, word)) is None
    assert why(await server.press(CEM, "add")) is TableRefusal.JOIN_FIRST
    takes_back, too_late = (
        server.tables.press(server.table.id, 0, action(word), server.press_of(user))
        for user, word in ((ANNA, "panel"), (BEN, "start"))
    )
    assert (await takes_back).refused is None
    assert why(await too_late) is TableRefusal.HOST_ONLY
    await server.clock.advance(AWAY)
    assert why(await server.press(BEN, "start")) is None


async def test_anybody_seated_deals_for_a_host_who_is_away(server: Server) -> None:
    await server.open(ANNA)
    for user in (BEN, CEM):
        await server.press(user, "join")
    await server.press(ANNA, "start")
    for user in (BEN, CEM):
        await server.press(user, "ready")
    await server.clock.advance(AWAY - 1)
    assert why(await server.press(BEN, "deal")) is TableRefusal.HOST_ONLY
    await server.clock.advance(1)
    assert why(await server.press(BEN, "deal")) is None
    assert server.table.session.phase is Phase.COUNT


async def test_a_lobby_in_which_somebody_has_pressed_makes_no_room(server: Server) -> None:
    """Ben's Join is a press, and so is Anna's that comes just before the command."""
    await server.open(ANNA)
    await server.clock.advance(AWAY - 1)
    await server.press(BEN, "join")
    await server.clock.advance(1)
    assert why(await server.open(CEM)) is PressRefusal.TABLE_HERE
    await server.clock.advance(AWAY)
    pressing = server.tables.press(server.table.id, 0, action("panel"), server.press_of(ANNA))
    assert why(await server.open(CEM)) is PressRefusal.TABLE_HERE
    assert (await pressing).refused is None


async def test_a_forgotten_lobby_makes_room_for_the_first_who_asks(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.clock.advance(AWAY)
    assert isinstance((await server.open(BEN)).decision, Refused), "Ben sits there, and is here"
    await server.clock.advance(AWAY)
    first, second = await asyncio.gather(server.open(CEM), server.open(UserId(104)))
    assert first.refused is None
    assert why(second) is PressRefusal.TABLE_HERE
    assert e.Closed("table.closed.forgotten") in server.entries
    assert isinstance((await server.open(BEN, channel=ChannelId(3))).decision, Done), "Ben is free"


async def test_somebody_who_sits_down_again_is_here(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.press(BEN, "leave")
    await server.clock.advance(AWAY)
    await server.press(BEN, "join")
    assert why(await server.open(CEM)) is PressRefusal.TABLE_HERE, "it is not forgotten"


async def test_nobody_seated_elsewhere_closes_a_forgotten_lobby(server: Server) -> None:
    await server.open(ANNA)
    await server.open(BEN, channel=ChannelId(3))
    await server.clock.advance(AWAY)
    refused = await server.open(BEN)
    assert why(refused) is PressRefusal.SEATED_ELSEWHERE
    assert e.Closed("table.closed.forgotten") not in server.entries


async def test_who_asks_second_for_a_forgotten_lobby_is_shown_the_new_one(server: Server) -> None:
    await server.open(ANNA)
    await server.clock.advance(AWAY)
    first, second = await asyncio.gather(server.open(CEM), server.open(UserId(104)))
    assert second.table is first.table


async def test_a_forgotten_lobby_is_closed_and_another_opened_in_one_transaction(
    server: Server,
) -> None:
    """A disk that is full after the first of two writes would leave neither."""
    await server.open(ANNA)
    await server.clock.advance(AWAY)
    first = server.table
    server.journal.refuses = 1
    with pytest.raises(OSError, match="full"):
        await server.open(CEM)
    assert server.tables.index.at(ChannelId(2)) is first
    assert first.presence().forgotten, "it is a lobby as it was"
    assert server.tables.index.elsewhere(GuildId(1), CEM) is None, "Cem's seat is free"
    together = len(server.journal.written)
    opened = await server.open(CEM)
    assert server.tables.index.at(ChannelId(2)) is opened.table
    assert len(server.journal.written) == together + 1, "one write"
    closed, *lobby = server.entries[-server.journal.written[-1] :]
    assert closed == e.Closed("table.closed.forgotten")
    assert [type(entry) for entry in lobby] == [e.Opened, e.Seated, e.Promised]


async def test_nobody_sits_down_elsewhere_while_a_forgotten_lobby_makes_room(
    server: Server,
) -> None:
    await server.open(ANNA)
    await server.clock.advance(AWAY)
    there = await server.open(BEN, channel=ChannelId(3))
    assert there.table is not None
    opening = server.tables.open(server.opened(CEM), server.press_of(CEM))
    joining = server.tables.press(there.table.id, 0, action("join"), server.press_of(CEM))
    assert (await opening).refused is None
    assert why(await joining) is PressRefusal.SEATED_ELSEWHERE


async def test_a_host_who_asks_for_a_table_where_they_sit_is_here(server: Server) -> None:
    """The command is refused with the way to their lobby, and it is a press as any other."""
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.clock.advance(AWAY)
    assert why(await server.open(ANNA)) is PressRefusal.TABLE_HERE
    assert why(await server.open(CEM)) is PressRefusal.TABLE_HERE
    assert why(await server.press(BEN, "start")) is TableRefusal.HOST_ONLY


async def test_whoever_reads_the_rules_or_is_refused_is_here(server: Server) -> None:
    await server.open(ANNA)
    tables, table = server.tables, server.table
    for read in (True, False):
        await server.clock.advance(AWAY)
        if read:
            await tables.here(ChannelId(2), server.press_of(ANNA))
        else:
            await tables.refuse(table.id, Refused(PressRefusal.THREADS_HERE), server.press_of(ANNA))
        assert why(await server.open(CEM)) is PressRefusal.TABLE_HERE, "it is not forgotten"


async def test_what_no_table_knows_is_counted_all_the_same(server: Server) -> None:
    """It is answered once, and not more often than people press."""
    press = server.press_of(ANNA)
    first, second = [
        await server.tables.refuse(None, Refused(PressRefusal.UNKNOWN), press) for _ in range(2)
    ]
    assert (why(first), second.is_repeated) == (PressRefusal.UNKNOWN, True)
    told = {
        why(await server.tables.refuse(None, Refused(PressRefusal.UNKNOWN), server.press_of(ANNA)))
        for _ in range(PRESSES)
    }
    assert told == {PressRefusal.UNKNOWN, Stale.TOO_MANY}
