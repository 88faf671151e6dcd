"""One channel's game in progress: the only mutable thing in the bot that matters."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from bot.games.values import Refused, Seat
from bot.tables import entries as e
from bot.tables.clock import Clock
from bot.tables.consequences import settle
from bot.tables.decisions import Decide, Decision, Done, Move, may_deal, move
from bot.tables.entries import Entry
from bot.tables.fold import apply
from bot.tables.journal import Beside, DuplicateError, Journal, JournalLine, TableId
from bot.tables.moment import ABSENT_AFTER, Moment, at
from bot.tables.notices import NOTHING, Notices
from bot.tables.press import Press, Stale
from bot.tables.races import Made, Races
from bot.tables.session import Session
from bot.tables.turns import Earlier, Turns, past
from bot.tables.votes import returned

Ask: TypeAlias = Callable[[Session, Callable[[], Moment]], Decision | Move]
"""What a press asks for, of the table as it is at the turn of the press."""
Signs: TypeAlias = tuple[object, bool, bool, bool, bool]
"""What a screen shows that time alone changes."""


class Table:
    """Everything goes through its line: one at a time, in order of arrival, journal first. Tables
    of one channel share a line, `turns`: what is asked for there has one order.

    `press`, `move` and `do` are ordinary functions: when they return, their turn is settled. All
    that a press leads to is decided and written at that one turn. What waited too long is dropped
    before it is decided; what is decided is never dropped, whoever has gone meanwhile.
    """

    def __init__(
        self,
        table_id: TableId,
        session: Session,
        seq: int,
        journal: Journal,
        clock: Clock,
        turns: Turns | None = None,
    ) -> None:
        self.id = table_id
        self.session = session
        self.count = 0
        self.message: int | None = None
        self.notices = NOTHING
        self.slow_until = 0.0  # on the monotonic clock: panels have had to wait for Discord
        self.on_change: Callable[[Table], None] = lambda _: None
        self._seq = seq
        self._journal = journal
        self._clock = clock
        self.turns = turns if turns is not None else Turns(f"table {table_id} turns")
        self._since = clock.now()
        self._pressed: dict[int, float] = {}
        self._halves: dict[int, tuple[int, str]] = {}
        self._told: Signs = ((), False, False, False, False)
        self.races = Races()

    def __str__(self) -> str:
        """For the log."""
        return f"table {self.id} in channel {self.session.channel}"

    @property
    def link(self) -> str:
        """Where the table is, as Discord shows a link to it."""
        opened = self.session.opened
        channel = self.session.channel
        if self.message is None:
            return f"<#{channel}>"
        return f"https://discord.com/channels/{opened.guild}/{channel}/{self.message}"

    @property
    def last_press(self) -> float:
        """When a human last pressed anything, on the monotonic clock."""
        return max(self._pressed.values(), default=self._since)

    def moment(self, now: float | None = None) -> Moment:
        """What a screen shows of now, or at this time on the monotonic clock."""
        now = self._clock.now() if now is None else now
        idle = {
            user: now - self._pressed.get(user, self._since)
            for user in (self.session.chairs[seat].user for seat in self.session.humans_in)
            if user is not None
        }
        wall = int(self._clock.wall() * 1000)
        slow = now < self.slow_until
        return at(self.session, wall, self.count, idle, self.notices, slow=slow)

    def looks_otherwise(self) -> bool:
        """Return whether time has changed what a screen shows since it was last told."""
        return self._signs != self._told

    def tell_of_time(self) -> None:
        """Tell everybody who watches what time has changed, and remember it."""
        self._told = self._signs
        self.on_change(self)

    @property
    def _signs(self) -> Signs:
        now = self.moment()
        return now.absent, now.host_away, now.quiet, now.slow, may_deal(self.session, now.now)

    def tell(self, notices: Notices) -> None:
        """From now on, say this. Everybody who watches hears of it, if it is new."""
        if notices != self.notices:
            self.notices = notices
            self.on_change(self)

    def half(self, user: int) -> str | None:
        """The first half of a move that this person has made, while its other half is asked."""
        round_, word = self._halves.get(user, (0, ""))
        return word if word and round_ == self.session.round else None

    def shown(self, user: int, session: Session) -> None:
        """From now on this player sees a picture of this session, or a newer one."""
        self.races.shown(user, session, self._clock.now())

    def resumed(self, made: Iterable[Made]) -> None:
        """After a restart: the moves of before it, in their order."""
        wall, now = int(self._clock.wall() * 1000), self._clock.now()
        self.races.resumed(made, self.session, wall, now)

    # -- turns ------------------------------------------------------------------------------

    def press(self, ask: Ask, press: Press, after: Earlier = ()) -> asyncio.Future[Decision]:
        """A person's press. It is in line when this returns. `after`: turns in other lines that
        come before it.
        """
        if not after:
            return self.turns.take(partial(self._decided, ask, press, press.arrived))
        return self.turns.take(partial(self._pressed_after, after, ask, press))

    def move(
        self, seat: Seat, text: str, arrived: float, press: Press | None = None
    ) -> asyncio.Future[Decision]:
        """A move of the game, as computer players make them. `arrived`: on the monotonic clock."""
        return self.turns.take(
            partial(self._decided, lambda _, __: Move(seat, text), press, arrived)
        )

    def do(self, decide: Decide) -> asyncio.Future[Decision]:
        """Decide and carry out what nobody has pressed for: time passes, or a channel is gone."""
        return self.ask(lambda session, _: decide(session))

    def ask(self, ask: Ask) -> asyncio.Future[Decision]:
        """As `do`, of the table as it is at its turn and of the time as it is now."""
        return self.turns.take(partial(self._decided, ask, None, self._clock.now()))

    def forget(self, user: int) -> asyncio.Future[None]:
        """In its turn, forget a person whom the records forget: their match here is over, or a
        seat is held for them.
        """
        return self.turns.take(partial(self._forget, user))

    async def _forget(self, user: int) -> None:
        after = self.session.forgetting(user)
        if after != self.session:
            self.session = after
            self.on_change(self)

    async def _pressed_after(self, after: Earlier, ask: Ask, press: Press) -> Decision:
        """A press that would wait for longer than it may is dropped."""
        if not await past(after, press.patience(self._clock.now())):
            return Refused(Stale.TOO_OLD)
        return await self._decided(ask, press, press.arrived)

    async def in_turn(self, ask: Ask, press: Press, beside: Beside | None = None) -> Decision:
        """As `press`, for whoever has the turn in this table's line already."""
        return await self._decided(ask, press, press.arrived, beside)

    async def _decided(
        self, ask: Ask, press: Press | None, arrived: float, beside: Beside | None = None
    ) -> Decision:
        """Decide, write and change the table; or say why not, and change nothing but what is
        known of who is here. Raises what the journal raises; then nothing is changed. Who is away
        is asked of the time of the arrival: nobody is the later for what others waited for.
        """
        if press is not None and press.is_late(self._clock.now()):
            return Refused(Stale.TOO_OLD)
        before = self._dated()
        was_away = press is not None and self._came(press)
        back = returned(before, press.user) if press is not None else ()
        asked = ask(before, partial(self.moment, arrived))
        made = asked if isinstance(asked, Move) else None
        waited = round((self._clock.now() - arrived) * 1000)
        decision = asked if not isinstance(asked, Move) else move(before, asked, waited)
        writes = back or isinstance(decision, Done)
        if writes and not await self._carry_out(before, back, decision, press, beside):
            return Refused(Stale.SEEN)
        if made is not None:
            decision = self._after(made, decision, arrived, before.at)
        if press is not None:
            self._halved(press, decision)
        if back or self._is_news(decision, made, before):
            self.on_change(self)
        elif was_away and self.looks_otherwise():
            self.tell_of_time()
        return decision

    def _halved(self, press: Press, decision: Decision) -> None:
        """A press ends the half of a move that was made before it, and may be one itself."""
        self._halves.pop(press.user, None)
        if isinstance(decision, Done):
            if decision.played is None:
                self._came(press)  # they may have just sat down
            if decision.half is not None:
                self._halves[press.user] = (self.session.round, decision.half)

    def _came(self, press: Press) -> bool:
        """Somebody seated presses. Return whether they were away until now."""
        user = press.user
        if self.session.seat_of(user) is None:
            return False
        before = self._pressed.get(user, self._since)
        self._pressed[user] = press.arrived
        return press.arrived - before >= ABSENT_AFTER

    def _after(self, asked: Move, decision: Decision, arrived: float, at: int) -> Decision:
        """A move was made, or is refused: who was first is remembered, or told.

        `at`: Unix ms of its turn, which is later than the table's last entry.
        """
        if isinstance(decision, Done):
            self.races.take(self.session, asked, arrived)
            return decision
        told, noted = self.races.lost(self.session, decision, asked, arrived)
        if noted is not None:
            self._note(noted, at)
        return told

    def _is_news(self, decision: Decision, made: Move | None, before: Session) -> bool:
        """Return whether a picture may differ now. A posting that begins comes from drawing one,
        which must not lead to another.
        """
        if made is not None:
            return self._is_seen(before)
        return isinstance(decision, Done) and decision.entries != (e.PostingBegun(),)

    def _is_seen(self, before: Session) -> bool:
        """Return whether others see what was done. Turned cards are seen only by who turned them,
        and they get an answer.
        """
        now = self.session
        if now.phase is not before.phase or now.news != before.news:
            return True
        if now.state is None or before.state is None:
            return True
        return now.game.view(now.state, None) != now.game.view(before.state, None)

    async def _carry_out(
        self,
        session: Session,
        back: tuple[Entry, ...],
        decision: Decision,
        press: Press | None,
        beside: Beside | None,
    ) -> bool:
        """Write a decision, after what the press itself means, and go on from there. False when
        this press is in the journal already.
        """
        done = decision if isinstance(decision, Done) else None
        wanted = (*back, *done.entries) if done is not None else back
        played = done.played if done is not None else None
        entries, after = settle(session, wanted, session.at, played)
        pressed = press.interaction if press is not None else None
        asked = len(back) if done is not None and done.entries else 0  # what the press was for
        lines = [
            JournalLine(self.id, self._seq + i, session.at, entry, pressed if i == asked else None)
            for i, entry in enumerate(entries)
        ]
        others = beside.lines if beside is not None and done is not None else ()
        if lines:
            durable = bool(others) or any(isinstance(entry, e.DURABLE) for entry in entries)
            try:
                await self._journal.append([*lines, *others], durable=durable)
            except DuplicateError:
                return False
        self.session, self._seq = after, self._seq + len(lines)
        if beside is not None and others:
            beside.written()
        return True

    def _note(self, entry: e.Rejected, at: int) -> None:
        """Keep a refusal for the log. It is written with what comes next."""
        self._journal.note(JournalLine(self.id, self._seq, at, entry))
        self.session, self._seq = apply(self.session, entry, at), self._seq + 1

    def _dated(self) -> Session:
        """The session now, in Unix ms; never before its last entry, whatever the clock does."""
        now = int(self._clock.wall() * 1000)
        return self.session if now <= self.session.at else self.session.dated(now)
