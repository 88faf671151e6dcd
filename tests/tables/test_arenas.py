"""The arenas of a server: which is in a channel, and which somebody is in."""

from collections.abc import Sequence

import pytest

from bot.ids import ArenaId, ChannelId, GuildId, UserId
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arenas.arenas import Arenas
from bot.tables.arenas.journal import ArenaLine, StoredArena
from bot.tables.arenas.running import RunningArena
from bot.tables.presses.router import PressRefusal
from tests.tables.registry import CHANNEL, GUILD, Server, why
from tests.tables.unowned import spawn

ANNA, BEN = UserId(101), UserId(102)


class MemoryArenaJournal:
    """Implements `bot.tables.arenas.journal.ArenaJournal`."""

    def __init__(self) -> None:
        self.lines: list[ArenaLine] = []

    async def append(self, lines: Sequence[ArenaLine], *, durable: bool) -> None:
        self.lines += lines

    async def read_open(self) -> list[StoredArena]:
        return []

    async def next_id(self) -> ArenaId:
        return ArenaId(1)

    def put_away(self, arena: ArenaId) -> None:
        raise NotImplementedError


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
