"""One channel's game in progress: the only mutable thing in the bot that matters."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NewType, Protocol, TypeAlias

from bot.games.kernel import Chance, Refused, Seat
from bot.games.screen import Icon, Name
from bot.tables import entries as e
from bot.tables.clock import Clock
from bot.tables.consequences import settle
from bot.tables.decisions import Decide, Decision, Done, Why, half, may_deal, move
from bot.tables.entries import Entry
from bot.tables.fold import apply
from bot.tables.moment import Moment, at
from bot.tables.press import Press, Stale
from bot.tables.session import Phase, Session

TableId = NewType("TableId", int)
Signs: TypeAlias = tuple[object, bool, bool]
"""What a screen shows that time alone changes."""

CONTESTED = 3.0
"""Seconds within which another seat's card makes a press contested rather than wrong."""
NOTED = 300
"""Refusals of one seat in a round that are kept for the log: five minutes of one a second."""


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An entry in its place in the journal. `at`: Unix ms."""

    table: TableId
    seq: int
    at: int
    entry: Entry
    interaction: int | None = None


class DuplicateError(Exception):
    """This interaction is in the journal already."""


class Journal(Protocol):
    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        """Write lines together. Raises DuplicateError; on any error nothing is written."""

    def note(self, line: JournalLine) -> None:
        """Write a line in its turn, without waiting for it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The round as a player was last shown it."""

    round: int
    state: Any


class Table:
    """Every change goes through `do`: one at a time, in order of arrival, journal first."""

    def __init__(
        self, table_id: TableId, session: Session, seq: int, journal: Journal, clock: Clock
    ) -> None:
        self.id = table_id
        self.session = session
        self.count = 0
        self.message: int | None = None
        self.restarting = False  # the bot stops now; the table goes on when it is back
        self.on_change: Callable[[Table], None] = lambda _: None
        self._seq = seq
        self._journal = journal
        self._clock = clock
        self._turn = asyncio.Lock()
        self._since = clock.now()
        self._pressed: dict[int, float] = {}
        self._halves: dict[int, tuple[int, str]] = {}
        self._told: Signs = ((), False, False)
        self._shown: dict[int, Shown] = {}
        self._noted: Counter[tuple[int, Seat]] = Counter()
        self._claims: deque[tuple[str, Seat, float]] = deque(maxlen=64)

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

    def pressed(self, user: int, arrived: float) -> None:
        """This person is here, and asks for the other half of no move any more."""
        self._pressed[user] = arrived
        self._halves.pop(user, None)

    @property
    def last_press(self) -> float:
        """When a human last pressed anything, on the monotonic clock."""
        return max(self._pressed.values(), default=self._since)

    def moment(self) -> Moment:
        """What a screen shows of now."""
        now = self._clock.now()
        idle = {
            user: now - self._pressed.get(user, self._since)
            for user in (self.session.chairs[seat].user for seat in self.session.humans_in)
            if user is not None
        }
        wall = int(self._clock.wall() * 1000)
        return at(self.session, wall, self.count, idle, restarting=self.restarting)

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
        return now.absent, now.quiet, may_deal(self.session, now.now)

    def half(self, user: int) -> str | None:
        """The first half of a move that this person has made, while its other half is asked."""
        round_, word = self._halves.get(user, (0, ""))
        return word if word and round_ == self.session.round else None

    def shown(self, user: int, session: Session) -> None:
        """What this person has in front of him from now on: a contested press is told by it."""
        self._shown[user] = Shown(session.round, session.state)

    async def do(self, decide: Decide, press: Press | None = None) -> Decision:
        """Decide and carry out, or say why not. Nothing is changed unless it is in the journal."""
        async with self._turn:
            if press is not None and press.is_late(self._clock.now()):
                return Refused(Stale.TOO_OLD)
            session = self._dated()
            decision = decide(session)
            if isinstance(decision, Done):
                decision = await self._carry_out(session, decision, press)
        if isinstance(decision, Done):
            self.on_change(self)
        return decision

    async def move(self, seat: Seat, text: str, arrived: float, press: Press | None) -> Decision:
        """A move of the game. A refused one is noted, and told as contested when it was."""
        async with self._turn:
            if press is not None and press.is_late(self._clock.now()):
                return Refused(Stale.TOO_OLD)
            session = self._dated()
            decision = move(session, seat, text)
            if isinstance(decision, Refused):
                decision = self._refuse(decision, seat, text, arrived, session.at)
            else:
                decision = await self._carry_out(session, decision, press)
                if isinstance(decision, Done):
                    self._claimed(seat, text, arrived)
        if self._is_seen(session):
            self.on_change(self)
        elif self.looks_otherwise():
            self.tell_of_time()
        return decision

    def _is_seen(self, before: Session) -> bool:
        """Return whether others see what was done. Turned cards are seen only by who turned them,
        and they get an answer.
        """
        now = self.session
        if now.phase is not before.phase or now.state is None or now.news != before.news:
            return True
        return bool(now.game.view(now.state, None) != now.game.view(before.state, None))

    async def begin_move(self, seat: Seat, word: str) -> Decision:
        """The first half of a move: it is kept until the person's next press, and nowhere else."""
        user = self.session.chairs[seat].user
        decision = await self.do(partial(half, seat=seat, word=word))
        if isinstance(decision, Done) and user is not None:
            self._halves[user] = (self.session.round, word)
        return decision

    async def _carry_out(self, session: Session, done: Done, press: Press | None) -> Decision:
        at = session.at
        entries, after = settle(session, done.entries, at, done.played)
        first = press.interaction if press is not None else None
        lines = [
            JournalLine(self.id, self._seq + i, at, entry, first if i == 0 else None)
            for i, entry in enumerate(entries)
        ]
        if lines:
            durable = any(isinstance(entry, e.RESULTS) for entry in entries)
            try:
                await self._journal.append(lines, durable=durable)
            except DuplicateError:
                return Refused(Stale.SEEN)
        self.session, self._seq = after, self._seq + len(lines)
        return done

    def _claimed(self, seat: Seat, text: str, arrived: float) -> None:
        game = self.session.game
        claim = game.claim(game.parse(text))
        if claim is not None:
            self._claims.append((claim, seat, arrived))

    def _refuse(self, refused: Refused, seat: Seat, text: str, arrived: float, at: int) -> Refused:
        """Note a refusal by a rule for the log; say who was there first when there was a race."""
        session, game = self.session, self.session.game
        user = session.chairs[seat].user
        shown = self._shown.get(user) if user is not None else None
        if session.phase is not Phase.LIVE or game.lapsed(refused):
            return refused
        if shown is None or shown.round != session.round or shown.state is None:
            shown = Shown(session.round, session.state)
        parsed = game.parse(text)
        rival = self._rival(refused, seat, text, shown, arrived)
        if (written := game.written(shown.state, seat, parsed)) is not None:
            plain, card = written
            move_ = tuple(part for part in plain if isinstance(part, str | int))
            self._note(e.Rejected(seat, text, move_, card, *(rival or (None, None))), at)
        if rival is None:
            return refused
        who, ms = rival
        claim = game.claim(parsed) or text
        name = Name(session.chairs[who].name)
        return Refused(Why.TOO_LATE, (("card", Icon(claim)), ("who", name), ("ms", ms)))

    def _rival(
        self, refused: Refused, seat: Seat, text: str, shown: Shown, arrived: float
    ) -> tuple[Seat, int] | None:
        """Who took the place that this player still saw, and how many ms earlier."""
        game = self.session.game
        if refused.why is not game.no_fit:
            return None
        parsed = game.parse(text)
        if isinstance(game.play(shown.state, seat, parsed, Chance(b"", 0, 0)), Refused):
            return None
        claim = game.claim(parsed)
        for taken, who, when in reversed(self._claims):
            if taken == claim and who != seat and arrived - when <= CONTESTED:
                return who, max(1, round((arrived - when) * 1000))
        return None

    def _note(self, entry: e.Rejected, at: int) -> None:
        """Keep a refusal for the log, unless this seat has had very many in this round."""
        key = (self.session.round, Seat(entry.seat))
        if self._noted[key] >= NOTED:
            return
        self._noted[key] += 1
        self._journal.note(JournalLine(self.id, self._seq, at, entry))
        self.session, self._seq = apply(self.session, entry, at), self._seq + 1

    def _dated(self) -> Session:
        """The session now, in Unix ms; never before its last entry, whatever the clock does."""
        now = int(self._clock.wall() * 1000)
        return self.session if now <= self.session.at else replace(self.session, at=now)
