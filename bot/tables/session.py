"""A table as a frozen value: the sum of its entries. `apply` is the only way to change one."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any, assert_never

from bot.games import GAMES
from bot.games.kernel import AnyGame, Chance, Options, Played, Reason, Refused, Scores, Seat
from bot.tables import entries as e
from bot.tables.entries import Entry, Held

NEWS = 3
"""How many of the last events a table shows."""


class Phase(StrEnum):
    LOBBY = "lobby"
    READY = "ready"
    COUNT = "count"
    LIVE = "live"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who sits there; `user` is None for a computer player. `choices`: its options."""

    user: int | None
    name: str
    left: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def human(self) -> bool:
        return self.user is not None


@dataclass(frozen=True, slots=True)
class News:
    """Who laid what, and who came too late for it by how many ms."""

    seat: Seat
    claim: str
    late: tuple[tuple[Seat, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round: how it ended, its points by seat, how long it was live in ms."""

    ended: e.RoundEnded
    lasted: int


@dataclass(frozen=True)
class Session:
    """Everything that is known of a table.

    `at` is the time of the last entry and `since` of the last change of phase, in Unix ms.
    `round` counts deals, `moves` the accepted moves of the round as chance and log count them.
    `state` is the round's, None between rounds.
    """

    opened: e.Opened
    at: int
    since: int
    host: int
    options: Options
    chairs: tuple[Chair, ...] = ()
    held: tuple[Held, ...] = ()
    phase: Phase = Phase.LOBBY
    seed: bytes = field(default=b"", repr=False)
    round: int = 0
    moves: int = 0
    state: Any = None
    live_at: int = 0
    ready: frozenset[Seat] = frozenset()
    first_ready_at: int | None = None
    began: int = 0
    history: tuple[RoundResult, ...] = ()
    news: tuple[News, ...] = ()
    counts: bool = False
    closed: str | None = None

    @cached_property
    def game(self) -> AnyGame:
        return GAMES[self.opened.game]

    @cached_property
    def all_options(self) -> Options:
        """The table's options and each seat's, these as `key.seat`."""
        of_seats = {
            f"{key}.{seat}": value
            for seat, chair in enumerate(self.chairs)
            for key, value in chair.choices
        }
        return {**self.options, **of_seats}

    @cached_property
    def rounds(self) -> int:
        """How many rounds were agreed, when there is no points target."""
        return self.game.rounds(self.options, len(self.chairs))

    @cached_property
    def totals(self) -> Scores:
        """Points of the finished rounds, seat by seat (M1)."""
        rounds = [result.ended.scores for result in self.history]
        return tuple(sum(column) for column in zip(*rounds, strict=True)) or (0,) * len(self.chairs)

    def seat_of(self, user: int) -> Seat | None:
        """The seat of a person who is still in."""
        for seat, chair in enumerate(self.chairs):
            if chair.user == user and not chair.left:
                return Seat(seat)
        return None

    @cached_property
    def seats_in(self) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat, chair in enumerate(self.chairs) if not chair.left)

    @cached_property
    def humans_in(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats_in if self.chairs[seat].human)

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        """The humans whose Ready is still to come; in a paused round only those dealt in."""
        if self.phase is not Phase.READY:
            return ()
        playing = self.humans_in
        if self.state is not None:
            left = self.game.left(self.state)
            playing = tuple(seat for seat in playing if left[seat] is not None)
        return tuple(seat for seat in playing if seat not in self.ready)

    def dealt_in(self, seat: Seat) -> bool:
        return self.state is not None and self.game.left(self.state)[seat] is not None

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by points, ties sharing one (1, 1, 3); leavers come last."""
        keys = [(not c.left, total) for c, total in zip(self.chairs, self.totals, strict=True)]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    @cached_property
    def winners(self) -> tuple[Seat, ...]:
        """Most points win, equal points share (M3); of those still in, or of all if all left."""
        seats = self.seats_in or tuple(Seat(i) for i in range(len(self.chairs)))
        best = max((self.totals[seat] for seat in seats), default=0)
        return tuple(seat for seat in seats if self.totals[seat] == best)

    @cached_property
    def commit(self) -> str:
        """SHA-256 of the seed: the promise, made before the first deal, that nothing is chosen."""
        return sha256(self.seed).hexdigest()

    def chance(self) -> Chance:
        """For the next move of this round, or for its deal."""
        return Chance(self.seed, self.round, self.moves + 1)


def begin(opened: e.Opened, at: int) -> Session:
    """A lobby as it opens."""
    return Session(opened, at, at, opened.host, opened.options, held=opened.held)


def apply(session: Session, entry: Entry, at: int, played: Played[Any] | None = None) -> Session:
    """The table after one more entry. `played` saves a move that was worked out already."""
    session = replace(session, at=at)
    match entry:
        case e.Moved(seat, text, _):
            return _moved(session, Seat(seat), text, played)
        case e.Rejected():
            return _rejected(session, entry)
        case (
            e.Seated() | e.Unseated() | e.Released() | e.OptionSet() | e.SeatOptionSet() | e.Left()
        ):
            return _seating(session, entry)
        case e.Started(seed):
            return _enter(replace(session, seed=bytes.fromhex(seed), held=()), Phase.READY)
        case e.Readied(seat):
            first = session.first_ready_at or at
            ready = session.ready | {Seat(seat)}
            return replace(session, ready=ready, first_ready_at=first)
        case e.RoundEnded():
            lasted = at - session.live_at if session.live_at else 0
            dropped = entry.reason is Reason.ABORT and not session.game.abort_counts
            result = () if dropped else (RoundResult(entry, lasted),)
            history = (*session.history, *result)
            return _enter(replace(session, history=history, state=None), Phase.READY)
        case e.MatchEnded(counts):
            return _enter(replace(session, counts=counts, state=None), Phase.OVER)
        case e.Closed(reason):
            return _enter(replace(session, closed=reason, state=None), Phase.CLOSED)
        case e.Dealt() | e.Paused() | e.Resumed() | e.WentLive():
            return _round(session, entry)
        case e.Opened():
            raise ValueError("a table is opened once, by begin")
        case _:
            assert_never(entry)


def _enter(session: Session, phase: Phase) -> Session:
    return replace(session, phase=phase, since=session.at, ready=frozenset(), first_ready_at=None)


def _round(session: Session, entry: e.Dealt | e.Paused | e.Resumed | e.WentLive) -> Session:
    match entry:
        case e.Dealt(dealt):
            number = session.round + 1
            state = session.game.deal(dealt, session.all_options, Chance(session.seed, number, 0))
            began = session.began or sum(chair.human for chair in session.chairs)
            dealt_now = replace(
                session, round=number, moves=0, state=state, live_at=0, news=(), began=began
            )
            return _enter(dealt_now, Phase.COUNT)
        case e.Paused():
            return _enter(session, Phase.READY)
        case e.Resumed():
            return _enter(session, Phase.COUNT)
        case e.WentLive():
            return _enter(replace(session, live_at=session.live_at or session.at), Phase.LIVE)


def _seating(
    session: Session,
    entry: e.Seated | e.Unseated | e.Released | e.OptionSet | e.SeatOptionSet | e.Left,
) -> Session:
    match entry:
        case e.Seated(user, name, choices):
            held = tuple(seat for seat in session.held if seat.user != user)
            chair = Chair(user, name, choices=choices)
            return replace(session, chairs=(*session.chairs, chair), held=held)
        case e.Unseated(seat):
            chairs = session.chairs[:seat] + session.chairs[seat + 1 :]
            ready = frozenset(Seat(r - (r > seat)) for r in session.ready if r != seat)
            return _hosted(replace(session, chairs=chairs, ready=ready))
        case e.Left(seat):
            gone = replace(session.chairs[seat], left=True)
            chairs = (*session.chairs[:seat], gone, *session.chairs[seat + 1 :])
            state = session.state and session.game.leave(session.state, Seat(seat))
            return _hosted(replace(session, chairs=chairs, state=state))
        case e.Released():
            return replace(session, held=())
        case e.OptionSet(key, value):
            return replace(session, options={**session.options, key: value})
        case e.SeatOptionSet(seat, key, value):
            chair = session.chairs[seat]
            chosen = {**dict(chair.choices), key: value}
            chair = replace(chair, choices=tuple(chosen.items()))
            chairs = (*session.chairs[:seat], chair, *session.chairs[seat + 1 :])
            return replace(session, chairs=chairs)


def _hosted(session: Session) -> Session:
    """When the host has left, the next human is host."""
    if session.seat_of(session.host) is not None or not session.humans_in:
        return session
    host = session.chairs[session.humans_in[0]].user
    assert host is not None
    return replace(session, host=host)


def _moved(session: Session, seat: Seat, text: str, played: Played[Any] | None) -> Session:
    game = session.game
    move = game.parse(text)
    outcome = played or game.play(session.state, seat, move, session.chance())
    assert not isinstance(outcome, Refused), f"journal and rules disagree: {seat} {text} {outcome}"
    claim = game.claim(move)
    news = session.news if claim is None else (*session.news, News(seat, claim))[-NEWS:]
    moves = session.moves + len(outcome.moves)
    return replace(session, state=outcome.state, moves=moves, news=news)


def _rejected(session: Session, entry: e.Rejected) -> Session:
    """A contested press is news of the one who was first."""
    if entry.late_to is None or entry.late_ms is None:
        return session
    claim = session.game.claim(session.game.parse(entry.move))
    late = (Seat(entry.seat), entry.late_ms)
    news = tuple(
        replace(item, late=(*item.late, late))
        if (item.seat, item.claim) == (entry.late_to, claim)
        else item
        for item in session.news
    )
    return replace(session, news=news)
