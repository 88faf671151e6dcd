"""A server's tables on a real database, and everything that has to be true of them at any time."""

import asyncio
import sqlite3
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from bot.games import GAMES
from bot.games.dice.model import BAG
from bot.games.dice.model import State as Dice
from bot.games.ligretto.model import Card, deck
from bot.games.ligretto.model import State as Cards
from bot.games.values import Refused
from bot.i18n import say
from bot.ids import ChannelId, GuildId, UserId
from bot.store.tables.journal import KINDS
from bot.tables.decisions import decide as d
from bot.tables.decisions.consequences import settle
from bot.tables.presses.press import Press
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.registry import Tables
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.evolve import apply, begin
from bot.tables.state.options import defaults
from bot.tables.state.session import Phase, Session
from bot.text import SILENT
from bot.verify.referee import Referee
from tests.store.conftest import Store, opened
from tests.tables.clock import HandClock
from tests.tables.unowned import new_tables

T = TypeVar("T")
GUILDS = {
    ChannelId(21): GuildId(1),
    ChannelId(22): GuildId(1),
    ChannelId(23): GuildId(1),
    ChannelId(31): GuildId(2),
}
"""Channels, and the server each is in."""
FREE = (Phase.OVER, Phase.CLOSED)


class ServerTables:
    """Tables as the bot has them, each step run to its end. `close` ends it and checks the logs."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._folder = TemporaryDirectory()
        self._stack = AsyncExitStack()
        self.path = Path(self._folder.name) / "life.sqlite3"
        self.store: Store = self.run(self._stack.enter_async_context(opened(self.path)))
        self.clock = HandClock()
        self.tables = self._tables()
        self._pressed = 0
        self.said: Counter[str] = Counter()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def get(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What comes of something that gets in line at once, inside the loop."""

        async def got() -> T:
            return await ask()

        return self.run(got())

    def _tables(self) -> Tables:
        seeds = iter(bytes([n]) * 32 for n in range(1, 256))
        return new_tables(self.store.journal, self.clock, seed=lambda: next(seeds, bytes(32)))

    # -- what people do ---------------------------------------------------------------------

    def press_of(self, user: UserId) -> Press:
        self._pressed += 1
        return Press(self._pressed, user, f"user{user}", self.clock.wall(), self.clock.now())

    def open(self, user: UserId, channel: ChannelId, game: str, variant: str | None) -> Outcome:
        options = defaults(GAMES[game])
        if variant is not None and "variant" in options:
            options["variant"] = variant
        lobby = e.Opened(game, 1, GUILDS[channel], channel, user, "en-US", options)
        return self.get(lambda: self.tables.open(lobby, self.press_of(user)))

    def press(self, press: Press, table: Table, round_: int, word: str) -> Outcome:
        return self.get(lambda: self.tables.press(table.id, round_, action(word), press))

    def at_once(self, presses: Sequence[tuple[Press, Table, int, str]]) -> list[Outcome]:
        """Presses that arrive in this order, before any of them is answered."""

        async def gathered() -> list[Outcome]:
            asked: list[Awaitable[Outcome]] = [
                self.tables.press(table.id, round_, action(word), press)
                for press, table, round_, word in presses
            ]
            return list(await asyncio.gather(*asked))

        return self.run(gathered())

    def do(self, table: Table, decide: Callable[[Session], d.Decision]) -> d.Decision:
        return self.get(lambda: table.do(decide))

    def pass_time(self, seconds: float) -> None:
        self.run(self.clock.advance(seconds))

    def restart(self) -> None:
        """The process ends; another one reads the journal and has the same tables."""
        before = self.open_tables
        self.run(self.store.writer.write(()))

        async def again() -> None:
            self.tables = self._tables()
            stored = await self.store.journal.read_open()
            await self.tables.resume(stored, await self.store.journal.next_table())

        expected = {
            table.id: _plain(_paused(table.session, self._lived(table))) for table in before
        }
        self.run(again())
        assert {table.id: _plain(table.session) for table in self.open_tables} == expected

    def _lived(self, table: Table) -> int:
        """How long it had lived at its last entry: with that it goes on."""
        sql = "SELECT max(lived) FROM journal WHERE table_id = ?"
        with closing(sqlite3.connect(self.path)) as db:
            return int(db.execute(sql, (table.id,)).fetchone()[0])

    def close(self) -> None:
        try:
            for table in self.open_tables:
                self.run(self.tables.close(table, "table.closed.moderator"))
            self._logs_are_true()
        finally:
            self.run(self._stack.aclose())
            self._runner.close()
            self._folder.cleanup()

    # -- what has to be true ----------------------------------------------------------------

    @property
    def open_tables(self) -> list[Table]:
        return list(self.tables.index)

    def told(self, outcome: d.Decision) -> None:
        """A decision has words, unless the table's message says it all."""
        text = outcome.text if isinstance(outcome, Refused) else outcome.said
        assert text == SILENT or say(text, "en-US").strip()
        self.said[text.key] += 1

    def everybody_sits_once(self) -> None:
        playing = [table for table in self.open_tables if table.session.phase not in FREE]
        seats = Counter(
            (table.session.opened.guild, table.session.chairs[seat].user)
            for table in playing
            for seat in table.session.humans_in
        )
        assert not seats or max(seats.values()) == 1, "a person at one table a server"
        for guild in set(GUILDS.values()):
            for user in map(UserId, range(1, 8)):
                elsewhere = self.tables.index.elsewhere(guild, user)
                sits = next((t for t in playing if _sits(t, guild, user)), None)
                assert elsewhere is sits, "the books know who sits where, and nobody else"
        channels = [table.session.channel for table in playing]
        assert len(set(channels)) == len(channels), "a channel has one table in play"

    def nothing_is_lost(self) -> None:
        for table in self.open_tables:
            match table.session.state:
                case Cards() as cards:
                    _whole_decks(cards)
                case Dice() as dice:
                    _whole_bag(dice)
                case other:
                    assert other is None

    def points_add_up(self) -> None:
        for table in self.open_tables:
            session = table.session
            for result in session.history:
                assert len(result.ended.scores) == len(session.chairs)
                if session.opened.game == "dice":
                    assert sum(result.ended.scores) == 0
            columns = zip(*(result.ended.scores for result in session.history), strict=True)
            assert not session.history or session.totals == tuple(map(sum, columns))

    def the_journal_tells_the_same(self) -> None:
        """Numbers without a hole, no press twice, and the sum of the entries is the table."""
        self.run(self.store.writer.write(()))
        with closing(sqlite3.connect(self.path)) as db:
            rows = db.execute(
                "SELECT table_id, seq, at, kind, body, lived FROM journal ORDER BY 1, 2"
            )
            lines: dict[int, list[tuple[int, int, e.Entry, int]]] = {}
            for table, seq, at, kind, body, lived in rows:
                entry = KINDS[kind].validate_json(body)
                lines.setdefault(table, []).append((seq, at, entry, lived))
        assert set(lines) == {table.id for table in self.open_tables}, "closed tables leave nothing"
        for table in self.open_tables:
            (_, at, first, _), *rest = lines[table.id]
            assert isinstance(first, e.Opened)
            if table.session.phase is Phase.OVER:
                continue  # its moves have gone into the record
            assert [seq for seq, *_ in lines[table.id]] == list(range(len(lines[table.id])))
            session = begin(first, at)
            for _, at, entry, lived in rest:
                session = apply(session, entry, at, lived=lived)
            assert _plain(session) == _plain(table.session)

    def _logs_are_true(self) -> None:
        """What is recorded of ended matches agrees with a referee who knows only the rules."""
        self.run(self.store.writer.write(()))
        with closing(sqlite3.connect(self.path)) as db:
            logs = db.execute("SELECT match_id, log FROM logs").fetchall()
            for match, log in logs:
                points = db.execute(
                    "SELECT points FROM seats WHERE match_id = ? ORDER BY seat", (match,)
                )
                referee = Referee(zlib.decompress(log).decode()).check()
                assert referee.totals == [row[0] for row in points]


def changed_by(before: Session, after: Session) -> bool:
    """Whether a press has changed a table more than a refused one may: a round that had a press
    rates whoever leaves it, and counts where two people were in it.
    """
    same = replace(
        after,
        at=before.at,
        lived=before.lived,
        news=before.news,
        release_votes=before.release_votes,
    )
    return replace(same, pressed=before.pressed, met=before.met) != before


def _sits(table: Table, guild: int, user: UserId) -> bool:
    return table.session.opened.guild == guild and table.session.seat_of(user) is not None


def _paused(session: Session, lived: int) -> Session:
    """What a restart makes of a table. `lived`: ms until its last entry."""
    decision = d.pause(session)
    assert isinstance(decision, d.Done)
    if not decision.entries:
        return session
    session = session.dated(session.at, lived)
    return settle(session, decision.entries, session.at)[1]


def _plain(session: Session) -> Session:
    """Without the time of the last look, and what is not kept of a finished round: its moves, and
    when the last one was, which nothing asks for before the next round is live.
    """
    session = replace(session, at=0, lived=0)
    if session.state is None:
        return replace(session, news=(), lost_races=(), alarms=(), moves=0, laid_at=0)
    return session if session.moves else replace(session, laid_at=0)


def _whole_decks(state: Cards) -> None:
    """Every seat's cards, wherever they lie, are a deck."""
    for seat, own in enumerate(state.seats):
        laid = [
            Card(pile.colour, value)
            for pile in state.centre
            for value, owner in enumerate(pile.owners, 1)
            if owner == seat
        ]
        if own is None:
            assert not laid
            continue
        columns = [card for column in own.row for card in column]
        assert Counter([*laid, *own.ligretto, *own.hand, *own.discard, *columns]) == Counter(deck())


def _whole_bag(state: Dice) -> None:
    """What is on the board came from the seats, and all dice are those of the box."""
    on_board = Counter(int(owner) for row in state.board for owner in row.owners)
    placed = {
        seat: sum(die.placed for die in own.dice)
        for seat, own in enumerate(state.seats)
        if own is not None
    }
    assert on_board == Counter(placed)
    dealt = Counter(die.colour for own in state.seats if own is not None for die in own.dice)
    assert dealt <= Counter(BAG)
