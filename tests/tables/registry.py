"""A registry of tables, pressed at like Discord does, on a clock that a test moves."""

import asyncio
from collections.abc import Sequence

from bot.games import GAMES
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions.decide import go_live
from bot.tables.presses.press import Press
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.resume import Stored
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.evolve import apply, begin
from bot.tables.state.journal import JournalLine, TableId
from bot.tables.state.options import defaults
from bot.tables.state.session import Session
from tests.tables.clock import HandClock
from tests.tables.starting import publish
from tests.tables.unowned import new_tables

CHANNEL, GUILD = ChannelId(2), GuildId(1)


class MemoryJournal:
    """Implements `bot.tables.state.journal.Journal` for many tables."""

    def __init__(self) -> None:
        self.lines: list[JournalLine] = []
        self.written: list[int] = []  # lines of each write
        self.refuses = 0  # so many writes from now on

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        await asyncio.sleep(0.001)
        self.refuses -= 1
        if self.refuses >= 0:
            raise OSError("the disk is full")
        self.written.append(len(lines))
        self.lines += lines

    def note(self, line: JournalLine) -> None:
        self.lines.append(line)

    def stored(self) -> list[Stored]:
        ids = sorted({line.table for line in self.lines})
        return [Stored(i, [line for line in self.lines if line.table == i]) for i in ids]


class Server:
    """One Discord server's presses at a registry."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.clock = HandClock()
        self.tables = new_tables(self.journal, self.clock, seed=lambda: bytes(32))
        self._interactions = iter(range(1, 10_000))

    def press_of(self, user: UserId) -> Press:
        wall, now = self.clock.wall(), self.clock.now()
        return Press(next(self._interactions), user, f"user{user}", wall, now)

    def opened(
        self,
        user: UserId,
        channel: ChannelId = CHANNEL,
        guild: GuildId = GUILD,
        game: str = "ligretto",
    ) -> e.Opened:
        """What a command asks for."""
        return e.Opened(
            game=game,
            rules_version=1,
            guild=guild,
            channel=channel,
            host=user,
            locale="en-US",
            options=defaults(GAMES[game]),
        )

    async def open(
        self,
        user: UserId,
        channel: ChannelId = CHANNEL,
        guild: GuildId = GUILD,
        game: str = "ligretto",
    ) -> Outcome:
        opened = self.opened(user, channel, guild, game)
        return await self.tables.open(opened, self.press_of(user))

    async def press(self, user: UserId, word: str, table: int = 1, round_: int = 0) -> Outcome:
        outcome = await self.tables.press(TableId(table), round_, action(word), self.press_of(user))
        if word == "start" and outcome.refused is None and outcome.table is not None:
            await publish(outcome.table)
        return outcome

    @property
    def table(self) -> Table:
        table = self.tables.index.get(TableId(1))
        assert table is not None
        return table

    async def live(self, *users: UserId, **chosen: str) -> Table:
        """A table with these people in its first round; the first is host."""
        host, *others = users
        await self.open(host)
        for user in others:
            await self.press(user, "join")
        for key, value in chosen.items():
            await self.press(host, f"set.{key}={value}")
        await self.press(host, "start")
        for user in users:
            await self.press(user, "ready")
        await self.go_live()
        return self.table

    async def go_live(self) -> None:
        await self.table.do(go_live)

    @property
    def entries(self) -> list[e.Entry]:
        return [line.entry for line in self.journal.lines]

    def replayed(self) -> Session:
        """The table as its journal has it."""
        first, *rest = self.journal.lines
        assert isinstance(first.entry, e.Opened)
        session = begin(first.entry, first.at)
        for line in rest:
            session = apply(session, line.entry, line.at, lived=line.lived)
        return session


def why(outcome: Outcome) -> object:
    return outcome.refused.why if outcome.refused is not None else None
