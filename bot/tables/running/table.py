"""A game in progress in one channel: its session, its place in the journal, and its turns."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from bot.clock import Clock
from bot.games.values import Refused, Seat
from bot.ids import MessageId, UserId
from bot.tables.decisions.consequences import settle
from bot.tables.decisions.decide import Decide, Decision, Done, Move, may_deal, move
from bot.tables.decisions.presence import Presence, may_be_away, presence_at
from bot.tables.decisions.visible_changes import is_visible_change
from bot.tables.decisions.votes import returned
from bot.tables.presses.arrival_queue import ArrivalQueue, Earlier, past
from bot.tables.presses.lost_races import Made, Races
from bot.tables.presses.press import Press, Stale
from bot.tables.running.attendance import Attendance
from bot.tables.running.halves import Halves
from bot.tables.running.journal_place import JournalPlace
from bot.tables.running.lifetime import Lifetime
from bot.tables.state import events as e
from bot.tables.state.events import Entry
from bot.tables.state.evolve import apply
from bot.tables.state.journal import Beside, Journal, TableId
from bot.tables.state.notices import NO_NOTICES, Notices
from bot.tables.state.seating import forgotten
from bot.tables.state.session import Phase, Session
from bot.text import Text

Ask: TypeAlias = Callable[[Session, Callable[[], Presence]], Decision | Move]
"""A press's request, of the table as it is at the turn of the press."""
Signs: TypeAlias = tuple[object, bool, bool, bool, bool]
"""The parts of a screen that time changes by itself."""


class Table:
    """A table. Its session changes only at a turn of its line: one at a time, in order of arrival.

    Decisions are in the journal before they hold. Tables of one channel share a line, `turns`, so
    what is asked for there has one order. `press`, `move` and `do` are ordinary functions: when
    they return, their place in line is settled. All that a press leads to is decided and written at
    that one turn. A press that waited too long is dropped before it is decided. A decision is
    carried out even if its caller has gone.
    """

    def __init__(
        self,
        table_id: TableId,
        session: Session,
        seq: int,
        journal: Journal,
        clock: Clock,
        turns: ArrivalQueue,
    ) -> None:
        self.id = table_id
        self.session = session
        self.count = 0
        self.message: MessageId | None = None
        self.notices = NO_NOTICES
        self._bests: Mapping[Seat, int] = {}
        self._broken: Mapping[Seat, Text] = {}
        self.times_changed = 0  # how often the records of a match that is over have changed
        self.people_beside: Callable[[], int] = int  # of an arena, who will be dealt cards here too
        self.slow_until = 0.0  # on the monotonic clock: panels have had to wait for Discord
        self.on_change: Callable[[Table], None] = lambda _: None
        self._written = JournalPlace(table_id, seq, journal)
        self._clock = clock
        self.turns = turns
        self._life = Lifetime(clock, session.lived)
        self.attendance = Attendance(self._life)
        self._halves = Halves()
        self._told: Signs = ((), False, False, False, False)
        self.races = Races()

    def __str__(self) -> str:
        """Return its name in the log."""
        return f"table {self.id} in channel {self.session.channel}"

    @property
    def link(self) -> str:
        """The link to the table message, or to its channel while no message is known."""
        opened = self.session.opened
        channel = self.session.channel
        if self.message is None:
            return f"<#{channel}>"
        return f"https://discord.com/channels/{opened.guild}/{channel}/{self.message}"

    @property
    def lived(self) -> float:
        """The seconds that the table has lived."""
        return self._life.now()

    def presence(self, now: float | None = None) -> Presence:
        """Return what a screen shows of the time and of the people who are away.

        `now`: the monotonic time by which they are away, if it isn't the present.
        """
        now = self._clock.now() if now is None else now
        session, lived, slow = self.session, self._lived_ms, now < self.slow_until
        is_asked = may_be_away(session, lived)
        idle = self.attendance.idle_by_user(session, now) if is_asked else {}
        here = presence_at(session, lived, self.count, idle, self.notices, slow=slow)
        if not (self._bests or self._broken):
            return here
        return replace(here, bests=self._bests, broken=self._broken)

    @property
    def idle_by_user(self) -> dict[UserId, float]:
        """The seconds since the last press of each person who is still in."""
        return self.attendance.idle_by_user(self.session, self._clock.now())

    def looks_different(self) -> bool:
        """Return whether time alone has changed a screen since watchers were last called."""
        return self._signs != self._told

    def tell_of_time(self) -> None:
        """Call all watchers for what time has changed, and remember that they were."""
        self._told = self._signs
        self.on_change(self)

    @property
    def _signs(self) -> Signs:
        now = self.presence()
        return now.absent, now.host_away, now.quiet, now.slow, may_deal(self.session, now.lived)

    def tell_records(self, bests: Mapping[Seat, int], broken: Mapping[Seat, Text]) -> None:
        """Have panels compare a finished match with these best rounds of before, by seat.

        `broken`: by seat, the record of the server that its player has broken in it.
        """
        if (bests, broken) != (self._bests, self._broken):
            self._bests, self._broken = bests, broken
            self.on_change(self)

    def records_changed(self) -> None:
        """Have watchers read again what the records add to this match, if it is over."""
        if self.session.phase is Phase.OVER:
            self.times_changed += 1
            self.on_change(self)

    def tell(self, notices: Notices) -> None:
        """Show these notices from now on. Watchers hear of it if they are new."""
        if notices != self.notices:
            self.notices = notices
            self.on_change(self)

    def half(self, user: UserId) -> str | None:
        """Return the first half of a move that this person has made in this round, or None."""
        return self._halves.of(user, self.session.round)

    def shown(self, user: UserId, session: Session) -> None:
        """Record that this player sees a picture of this session, or a newer one."""
        self.races.shown(user, session, self._clock.now())

    def resumed(self, made: Iterable[Made]) -> None:
        """Take in the moves from before a restart, in their order."""
        self.races.resumed(made, self.session, self._lived_ms, self._clock.now())

    # -- turns ------------------------------------------------------------------------------

    def press(self, ask: Ask, press: Press, after: Earlier = ()) -> asyncio.Future[Decision]:
        """Put a person's press in line, and return its decision to come.

        It is in line when this returns. `after`: turns in other lines that come before it.
        """
        if not after:
            return self.turns.take(partial(self._decided, ask, press, press.arrived))
        return self.turns.take(partial(self._pressed_after, after, ask, press))

    def move(
        self, seat: Seat, text: str, arrived: float, press: Press | None = None
    ) -> asyncio.Future[Decision]:
        """Put a move of the game in line, as robots make them. `arrived`: monotonic seconds."""
        return self.turns.take(
            partial(self._decided, lambda _, __: Move(seat, text), press, arrived)
        )

    def do(self, decide: Decide) -> asyncio.Future[Decision]:
        """Put a decision in line that needs no press: time passes, or a channel is gone."""
        return self.ask(lambda session, _: decide(session))

    def ask(self, ask: Ask) -> asyncio.Future[Decision]:
        """Put a decision in line that needs no press, but needs to know who is away as of now."""
        return self.turns.take(partial(self._decided, ask, None, self._clock.now()))

    def forget(self, user: UserId) -> asyncio.Future[None]:
        """Forget a person in held seats, and in this match if it is over, when it is its turn."""
        return self.turns.take(partial(self._forget, user))

    async def _forget(self, user: UserId) -> None:
        after = forgotten(self.session, user)
        if after != self.session:
            self.session = after
            self.on_change(self)

    async def _pressed_after(self, after: Earlier, ask: Ask, press: Press) -> Decision:
        """Decide a press after turns in other lines. It is dropped if they last too long."""
        if not await past(after, press.patience(self._clock.now())):
            return Refused(Stale.TOO_OLD)
        return await self._decided(ask, press, press.arrived)

    async def in_turn(self, ask: Ask, press: Press, beside: Beside | None = None) -> Decision:
        """Decide a press at once, for a caller who has the turn in this table's line already."""
        return await self._decided(ask, press, press.arrived, beside)

    async def _decided(
        self, ask: Ask, press: Press | None, arrived: float, beside: Beside | None = None
    ) -> Decision:
        """Decide, write and change the table, or say why not. Return the decision.

        A refused press writes only its player's return and the refusal for the log. Raises what the
        journal raises; then the session is unchanged. Players are away or not as of the arrival, so
        waiting in line makes nobody absent.
        """
        if press is not None and press.is_late(self._clock.now()):
            return Refused(Stale.TOO_OLD)
        before = self._dated()
        was_away = press is not None and self.attendance.came(self.session, press)
        back = returned(before, press.user) if press is not None else ()
        asked = ask(before, partial(self.presence, arrived))
        made = asked if isinstance(asked, Move) else None
        waited = round((self._clock.now() - arrived) * 1000)
        decision = asked if not isinstance(asked, Move) else move(before, asked, waited)
        writes = back or isinstance(decision, Done)
        if writes and not await self._carry_out(before, back, decision, press, beside):
            return Refused(Stale.SEEN)
        if made is not None:
            decision = self._after(made, decision, arrived, before)
        if press is not None:
            self._halved(press, decision)
        if back or is_visible_change(decision, made, before, self.session):
            self.on_change(self)
        elif was_away and self.looks_different():
            self.tell_of_time()
        return decision

    def _halved(self, press: Press, decision: Decision) -> None:
        """Drop the half of a move made before this press, and keep the half that this one makes."""
        done = decision if isinstance(decision, Done) else None
        half = done.half if done is not None else None
        self._halves.pressed(press.user, self.session.round, half)
        if done is not None and done.played is None:
            self.attendance.came(self.session, press)  # they may have just sat down

    def _after(self, asked: Move, decision: Decision, arrived: float, before: Session) -> Decision:
        """Record a move that was made, or say about a refused one who was first.

        `before`: the table at its turn, which is later than the table's last entry.
        """
        if isinstance(decision, Done):
            self.races.take(self.session, asked, arrived)
            return decision
        told, noted = self.races.lost(self.session, decision, asked, arrived)
        if noted is not None:
            self._note(noted, before)
        return told

    async def _carry_out(
        self,
        session: Session,
        back: tuple[Entry, ...],
        decision: Decision,
        press: Press | None,
        beside: Beside | None,
    ) -> bool:
        """Write `back` and the decision's entries, and go on from there.

        Return False if this press is in the journal already; then nothing is changed.
        """
        done = decision if isinstance(decision, Done) else None
        wanted = (*back, *done.entries) if done is not None else back
        played = done.played if done is not None else None
        entries, after = settle(session, wanted, session.at, played)
        pressed = press.interaction if press is not None else None
        asked = len(back) if done is not None and done.entries else 0  # what the press was for
        lines = self._written.lines(session, entries, pressed, asked)
        others = beside.lines if beside is not None and done is not None else ()
        if not await self._written.write(lines, others):
            return False
        self.session = after
        if beside is not None and others:
            beside.written()
        return True

    def _note(self, entry: e.Rejected, then: Session) -> None:
        """Keep a refusal for the log. Nothing waits until it is written."""
        self._written.note(then, entry)
        self.session = apply(self.session, entry, then.at, lived=then.lived)

    def _dated(self) -> Session:
        """Return the session now. Its date never goes back, whatever the clock does."""
        at = max(int(self._clock.wall() * 1000), self.session.at)
        return self.session.dated(at, self._lived_ms)

    @property
    def _lived_ms(self) -> int:
        return max(int(self._life.now() * 1000), self.session.lived)
