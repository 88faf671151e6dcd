"""A table as a frozen value, the sum of its entries. `bot.tables.state.evolve` adds them up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from bot.games import GAMES
from bot.games.chance_scheme import Scheme
from bot.games.contract import AnyGame, GameState
from bot.games.values import Options, Scores, Seat
from bot.ids import ChannelId, UserId
from bot.tables.state import events as e
from bot.tables.state.events import Held
from bot.tables.state.session_values import (
    NEWS,
    RACES,
    Alarm,
    Chair,
    Departure,
    LostRace,
    News,
    RoundResult,
)

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


BEFORE_DEAL = (Phase.LOBBY, Phase.READY, Phase.COUNT)


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
    does not count; `dropped_by`: the seats that asked for that. `pressed`: this round has had a
    press, accepted or refused; `fled`: the people who left it after that. `closest`: its closest
    duel so far. `departures`: the latest players who left, to be told.

    `unseen`: at an arena's table, the people who have pressed nothing since the bot's last restart.

    The match: `met`: at the first press of some round, at least two people were in it. `forfeited`:
    a round was stopped after its first press because all people but one had left, which rates it.
    `verdict`: the verdict on a match that has ended, if its end has one. `abandoned`:
    it ended because all people left in it were away. `played`: some round was live; before that,
    there is no match to win.

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
    dropped_by: tuple[int, ...] = ()
    pressed: bool = False
    fled: frozenset[Seat] = frozenset()
    unseen: frozenset[Seat] = frozenset()
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
    departures: tuple[Departure, ...] = ()
    abandoned: bool = False
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
    def is_between_rounds(self) -> bool:
        """True while players get ready for the round after one that has counted."""
        return self.phase is Phase.READY and self.state is None and bool(self.history)

    @property
    def played_for(self) -> int:
        """The number of ms for which the round has been live, up to `lived`."""
        return self.was_live + (self.lived - self.live_at if self.live_at is not None else 0)

    def seen(self, seat: Seat) -> "Session":
        """Return the session after somebody has shown that they are back after a restart."""
        return self._with(unseen=self.unseen - {seat}) if seat in self.unseen else self

    def _with(self, **changes: object) -> "Session":
        """Return a changed copy, much faster than `replace`: each press needs two.

        The cached properties are kept, so change only fields that none of them depends on in a live
        round.
        """
        changed = object.__new__(Session)
        changed.__dict__.update(self.__dict__, **changes)
        return changed

    def seat_of(self, user: UserId) -> Seat | None:
        """Return the seat of a person who is still in, or None."""
        return self._seats.get(user)

    @cached_property
    def _seats(self) -> Mapping[UserId, Seat]:
        """The seats of people who are still in."""
        people = [(one.user, n) for n, one in enumerate(self.chairs) if not one.left]
        return {user: Seat(n) for user, n in reversed(people) if user is not None}

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
        """The place of each seat by points, ties sharing one (1, 1, 3); leavers come last.

        If everybody was away nobody has beaten them by staying: places go by points alone.
        """
        stayed = [self.abandoned or not chair.left for chair in self.chairs]
        keys = [*zip(stayed, self.totals, strict=True)]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    @cached_property
    def winners(self) -> tuple[Seat, ...]:
        """The leaders (M3); nobody wins a match that everybody was away from."""
        return () if self.abandoned else self.leaders

    @cached_property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with most points, equals together, of those still in, or of all if all left."""
        seats = self.seats_in or tuple(Seat(i) for i in range(len(self.chairs)))
        best = max((self.totals[seat] for seat in seats), default=0)
        return tuple(seat for seat in seats if self.totals[seat] == best)

    @cached_property
    def conceded(self) -> tuple[Seat, ...]:
        """The seats that left with as many points as the winners, or more.

        Because of them the winners have won. Empty if these have the most points of all, or if
        there are none.
        """
        if not self.winners:
            return ()
        best = self.totals[self.winners[0]]
        left = (Seat(seat) for seat, chair in enumerate(self.chairs) if chair.left)
        return tuple(s for s in left if self.totals[s] >= best and s not in self.winners)
