"""The registry of arenas, to which every command and press in one comes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from bot.clock import Clock
from bot.games import GAMES
from bot.games.values import Refused
from bot.groups.numbers import following
from bot.ids import ArenaId, ChannelId, GuildId, UserId
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.decisions import Ask, Decision
from bot.tables.arena.state import Arena, apply, begin
from bot.tables.arenas.journal import ArenaJournal, ArenaLine, StoredArena
from bot.tables.arenas.outcome import ArenaOutcome, in_turn, known
from bot.tables.arenas.running import Parts, RunningArena
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.presses.press import Press
from bot.tables.presses.router import PressRefusal
from bot.tables.registry.outcome import Outcome
from bot.tables.registry.registry import Tables
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase
from bot.tasks import Spawn
from bot.text import SILENT

log = logging.getLogger(__name__)

OPENED = d.Done((), SILENT)


class Arenas:
    """All arenas that are not put away. A channel has one arena, or one table, at a time.

    `secret` returns 32 unguessable bytes. `deals` returns how many people of an arena can be dealt
    cards now; set it before anything is opened.
    """

    def __init__(
        self,
        tables: Tables,
        journal: ArenaJournal,
        clock: Clock,
        seed: Callable[[], bytes],
        spawn: Spawn,
    ) -> None:
        self.watchers: list[Callable[[RunningArena], None]] = []
        self.deals: Callable[[RunningArena], int] = lambda _: d.MOST
        self._arenas: dict[ArenaId, RunningArena] = {}
        self._tables = tables
        self._journal = journal
        self._clock = clock
        self.secret = seed
        self._spawn = spawn
        self._parts = Parts(journal, tables, clock, self._changed, self._deals)
        self._next_id = 1

    def __iter__(self) -> Iterator[RunningArena]:
        return iter(tuple(self._arenas.values()))

    def get(self, arena: ArenaId) -> RunningArena | None:
        return self._arenas.get(arena)

    def at(self, channel: ChannelId) -> RunningArena | None:
        """Return the arena that is not over in a channel."""
        here = (one for one in self if one.state.opened.channel == channel)
        return next((one for one in here if not one.state.is_over), None)

    def of(self, guild: GuildId, user: UserId) -> tuple[RunningArena, ...]:
        """Return the arenas of a server that somebody is in, or was."""
        every = self._arenas.values()
        mine = [x for x in every if x.state.opened.guild == guild and user in x.state.members]
        return tuple(mine)

    # -- opening and coming back ------------------------------------------------------------

    def open(self, opened: e.Opened, press: Press, token: str) -> Awaitable[ArenaOutcome]:
        """Open an arena, and let its host join. `token`: of the command, whose answer it will be.

        Refused if a table or an arena takes the channel. Raises what the journal raises; then
        nothing is opened.
        """
        made: list[RunningArena] = []
        work = partial(self._open, opened, press, token, made)
        return self._outcome(self._tables.beside(opened.channel, press, work), made)

    async def _outcome(self, asked: Awaitable[Outcome], made: list[RunningArena]) -> ArenaOutcome:
        outcome = await asked
        if made:
            self._changed(made[0])
            return ArenaOutcome(made[0], OPENED)
        refused = outcome.refused or Refused(PressRefusal.NO_TABLE)
        return ArenaOutcome(None, refused, outcome.is_repeated)

    async def _open(
        self, opened: e.Opened, press: Press, token: str, made: list[RunningArena]
    ) -> Outcome:
        arena_id, self._next_id = ArenaId(self._next_id), following(self._next_id)
        at = int(self._clock.wall() * 1000)
        joined = e.Joined(press.user, press.name)
        lines = [
            ArenaLine(arena_id, 0, at, opened, press.interaction, token=token),
            ArenaLine(arena_id, 1, at, joined),
        ]
        await self._journal.append(lines, durable=True)
        arena = self._running(arena_id, apply(begin(opened, at), joined, at, 0), len(lines))
        self._arenas[arena_id] = arena
        self._tables.index.arenas[opened.channel] = arena.link
        made.append(arena)
        return Outcome(None, Refused(PressRefusal.NO_TABLE))

    def _running(self, arena_id: ArenaId, state: Arena, seq: int) -> RunningArena:
        turns = ArrivalQueue(f"arena {arena_id}", self._spawn)
        return RunningArena(arena_id, state, seq, turns, self._parts)

    async def resume(self) -> None:
        """Resume the arenas that were open, after their tables. One that can't be is given up."""
        stored = await self._journal.read_open()
        self._next_id = await self._journal.next_id()
        await asyncio.gather(*map(self._resume, stored))

    async def _resume(self, stored: StoredArena) -> None:
        try:
            await self._back(stored)
        except Exception:
            log.exception("arena %d: could not be resumed, closing it", stored.id)
            if (arena := self._arenas.pop(stored.id, None)) is not None:
                self._free(arena)
            self._journal.put_away(stored.id)

    async def _back(self, stored: StoredArena) -> None:
        first = stored.lines[0]
        assert isinstance(first.event, e.Opened)
        state = begin(first.event, first.at)
        for line in stored.lines[1:]:
            state = apply(state, line.event, line.at, line.lived)
        arena = self._running(stored.id, state, stored.lines[-1].seq + 1)
        self._arenas[stored.id] = arena
        for table in self._tables.index:
            inside = table.session.opened.arena
            if inside is not None and inside.id == arena.id:
                arena.take_in(inside.number, table)
        if state.is_over:
            return
        self._tables.index.arenas[state.opened.channel] = arena.link
        lost = tuple(e.Unpaired(one) for one in state.running if one not in arena.tables)
        await arena.do(lambda _, __: d.Done(lost, d.NOTHING.said))
        await arena.do(lambda now, _: d.came_back(now, int(self._clock.wall() * 1000)))
        game = GAMES.get(state.opened.game)
        if game is None or game.rules_version != state.opened.rules_version:
            await arena.do(lambda now, _: d.close(now, "table.closed.version"))
        for table in tuple(arena.tables.values()):
            self.watch(table)

    # -- presses and time -------------------------------------------------------------------

    def press(self, arena_id: ArenaId, ask: Ask, press: Press) -> Awaitable[ArenaOutcome]:
        """Do what a press in an arena asks for. It is in line when this returns."""
        arena = self._arenas.get(arena_id)
        if (barred := self._tables.barred(press)) is not None:
            assert barred.refused is not None, "it is barred"
            return known(ArenaOutcome(arena, barred.refused, barred.is_repeated))
        if arena is None:
            return known(ArenaOutcome(None, Refused(d.ArenaRefusal.OVER)))
        return in_turn(arena, arena.press(ask, press))

    def watch(self, table: Table) -> None:
        """Take note of a table of an arena. Called on every change of every table."""
        session = table.session
        inside = session.opened.arena
        arena = self._arenas.get(inside.id) if inside is not None else None
        if inside is None or arena is None or inside.number not in arena.state.running:
            return
        has_leavers = any(chair.left for chair in session.chairs)
        if has_leavers or session.phase in (Phase.OVER, Phase.CLOSED):
            number = inside.number
            noted = arena.do(lambda now, _: d.of_table(now, number, table.id, table.session))
            self._spawn(_noted(arena, noted), name=f"{arena} table {number}")

    async def tick(self) -> None:
        """Do in each arena what is due by now. A failure is logged, and holds up no other."""
        for arena in self:
            try:
                await arena.do(d.due)
                for table in tuple(arena.tables.values()):
                    self.watch(table)
            except Exception:
                log.exception("%s: tick failed", arena)

    async def close(self, arena: RunningArena, reason: str) -> None:
        """End an arena from outside, as it stands."""
        await arena.do(lambda now, _: d.close(now, reason))

    async def close_all(self, guild: GuildId, reason: str) -> None:
        """End the arenas of a server that the bot has left."""
        for arena in self:
            if arena.state.opened.guild == guild:
                await self.close(arena, reason)

    async def voided(self, guild: GuildId, table: TableId) -> None:
        """Take back what the match of a table has brought in an arena, if that still counts it."""
        for arena in self:
            number = arena.state.tables.get(table)
            if number is not None and arena.state.opened.guild == guild:
                await arena.do(partial(_void, number))

    async def forget(self, user: UserId) -> None:
        """Forget this person in every arena."""
        for arena in self:
            await arena.do(lambda now, _: d.forget(now, user))

    def put_away(self, arena: RunningArena) -> None:
        """Drop an arena whose message shows its end."""
        self._arenas.pop(arena.id, None)
        self._journal.put_away(arena.id)

    def _changed(self, arena: RunningArena) -> None:
        if arena.state.is_over:
            self._free(arena)
        else:
            self._tables.index.arenas[arena.state.opened.channel] = arena.link
        for watcher in self.watchers:
            watcher(arena)

    def _deals(self, arena: RunningArena) -> int:
        return self.deals(arena)

    def _free(self, arena: RunningArena) -> None:
        """Free the channel of an arena that is over."""
        channel = arena.state.opened.channel
        if self.at(channel) is None:
            self._tables.index.arenas.pop(channel, None)


async def _noted(arena: RunningArena, noted: asyncio.Future[Decision]) -> None:
    """Wait until an arena knows of its table. If it can't be written, the next tick tries again."""
    try:
        await noted
    except Exception:
        log.exception("%s: a table was not recorded, retrying", arena)


def _void(number: int, _: Arena, __: int) -> Decision:
    return d.Done((e.Voided(number),), d.NOTHING.said)
