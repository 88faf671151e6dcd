"""New tables: a command's lobby, a rematch, and a lobby in a forgotten one's place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from bot.clock import Clock
from bot.games.values import Refused
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.arrival_queue import ArrivalQueue, Earlier, past
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.index import TableIndex
from bot.tables.registry.new_tables import NewTables
from bot.tables.registry.outcome import Outcome, arena_here, seated_at, table_here
from bot.tables.running.table import Ask, Table
from bot.tables.state import events as e
from bot.tables.state.journal import Beside
from bot.tables.state.session import Phase, Session
from bot.text import Text

OPENED = Done((), Text("table.in"))
MOST_TABLES = 50
"""The most tables in play in one server."""


class Opening:
    """The maker of tables.

    In each channel they are made in the order in which they were asked for, in the same line as
    everything that is pressed there. `lobby` and `rematch` are ordinary functions: a request is in
    line when they return.
    """

    def __init__(
        self,
        index: TableIndex,
        made: NewTables,
        clock: Clock,
        changed: Callable[[Table], None],
    ) -> None:
        self._index = index
        self._made = made
        self._clock = clock
        self._changed = changed

    def lobby(
        self, opened: e.Opened, press: Press, robots: Sequence[e.Seated] = ()
    ) -> Awaitable[Outcome]:
        """Open a lobby for a command, with these robots beside its host.

        It is refused if a table is in play in this channel, unless that is a forgotten lobby; if
        its host sits elsewhere in the server; and if the server has `MOST_TABLES`.
        """
        turns = self._made.turns_in(opened.channel)
        earlier = self._index.earlier(opened.guild, press.user)
        seated = (e.Seated(press.user, press.name), *robots)
        work = partial(self._lobby, turns, opened, seated, press, earlier)
        return self._take(turns, opened.guild, press.user, work)

    def rematch(
        self, over: Table, press: Press, joins: Callable[[Table, Press], Ask]
    ) -> Awaitable[Outcome]:
        """Open a rematch, whose host is the first to ask. The others' seats are held for a minute.

        Players who ask later join the new table, even if a command opened it. `joins` returns what
        a Join asks for.
        """
        guild = over.session.opened.guild
        earlier = self._index.earlier(guild, press.user, over)
        work = partial(self._again, over, press, earlier, joins)
        return self._take(over.turns, guild, press.user, work)

    def beside(
        self, channel: ChannelId, press: Press, work: Callable[[], Awaitable[Outcome]]
    ) -> Awaitable[Outcome]:
        """Do work that takes a channel, in the order in which tables are asked for there.

        It is refused if a table is in play in this channel.
        """
        return self._made.turns_in(channel).take(partial(self._beside, channel, press, work))

    async def _beside(
        self, channel: ChannelId, press: Press, work: Callable[[], Awaitable[Outcome]]
    ) -> Outcome:
        there = self._index.at(channel)
        if there is not None and self._index.in_play_at(channel):
            return Outcome(there, table_here(there))
        if (where := self._index.arenas.get(channel)) is not None:
            return Outcome(None, arena_here(where))
        if press.is_late(self._clock.now()):
            return Outcome(None, Refused(Stale.TOO_OLD))
        return await work()

    def _take(
        self,
        turns: ArrivalQueue,
        guild: GuildId,
        user: UserId,
        work: Callable[[], Awaitable[Outcome]],
    ) -> Awaitable[Outcome]:
        turn = turns.take(work)
        self._index.arrived(guild, user, turn)
        return self._shown(turn)

    async def _shown(self, turn: asyncio.Future[Outcome]) -> Outcome:
        """Wait for the turn, and tell the watchers if it has opened a table.

        Whoever opens a table shows it, so the watchers hear of it together with them, not before.
        """
        outcome = await turn
        if outcome.decision is OPENED and outcome.table is not None:
            self._changed(outcome.table)
        return outcome

    async def _lobby(
        self,
        turns: ArrivalQueue,
        opened: e.Opened,
        seated: Sequence[e.Seated],
        press: Press,
        earlier: Earlier,
    ) -> Outcome:
        if not await past(earlier, press.patience(self._clock.now())):
            return Outcome(None, Refused(Stale.TOO_OLD))
        there = self._index.at(opened.channel)
        if there is not None and there.session.phase is not Phase.OVER:
            return await self._instead(there, turns, opened, seated, press)
        if press.is_late(self._clock.now()):
            return Outcome(None, Refused(Stale.TOO_OLD))
        if (where := self._index.arenas.get(opened.channel)) is not None:
            return Outcome(None, arena_here(where))
        if (elsewhere := self._index.elsewhere(opened.guild, press.user)) is not None:
            return Outcome(elsewhere, seated_at(elsewhere))
        return await self._open(turns, opened, seated, press.token)

    async def _instead(
        self,
        there: Table,
        turns: ArrivalQueue,
        opened: e.Opened,
        seated: Sequence[e.Seated],
        press: Press,
    ) -> Outcome:
        """Close a forgotten lobby and open another in one transaction. Other tables stay."""
        table, lines = self._made.new(turns, opened, seated, press.token)

        def ask(session: Session, now: Callable[[], Presence]) -> Decision:
            if session.seat_of(press.user) is not None or not now().forgotten:
                return table_here(there)
            if (elsewhere := self._index.elsewhere(opened.guild, press.user)) is not None:
                return seated_at(elsewhere)  # they can't open another, not even in its place
            return d.close(session, "table.closed.forgotten")

        if there.turns is not turns:  # it has come back from its thread just now
            return Outcome(there, table_here(there))
        decision = await there.in_turn(ask, press, Beside(lines, partial(self._index.enter, table)))
        refused = isinstance(decision, Refused)
        return Outcome(there, decision) if refused else Outcome(table, OPENED)

    async def _again(
        self,
        over: Table,
        press: Press,
        earlier: Earlier,
        joins: Callable[[Table, Press], Ask],
    ) -> Outcome:
        if not await past(earlier, press.patience(self._clock.now())):
            return Outcome(over, Refused(Stale.TOO_OLD))
        session = over.session
        decision = d.rematch(session, press.user)
        following = self._index.at(session.channel)
        if following is over or (following is not None and following.session.phase is Phase.OVER):
            following = None
        if press.is_late(self._clock.now()):
            return Outcome(over, Refused(Stale.TOO_OLD))
        if following is not None and decision != Refused(TableRefusal.STRANGER):
            ask = joins(following, press)
            if following.turns is over.turns:
                return Outcome(following, await following.in_turn(ask, press))
            return Outcome(following, await following.press(ask, press))
        if isinstance(decision, Refused):
            return Outcome(over, decision)
        if (where := self._index.arenas.get(session.channel)) is not None:
            return Outcome(over, arena_here(where))
        if elsewhere := self._index.elsewhere(session.opened.guild, press.user, over):
            return Outcome(elsewhere, seated_at(elsewhere))
        opened, seated = lobby.rematch(session, press.user, press.name)
        return await self._open(over.turns, opened, [*seated, *lobby.straight_on(session)])

    async def _open(
        self,
        turns: ArrivalQueue,
        opened: e.Opened,
        first: Sequence[e.Entry],
        token: str | None = None,
    ) -> Outcome:
        """Open a table with these first entries.

        Raises what the journal raises; then the table was never there.
        """
        if self._index.in_play(opened.guild) >= MOST_TABLES:
            return Outcome(None, Refused(PressRefusal.MOST_TABLES, (("n", MOST_TABLES),)))
        table, lines = self._made.new(turns, opened, first, token)
        before = self._index.at(opened.channel)
        self._index.enter(table)  # its people sit nowhere else while it is written
        await self._made.write(table, lines, before)
        return Outcome(table, OPENED)
