"""A table as a frozen value, the sum of its entries. `bot.tables.state.evolve` adds them up."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import AnyGame, GameState
from bot.games.seat_streams import SeatStreams
from bot.games.values import Options, Scores, Seat
from bot.ids import ChannelId, UserId
from bot.tables.state import events as e
from bot.tables.state.events import Held
from bot.tables.state.seeds import Scheme, public_part

NEWS = 8
"""The number of latest plays that are kept to be told."""
RACES = 4
"""The number of latest lost races, and of latest alarms, that are kept to be told."""


NOBODY = UserId(0)
"""The user id that stands for a forgotten person, in a match that is over."""
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
    """A seat and its player; `user` is None for a robot.

    `choices`: the seat's options. `stream`: the seat's number at Start, even if seats before it
    were given up since.
    """

    user: UserId | None
    name: str
    left: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    stream: int = 0

    @property
    def human(self) -> bool:
        return self.user is not None


@dataclass(frozen=True, slots=True)
class News:
    """The seat that took a place."""

    seat: Seat
    claim: str


@dataclass(frozen=True, slots=True)
class LostRace:
    """A place that two seats pressed for, the loser `ms` milliseconds later.

    `at`: ms of the table's life. `is_duel`: it was close enough to be news to everybody.
    """

    winner: Seat
    loser: Seat
    claim: str
    ms: int
    at: int
    is_duel: bool


@dataclass(frozen=True, slots=True)
class Alarm:
    """A seat that is about to finish: what it has left since `at`, in ms of the table's life.

    `claim`: the place that it took with its move; None if it took none.
    """

    seat: Seat
    left: int
    claim: str | None
    at: int


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round: its ending with the points by seat, and for how many ms it was live.

    `seats`: those that were in it to its end.
    """

    ended: e.RoundEnded
    lasted: int
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Session:
    """The state of a table.

    Time: `at` is the date of the last entry in Unix ms, and `lived` the age of the table then, in
    ms. Durations go by its life: `since` is the last change of phase, `laid_at` the last time a
    place was taken, `first_ready_at` the first Ready of this wait, `live_at` the start of the live
    round (None while it isn't live), all in ms of the table's life. `was_live` is how many ms the
    round was live before it was paused. `started_at` is the time of Start in Unix ms.

    The round: `round` counts deals; `moves` counts the round's accepted moves, as chance and the
    log count them. `state` is None between rounds. `end_asked` has the seats that want to end the
    round, `release_votes` pairs of voter and absent seat. `dropped`: the last round was stopped and
    does not count. `pressed`: this round has had a press, accepted or refused; `fled`: the people
    who left it after that. `closest`: its closest duel so far.

    The match: `met`: at the first press of some round, at least two people were in it. `forfeited`:
    a round was stopped after its first press because all people but one had left, which rates it.
    `verdict`: the verdict on a match that has ended, if its end has one. `played`: some round was
    live; before that, there is no match to win.

    `held`: seats kept in a lobby for those who played before or asked for one. `queue`: people
    without a seat who want one in the rematch.

    The seed: `secret` is the bot's part of it, `scheme` the way to deal from it. `postings` counts
    how often the table message went out before the first deal; `published` has those that Discord
    has answered, the first of which fixes the seed. `started` is the number of seats at Start.
    """

    opened: e.Opened
    at: int
    since: int
    host: UserId
    channel: ChannelId
    options: Options
    parent: ChannelId | None = None
    chairs: tuple[Chair, ...] = ()
    held: tuple[Held, ...] = ()
    queue: tuple[Held, ...] = ()
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
    lived: int = 0
    live_at: int | None = None
    was_live: int = 0
    laid_at: int = 0
    dropped: bool = False
    pressed: bool = False
    fled: frozenset[Seat] = frozenset()
    met: bool = False
    forfeited: bool = False
    end_asked: frozenset[Seat] = frozenset()
    release_votes: frozenset[tuple[Seat, Seat]] = frozenset()
    ready: frozenset[Seat] = frozenset()
    first_ready_at: int | None = None
    began: int = 0
    history: tuple[RoundResult, ...] = ()
    news: tuple[News, ...] = ()
    lost_races: tuple[LostRace, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    closest: e.CloseCall | None = None
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
    def names(self) -> tuple[str, ...]:
        """The name of each seat's player, uncut."""
        return tuple(chair.name for chair in self.chairs)

    @cached_property
    def rounds(self) -> int:
        """The number of rounds agreed, for a match without a points target."""
        return self.game.rounds(self.options, len(self.chairs))

    @cached_property
    def totals(self) -> Scores:
        """Points of the finished rounds, seat by seat (M1)."""
        rounds = [result.ended.scores for result in self.history]
        return tuple(sum(column) for column in zip(*rounds, strict=True)) or (0,) * len(self.chairs)

    def dated(self, at: int, lived: int) -> "Session":
        """Return the same session at this time: Unix ms, and ms of the table's life."""
        return self._with(at=at, lived=lived)

    def moved(
        self, state: GameState, moves: int, laid: News | None, alarm: Alarm | None = None
    ) -> "Session":
        """Return the session one accepted press further.

        `state` and `moves` are the round's after it; `laid` is news of the place taken, if one was,
        and `alarm` that the player is about to finish, if they weren't so close before.
        """
        alarms = self.alarms if alarm is None else (*self.alarms, alarm)[-RACES:]
        if laid is None:
            return self._with(state=state, moves=moves, pressed=True, alarms=alarms)
        news, laid_at = (*self.news, laid)[-NEWS:], self.lived
        return self._with(
            state=state, moves=moves, pressed=True, news=news, laid_at=laid_at, alarms=alarms
        )

    @property
    def played_for(self) -> int:
        """The number of ms for which the round has been live, up to `lived`."""
        return self.was_live + (self.lived - self.live_at if self.live_at is not None else 0)

    def _with(self, **changes: object) -> "Session":
        """Return a changed copy, much faster than `replace`: each press needs two.

        The cached properties are kept, so change only fields that none of them depends on in a live
        round.
        """
        changed = object.__new__(Session)
        changed.__dict__.update(self.__dict__, **changes)
        return changed

    def forgetting(self, user: UserId) -> "Session":
        """Return the session without this person: no seat is held for them.

        If the match is over, `NOBODY` takes their place in it, as in the stored record.
        """
        held = tuple(one for one in self.held if one.user != user)
        queue = tuple(one for one in self.queue if one.user != user)
        if self.phase is not Phase.OVER:
            return replace(self, held=held, queue=queue)
        chairs = tuple(
            replace(chair, user=NOBODY, name=NAMELESS) if chair.user == user else chair
            for chair in self.chairs
        )
        host = NOBODY if self.host == user else self.host
        return replace(self, held=held, queue=queue, chairs=chairs, host=host)

    def seat_of(self, user: UserId) -> Seat | None:
        """Return the seat of a person who is still in, or None."""
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
            playing = tuple(seat for seat in playing if self.dealt_in(seat))
        return tuple(seat for seat in playing if seat not in self.ready)

    @cached_property
    def _left(self) -> tuple[int | None, ...]:
        return () if self.state is None else self.game.left(self.state)

    def dealt_in(self, seat: Seat) -> bool:
        return self.state is not None and self._left[seat] is not None

    @property
    def meet(self) -> bool:
        """True if two people or more are in the round."""
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
    def conceded(self) -> tuple[Seat, ...]:
        """The seats that left with as many points as the winners, or more.

        Because of them the winners have won. Empty if these have the most points of all, or if
        everybody has left.
        """
        best = self.totals[self.winners[0]]
        left = (Seat(seat) for seat, chair in enumerate(self.chairs) if chair.left)
        return tuple(s for s in left if self.totals[s] >= best and s not in self.winners)

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
        """True if that part is the lobby's message, since no new one could be posted."""
        return bool(self.published) and self.published[0].message == self.published[0].lobby

    @property
    def awaits_deal(self) -> bool:
        """True between Start and the first deal, in a match that has promised a secret."""
        return self.phase is Phase.READY and not self.round and bool(self.secret)

    @property
    def unanswered(self) -> int:
        """The number of postings, begun before the first deal, without a message of their own."""
        return self.postings - sum(one.message != one.lobby for one in self.published)

    @property
    def unpublished(self) -> bool:
        """True if the match has started, and its seed still lacks the table message."""
        return self.phase is Phase.READY and not self.seed

    def next_chance(self) -> Chance:
        """Return the chance for the next move of this round."""
        return self.chance(self.round, self.moves + 1)

    def chance(self, round_: int, move: int) -> Chance:
        """Return the chance for a round's deal (`move` 0), or for a move in it.

        The scheme that was promised decides. Under `Scheme.OWN`, `move` makes no difference.
        """
        if self.scheme is Scheme.COMMON:
            return Chance(self.seed, round_, move)
        streams = [chair.stream for chair in self.chairs]
        return SeatStreams(self.seed, round_, streams, self.started)
