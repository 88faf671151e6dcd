"""The contract between a game and the tables it is played at.

A game is an instance of a subclass of `Game`: its facts and the rules as pure functions over
frozen values. Nothing in a game performs I/O, reads a clock or draws chance of its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from bot.games.chance import Chance
from bot.games.screen import Block, Line, Text
from bot.games.values import (
    Ending,
    LogMove,
    Option,
    Options,
    Played,
    Points,
    Refused,
    Seat,
)


class GameState:
    """A round of a game: frozen, equal by value. Tables keep it and give it back to its game."""

    __slots__ = ()


class GameMove:
    """A move of a game: frozen, equal by value. `str` gives its notation, which `parse` reads."""

    __slots__ = ()


class GameView:
    """A round as one seat may know it, or everybody: frozen, equal by value.

    Hidden cards never get in here, so neither a panel nor a computer player can leak them.
    """

    __slots__ = ()


S = TypeVar("S", bound=GameState)
M = TypeVar("M", bound=GameMove)
V = TypeVar("V", bound=GameView)


@dataclass(frozen=True, slots=True)
class Skill:
    """What makes a computer player strong: pace, attention and order, not what it knows.

    `pace` is the mean of seconds between two actions; `attention` the share of playable cards
    that it notices, `foresight` the share of moves that prepare others; without `orderly` it
    takes any of them as it comes.
    """

    pace: float
    attention: float
    foresight: float = 1.0
    orderly: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a panel that are the table's: its first line, and the line of what happened.

    `half` is the first half of a move whose other half is asked for now; with `assist` the
    panel points out what fits.
    """

    head: Line
    note: Line
    half: str | None = None
    assist: bool = False


class Game(ABC, Generic[S, M, V]):
    """The facts and rules of one game, whose rounds are `S`, moves `M` and views `V`.

    Seats are counted from 0, and every tuple by seat has one item per seat of the table.
    """

    # -- facts ------------------------------------------------------------------------------

    key: str
    """Its command and its name in journals and records: an identifier, never changed. The keys of
    its words begin with it: `key.stop` says that a player has finished, `key.left` and
    `key.legend` explain the lists of what is left and of points.
    """
    seats: range
    """How many players a table takes: from `start` up to, not including, `stop`."""
    rules_version: int = 1
    """Raised when journals of before would play differently; tables under way are then ended."""
    rule_topics: tuple[str, ...]
    """The parts of the rules in short, each with words under `key.rules`."""
    options: tuple[Option, ...] = ()
    """The host's choices for the table. Two keys mean something to tables: `rounds`, how many are
    agreed, and `target`, the points that end a match, or `off`.
    """
    seat_options: tuple[Option, ...] = ()
    """The host's choices for one seat each; they reach the rules as `key.seat`. A game that has
    some has words under `key.hint`.
    """
    abort_counts: bool = True
    """True: a round stopped by the table is scored as it stands. False: it is dealt again."""
    numbered: bool = False
    """True: the centre tells players by their seats' numbers, from 1."""
    luck: float = 10.0
    """How much chance is in a round: `beta` in `docs/ratings.md`, which tells how to find it."""
    no_fit: StrEnum | None = None
    """The refusal of a move whose place is not there, or not any more: the lost races."""

    # -- a match ----------------------------------------------------------------------------

    @abstractmethod
    def rounds(self, options: Options, seats: int) -> int:
        """Return how many rounds are agreed for so many seats, where there is no points target."""

    def check(self, options: Options, seats: int) -> Refused | None:
        """Return why these options are not possible for so many seats, None if they are."""
        return None

    def share(self, options: Options, seats: int, seat: Seat) -> Text | None:
        """Return what a seat will get, None when every seat gets the same."""
        return None

    # -- a round ----------------------------------------------------------------------------

    @abstractmethod
    def deal(self, dealt: tuple[bool, ...], options: Options, chance: Chance) -> S:
        """Return a new round. `dealt`: by seat, whether it is dealt in; at least `seats.start`."""

    @abstractmethod
    def play(self, state: S, seat: Seat, move: M, chance: Chance) -> Played[S] | Refused:
        """Return the round after this move, or why it is refused; a forged move is refused too.

        Only called while a round is live. A seat that was not dealt in or has left is refused.
        """

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterator[M]:
        """Yield every move that `play` would accept from this seat."""

    @abstractmethod
    def leave(self, state: S, seat: Seat) -> S:
        """Return the round without this player. What they have laid and have left still counts."""

    @abstractmethod
    def ending(self, state: S) -> Ending | None:
        """Return how the round has ended, None while it goes on. Asked after every move."""

    @abstractmethod
    def scores(self, state: S) -> tuple[Points, ...]:
        """Count the round as it stands, by seat; zeros for a seat that was not dealt in."""

    @abstractmethod
    def left(self, state: S) -> tuple[int | None, ...]:
        """Return what each seat still has to get rid of, None where it was not dealt in."""

    # -- moves ------------------------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move's notation, of at most 73 characters of ASCII. Raise ValueError for any text
        that is not exactly the `str` of a move.
        """

    def half(self, state: S, seat: Seat, word: str) -> Text | Refused | None:
        """Read the first half of a move made in two presses: return the question for the other
        half, why it is not possible, or None for a word that is no half of a move.
        """
        return None

    def claim(self, move: M) -> str | None:
        """Return the place that a move takes from everybody else, as the name of an icon; None for
        a move that takes none. Two moves with the same place race for it.
        """
        return None

    def lapsed(self, refused: Refused) -> bool:
        """Return whether a refusal breaks no rule (a second press): the log leaves it out."""
        return False

    # -- what is seen -----------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return the round as this seat may know it. None: as everybody may."""

    @abstractmethod
    def centre(self, view: V) -> tuple[Line, ...]:
        """Draw what everybody sees; the same for every seat's view."""

    @abstractmethod
    def panel(self, view: V, frame: Frame) -> tuple[Block, ...]:
        """Draw a view for its seat, with the frame's lines. The word of a button is a move, a half
        of one, `panel` for the way back from a half, or anything where it is off; no word twice.
        """

    @abstractmethod
    def choose(self, view: V, skill: Skill, chance: Chance) -> M | None:
        """Choose a computer player's next move; None when it has nothing to do, or sees nothing."""

    # -- the match log ----------------------------------------------------------------------

    def log_start(self, options: Options, seats: int) -> Mapping[str, object]:
        """Return what the log's first line says of the game: `game`, and what the host has chosen.
        All is JSON.
        """
        return {"game": self.key}

    @abstractmethod
    def log_deal(self, state: S) -> Mapping[str, object]:
        """Return a round as it is dealt, in JSON: under `seats` what each seat has got, None where
        it was not dealt in.
        """

    @abstractmethod
    def written(self, seen: S, seat: Seat, move: M) -> LogMove | None:
        """Return a refused move for the log, by where its card lay in the state that its player was
        last shown; None if it lay nowhere.
        """


AnyGame: TypeAlias = Game[GameState, GameMove, GameView]
"""A game as tables know it: they can't look into its values, only give them back to it."""
