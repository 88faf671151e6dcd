"""A table as a frozen value: the sum of its entries. `bot.tables.fold` adds them up."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import AnyGame, GameState
from bot.games.streams import Streams
from bot.games.values import Options, Scores, Seat
from bot.tables import entries as e
from bot.tables.entries import Held
from bot.tables.seeds import Scheme, public_part

NEWS = 3
"""How many of the last events a table shows."""


NOBODY = 0
"""Stands for the user id of somebody forgotten, in a match that is over."""
NAMELESS = "?"


class Phase(StrEnum):
    LOBBY = "lobby"
    READY = "ready"
    COUNT = "count"
    LIVE = "live"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who sits there; `user` is None for a computer player. `choices`: its options.
    `stream`: which seat it was at Start, whatever seats before it were given up since.
    """

    user: int | None
    name: str
    left: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    stream: int = 0

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

    `at` is the time of the last entry and `since` of the last change of phase, in Unix ms. `round`
    counts deals, `moves` the accepted moves of the round as chance and log count them. `state` is
    the round's, None between rounds. `laid_at`: when a place was last taken, in Unix ms.
    `end_asked`: who wants to end the round; `released`: voter and absent seat. `dropped`: the last
    round was stopped and does not count. `pressed`: this round has had a press, accepted or
    refused; `fled`: the people who left it after that. `met`: at the first press of some round two
    people at least were in it. `forfeited`: a round was stopped after its first press since all
    people but one had left it, which rates it. `verdict`: what a match that has ended is good for,
    if its end says so. `played`: a round was live; before, there is no match that could be won.
    `secret` is the bot's part of the seed, `scheme` how it is dealt from. `postings` counts how
    often the table's message went out before the first deal, and `published` has those messages of
    it that Discord has answered with: with the first the seed is fixed. `started` is how many seats
    there were at Start, `started_at` when that was in Unix ms.
    """

    opened: e.Opened
    at: int
    since: int
    host: int
    channel: int
    options: Options
    parent: int | None = None
    chairs: tuple[Chair, ...] = ()
    held: tuple[Held, ...] = ()
    phase: Phase = Phase.LOBBY
    secret: bytes = field(default=b"", repr=False)
    scheme: Scheme = Scheme.COMMON
    started: int = 0
    started_at: int = 0
    postings: int = 0
    published: tuple[e.Published, ...] = ()
    seed: bytes = field(default=b"", repr=False)
    round: int = 0
    moves: int = 0
    state: GameState | None = None
    live_at: int = 0
    laid_at: int = 0
    dropped: bool = False
    pressed: bool = False
    fled: frozenset[Seat] = frozenset()
    met: bool = False
    forfeited: bool = False
    end_asked: frozenset[Seat] = frozenset()
    released: frozenset[tuple[Seat, Seat]] = frozenset()
    ready: frozenset[Seat] = frozenset()
    first_ready_at: int | None = None
    began: int = 0
    history: tuple[RoundResult, ...] = ()
    news: tuple[News, ...] = ()
    played: bool = False
    counts: bool = False
    verdict: str | None = None
    closed: str | None = None

    @cached_property
    def game(self) -> AnyGame:
        return GAMES[self.opened.game]

    @property
    def in_play(self) -> GameState:
        """The state of the round. AssertionError between rounds, when there is none."""
        assert self.state is not None
        return self.state

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

    def dated(self, at: int) -> "Session":
        """The same at this time, in Unix ms."""
        return self._with(at=at)

    def moved(self, at: int, state: GameState, moves: int, laid: News | None) -> "Session":
        """The round went on: its state then, how many moves it has, and what was laid, if anything
        was.
        """
        if laid is None:
            return self._with(at=at, state=state, moves=moves, pressed=True)
        news = (*self.news, laid)[-NEWS:]
        return self._with(at=at, state=state, moves=moves, pressed=True, news=news, laid_at=at)

    def _with(self, **changes: object) -> "Session":
        """As `replace`, and much quicker: each press needs two. It keeps what is worked out already
        (the cached properties), so it is only for what none of that is made of in a live round.
        """
        changed = object.__new__(Session)
        changed.__dict__.update(self.__dict__, **changes)
        return changed

    def forgetting(self, user: int) -> "Session":
        """The same, with no seat held for this person, and with nobody in their place where the
        match is over: what is stored of it names nobody either.
        """
        held = tuple(one for one in self.held if one.user != user)
        if self.phase is not Phase.OVER:
            return replace(self, held=held)
        chairs = tuple(
            replace(chair, user=NOBODY, name=NAMELESS) if chair.user == user else chair
            for chair in self.chairs
        )
        host = NOBODY if self.host == user else self.host
        return replace(self, held=held, chairs=chairs, host=host)

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

    @property
    def meet(self) -> bool:
        """Return whether two people or more are in the round."""
        return sum(self.dealt_in(seat) for seat in self.humans_in) > 1

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
    def promise(self) -> str:
        """SHA-256 of the bot's part of the seed, or of the seed where that is all of it."""
        return sha256(self.secret or self.seed).hexdigest()

    @cached_property
    def public(self) -> str | None:
        """The part of the seed that nobody can choose. None before it is known, or without one."""
        if not self.published:
            return None
        first = self.published[0]
        return public_part(first.channel, first.message)

    @property
    def public_of_lobby(self) -> bool:
        """Whether that part is the lobby's message, since no new one could be posted."""
        return bool(self.published) and self.published[0].message == self.published[0].lobby

    @property
    def awaits_deal(self) -> bool:
        """Between Start and the first deal, in a match that has promised a secret."""
        return self.phase is Phase.READY and not self.round and bool(self.secret)

    @property
    def unanswered(self) -> int:
        """How many postings begun before the first deal have brought no message of their own."""
        return self.postings - sum(one.message != one.lobby for one in self.published)

    @property
    def unpublished(self) -> bool:
        """The match has started, and its seed still lacks the table's message."""
        return self.phase is Phase.READY and not self.seed

    def next_chance(self) -> Chance:
        """For the next move of this round."""
        return self.chance(self.round, self.moves + 1)

    def chance(self, round_: int, move: int) -> Chance:
        """For a round's deal (`move` 0), or a move in it, by the scheme that was promised."""
        if self.scheme is Scheme.COMMON:
            return Chance(self.seed, round_, move)
        streams = [chair.stream for chair in self.chairs]
        return Streams(self.seed, round_, streams, self.started)
