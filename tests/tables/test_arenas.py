"""The arenas of a server: which is in a channel, and which somebody is in."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.games import GAMES
from bot.games.values import Refused
from bot.ids import ArenaId, ChannelId, GuildId, MessageId, UserId
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.state import apply, begin
from bot.tables.arenas.arenas import Arenas
from bot.tables.arenas.journal import ArenaLine, StoredArena
from bot.tables.arenas.running import RunningArena
from bot.tables.arenas.table_entries import opening
from bot.tables.decisions.consequences import settle
from bot.tables.decisions.decide import go_live, pause
from bot.tables.decisions.timeouts import due_in_arena
from bot.tables.presses.press import Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.state import evolve as table
from bot.tables.state.options import defaults
from bot.tables.state.session import Session
from bot.text import SILENT
from tests.tables.registry import CHANNEL, GUILD, Server, why
from tests.tables.test_screens import words
from tests.tables.unowned import spawn
from tests.tables.views import panel, public
from tests.ui.matches import accepted

ANNA, BEN = UserId(101), UserId(102)


class MemoryArenaJournal:
    """Implements `bot.tables.arenas.journal.ArenaJournal`."""

    def __init__(self) -> None:
        self.lines: list[ArenaLine] = []
        self.durable: list[bool] = []  # of each write
        self.stored: list[StoredArena] = []

    async def append(self, lines: Sequence[ArenaLine], *, durable: bool) -> None:
        self.lines += lines
        self.durable.append(durable)

    async def read_open(self) -> list[StoredArena]:
        return self.stored

    async def next_id(self) -> ArenaId:
        return ArenaId(1)

    def put_away(self, arena: ArenaId) -> None:
        raise AssertionError("no arena ends here")


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def journal() -> MemoryArenaJournal:
    return MemoryArenaJournal()


@pytest.fixture
def arenas(server: Server, journal: MemoryArenaJournal) -> Arenas:
    return Arenas(server.tables, journal, server.clock, lambda: bytes(32), spawn)


async def opened(server: Server, arenas: Arenas, channel: ChannelId = CHANNEL) -> RunningArena:
    asked = e.Opened("ligretto", 1, GUILD, channel, ANNA, "en", {}, 4, 30, bytes(32).hex())
    outcome = await arenas.open(asked, server.press_of(ANNA), "token")
    assert outcome.arena is not None
    return outcome.arena


async def test_an_arena_is_its_hosts_from_the_start(server: Server, arenas: Arenas) -> None:
    arena = await opened(server, arenas)
    assert arenas.of(GUILD, ANNA) == (arena,)
    assert arenas.of(GUILD, BEN) == ()
    assert arenas.of(GuildId(GUILD + 1), ANNA) == ()


async def test_an_arena_has_a_channel_of_its_own(server: Server, arenas: Arenas) -> None:
    arena = await opened(server, arenas)
    assert arenas.at(CHANNEL) is arena
    assert arenas.at(ChannelId(CHANNEL + 1)) is None
    assert why(await server.open(BEN)) is PressRefusal.ARENA_HERE


async def test_a_link_leads_to_its_channel_until_its_message_is_known(
    server: Server, arenas: Arenas
) -> None:
    arena = await opened(server, arenas)
    assert arena.link == f"<#{CHANNEL}>"
    _ = await arena.do(lambda _, __: d.Done((e.Published(MessageId(9)),), SILENT))
    assert arena.link == f"https://discord.com/channels/{GUILD}/{CHANNEL}/9"


async def test_a_press_and_the_command_are_in_the_journal(
    server: Server, arenas: Arenas, journal: MemoryArenaJournal
) -> None:
    """Whatever Discord delivers once more is known by them after a restart."""
    arena = await opened(server, arenas)
    press = server.press_of(BEN)
    outcome = await arenas.press(arena.id, lambda now, _: d.join(now, BEN, "Ben", d.MOST), press)
    assert BEN in arena.state.members
    assert outcome.arena is arena
    assert [(line.seq, line.interaction) for line in journal.lines] == [
        (0, press.interaction - 1),
        (1, None),
        (2, press.interaction),
    ]


async def test_a_press_that_changes_nothing_writes_nothing(
    server: Server, arenas: Arenas, journal: MemoryArenaJournal
) -> None:
    arena = await opened(server, arenas)
    again = await arenas.press(
        arena.id, lambda now, _: d.join(now, ANNA, "Anna", d.MOST), server.press_of(ANNA)
    )
    assert again.decision == d.Done((), SILENT)
    assert len(journal.durable) == 1


async def test_a_command_that_waited_too_long_opens_no_arena(
    server: Server, arenas: Arenas, journal: MemoryArenaJournal
) -> None:
    others = asyncio.Event()
    holding = server.tables.made.turns_in(CHANNEL).take(others.wait)
    asked = e.Opened("ligretto", 1, GUILD, CHANNEL, ANNA, "en", {}, 4, 30, bytes(32).hex())
    opening = arenas.open(asked, server.press_of(ANNA), "token")
    await server.clock.advance(60)
    others.set()
    await holding
    assert (await opening).decision == Refused(Stale.TOO_OLD)
    assert not journal.lines


async def test_an_arena_of_other_rules_is_closed(server: Server) -> None:
    journal = MemoryArenaJournal()
    older = e.Opened("ligretto", 0, GUILD, CHANNEL, ANNA, "en", {}, 4, 30, bytes(32).hex())
    line = ArenaLine(ArenaId(1), 0, int(server.clock.wall() * 1000), older)
    journal.stored = [StoredArena(ArenaId(1), [line])]
    arenas = Arenas(server.tables, journal, server.clock, lambda: bytes(32), spawn)
    await arenas.resume()
    events = [line.event for line in journal.lines]
    assert events[-2:] == [e.Stopped("table.closed.version"), e.Ended()]
    assert journal.durable[-1], "the end is on the disk before it is shown"


def in_play() -> Session:
    """The first table of an arena, at which Anna and Ben play."""
    options = defaults(GAMES["ligretto"])
    asked = e.Opened("ligretto", 1, GUILD, CHANNEL, ANNA, "en", options, 2, 30, bytes(32).hex())
    begun = begin(asked, 0)
    for event in (
        e.Published(MessageId(9)),
        e.Joined(ANNA, "Anna"),
        e.Joined(BEN, "Ben"),
        e.Paired(1, (ANNA, BEN)),
    ):
        begun = apply(begun, event, 0, 0)
    opened, first = opening(ArenaId(1), begun, 1)
    _, session = settle(table.begin(opened, 0), first, 0)
    return accepted(session, go_live(session))


def test_a_round_of_an_arena_goes_on_after_90_seconds_without_a_press() -> None:
    session = in_play()
    began, idle = session.since / 1000, {ANNA: 0.0, BEN: 100.0}
    assert due_in_arena(session, began + 89.9, idle) is None
    without_ben = due_in_arena(session, began + 90, idle)
    assert without_ben is not None
    after = accepted(session, without_ben(session))
    assert [chair.left for chair in after.chairs] == [False, True]


def test_a_round_of_an_arena_goes_on_by_itself_after_a_restart() -> None:
    session = in_play()
    paused = accepted(session, pause(session))
    for screen in (panel(paused, ANNA, 0), public(paused, 0)):
        shown = words(screen)
        assert "[Ready]" not in shown
        assert any(line.startswith("The bot restarted") for line in shown)
