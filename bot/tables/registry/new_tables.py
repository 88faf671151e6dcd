"""The making of tables, and the line that each of them stands in."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

from bot.clock import Clock
from bot.groups.numbers import following
from bot.ids import ChannelId
from bot.tables.decisions.consequences import settle
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.registry.index import TableIndex
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.evolve import begin
from bot.tables.state.journal import Journal, JournalLine, TableId
from bot.tables.state.session import Phase, Session
from bot.tasks import Spawn


class NewTables:
    """The maker of tables. `changed` is called on every change of each of them."""

    def __init__(
        self,
        index: TableIndex,
        journal: Journal,
        clock: Clock,
        seed: Callable[[], bytes],
        spawn: Spawn,
        changed: Callable[[Table], None],
    ) -> None:
        self.next_id = 1
        self._index = index
        self._journal = journal
        self._clock = clock
        self._seed = seed
        self._spawn = spawn
        self._changed = changed
        self._turns: WeakValueDictionary[ChannelId, ArrivalQueue] = WeakValueDictionary()

    def turns_in(self, channel: ChannelId) -> ArrivalQueue:
        """Return the line of the channel and its table, which gives its requests one order."""
        there = self._index.at(channel)
        turns = there.turns if there is not None else self._turns.get(channel)
        if turns is None:
            turns = self._turns[channel] = ArrivalQueue(f"channel {channel}", self._spawn)
        return turns

    def new(
        self, turns: ArrivalQueue, opened: e.Opened, first: Sequence[e.Entry], token: str | None
    ) -> tuple[Table, Sequence[JournalLine]]:
        """Return a table that nobody knows of yet, and the lines that make it.

        `first`: its first entries, the people's seats before all others. A secret among them is
        promised; without one, the table draws its own. `token`: of the command whose answer will be
        its message. It is written before the answer goes out, since after a crash nobody could
        guess where that is; None if the bot posts the message itself, or there is none.
        """
        table_id, self.next_id = TableId(self.next_id), following(self.next_id)
        at = int(self._clock.wall() * 1000)
        seated = [entry for entry in first if isinstance(entry, e.Seated)]
        more: Sequence[e.Entry] = first[len(seated) :]
        if not any(isinstance(entry, e.Promised) for entry in more):
            more = (match_seed.promised(self._seed()), *more)
        wanted, session = settle(begin(opened, at), [*seated, *more], at)
        entries: list[e.Entry] = [opened, *wanted]
        table = self._table(table_id, session, len(entries), turns)
        opening, *rest = (JournalLine(table_id, i, at, entry) for i, entry in enumerate(entries))
        return table, [replace(opening, token=token), *rest]

    async def write(
        self, table: Table, lines: Sequence[JournalLine], before: Table | None = None
    ) -> None:
        """Write a new table's lines. If they can't be written, the table was never there."""
        try:
            await self._journal.append(lines, durable=True)
        except BaseException:
            table.session = replace(table.session, phase=Phase.CLOSED)
            self._index.remove(table)
            if before is not None and self._index.get(before.id) is before:
                self._index.enter(before)  # it is over, not closed: the channel is its again
            raise

    async def seat(self, opened: e.Opened, first: Sequence[e.Entry]) -> Table:
        """Open a table of an arena. It has a line of its own: others' presses don't hold it up.

        Its people sit there as soon as this is called. Raises what the journal raises; then the
        table was never there.
        """
        table, lines = self.new(self._own_turns(opened), opened, first, None)
        self._index.enter(table)
        await self.write(table, lines)
        self._changed(table)
        return table

    def again(self, table_id: TableId, session: Session, seq: int) -> Table:
        """Return a table that was open before a restart."""
        opened = session.opened
        own = opened.arena is not None
        turns = self._own_turns(opened) if own else self.turns_in(opened.channel)
        return self._table(table_id, session, seq, turns)

    def _own_turns(self, opened: e.Opened) -> ArrivalQueue:
        assert opened.arena is not None, "other tables share their channel's line"
        return ArrivalQueue(f"arena {opened.arena.id} table {opened.arena.number}", self._spawn)

    def _table(self, table_id: TableId, session: Session, seq: int, turns: ArrivalQueue) -> Table:
        table = Table(table_id, session, seq, self._journal, self._clock, turns)
        table.on_change = self._changed
        return table
