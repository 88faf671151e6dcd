"""A round of the daily: a fold over its player's presses, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import cycle

from bot.daily.chain import seed
from bot.daily.dates import DayNumber
from bot.daily.schedule import PLAYER, ROBOTS, ROUND, SEATS, share
from bot.games.chance import Chance
from bot.games.contract import AnyGame, GameMove, GameState, Skill
from bot.games.seat_streams import SeatStreams
from bot.games.values import Ending, LogMove, Played, Refused, Seat
from bot.screen import OFF_PREFIX
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.router import PressRefusal
from bot.tables.state.options import defaults
from bot.text import Text

ATTENTIVE = Skill(pace=0.0, attention=1.0)
"""Robots of a daily miss nothing, so no chance is in what they choose."""
NO_CHANCE = Chance(b"")
"""The chance that such a robot is given. It misses nothing, so it never draws from it."""


class DailyRefusal(StrEnum):
    """A reason to refuse a press on a daily. The value is the catalogue key of its words."""

    OVER = "daily.refused.over"
    NOT_BEGUN = "daily.refused.not_begun"
    USED = "daily.refused.used"
    NOT_TODAY = "daily.refused.not_today"
    PUBLISHED = "daily.refused.published"
    AWAY = "daily.refused.away"
    UNREACHABLE = "daily.refused.unreachable"


class BadPressesError(Exception):
    """Presses that the rules can't have accepted: what was stored is damaged."""


@dataclass(frozen=True, slots=True)
class Made:
    """A seat's move as the log writes it, and the place that it took, if it took one."""

    seat: Seat
    moves: tuple[LogMove, ...]
    claim: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """An accepted press, with the moves that it led to: the player's own, then the robots'."""

    word: str
    said: Text
    made: tuple[Made, ...]


@dataclass(frozen=True, slots=True)
class DailyRound:
    """One person's round. `dealt`: the state as it was dealt; `state`: after all `steps`."""

    game: AnyGame
    day: DayNumber
    seed: bytes = field(repr=False)
    dealt: GameState
    state: GameState
    steps: tuple[Step, ...] = ()

    @property
    def presses(self) -> int:
        """The player's accepted presses."""
        return len(self.steps)

    @property
    def ending(self) -> Ending | None:
        return self.game.ending(self.state)

    @property
    def points(self) -> tuple[int, ...]:
        """The points as the round stands, by seat."""
        return tuple(one.net for one in self.game.scores(self.state))


def options_of(game: AnyGame) -> dict[str, str]:
    """Return the options of a daily: the same in every server."""
    own = {f"{one.key}.{seat}": one.default for one in game.seat_options for seat in SEATS}
    return {**defaults(game), **own}


def begun(game: AnyGame, day: DayNumber, secret: bytes) -> DailyRound:
    """Deal a day's round: the same for everybody."""
    of_day = seed(secret, day)
    dealt = game.deal((True,) * len(SEATS), options_of(game), _chance(of_day))
    return DailyRound(game, day, of_day, dealt, dealt)


def pressed(one: DailyRound, word: str) -> DailyRound | Refused:
    """Return the round after a press and the robots' share, or why it is refused.

    A refused press moves nobody. The end of the round, by anybody, ends the share.
    """
    if one.ending is not None:
        return Refused(DailyRefusal.OVER)
    if word.startswith(OFF_PREFIX):
        return Refused(TableRefusal.NOTHING_THERE)
    try:
        move = one.game.parse(word)
    except ValueError:
        return Refused(PressRefusal.UNKNOWN)
    played = _played(one, one.state, PLAYER, move)
    if isinstance(played, Refused):
        return played
    made = [Made(PLAYER, played.moves, one.game.claim(move))]
    state = _shared(one, played.state, made)
    step = Step(word, played.said, tuple(made))
    return replace(one, state=state, steps=(*one.steps, step))


def _shared(one: DailyRound, state: GameState, made: list[Made]) -> GameState:
    """Return the state after the robots' turns that follow the next press.

    After their share the robots go on in turn for as long as the player can do nothing at all:
    no press would ever come. The end of the round ends all of it.
    """
    game = one.game
    for seat in share(one.seed, one.presses + 1):
        if game.ending(state) is not None:
            return state
        state = _turn(one, state, seat, made)
    further = cycle(ROBOTS)
    while game.ending(state) is None and next(game.moves(state, PLAYER), None) is None:
        state = _turn(one, state, next(further), made)
    return state


def _turn(one: DailyRound, state: GameState, seat: Seat, made: list[Made]) -> GameState:
    """Return the state after a robot's turn, and note what it made of it."""
    chosen = one.game.choose(one.game.view(state, seat), ATTENTIVE, NO_CHANCE)
    if chosen is None:
        return state
    played = _played(one, state, seat, chosen)
    assert isinstance(played, Played), f"robots choose legal moves: {chosen}"
    made.append(Made(seat, played.moves, one.game.claim(chosen)))
    return played.state


def replayed(one: DailyRound, words: Iterable[str]) -> DailyRound:
    """Return a round after these accepted presses. Raises BadPressesError if one is refused."""
    for word in words:
        after = pressed(one, word)
        if isinstance(after, Refused):
            raise BadPressesError(f"press {one.presses + 1} of a daily refused: {after.why}")
        one = after
    return one


def _played(
    one: DailyRound, state: GameState, seat: Seat, move: GameMove
) -> Played[GameState] | Refused:
    return one.game.play(state, seat, move, _chance(one.seed))


def _chance(of_day: bytes) -> SeatStreams:
    return SeatStreams(of_day, ROUND, SEATS, len(SEATS))
