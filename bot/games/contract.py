"""The contract between a game and the tables it is played at.

A game is an instance of a subclass of `Game`: its facts and the rules as pure functions over
frozen values. Nothing in a game performs I/O, reads a clock or draws chance of its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from bot.games.chance import Chance
from bot.games.values import (
    Dealt,
    Ending,
    LogMove,
    Option,
    Options,
    Played,
    Points,
    Refused,
    RulesPart,
    Seat,
)
from bot.screen import Block, Line, Words
from bot.text import Text


class GameState:
    """A round of a game: frozen, equal by value. Tables keep it and give it back to its game."""

    __slots__ = ()


class GameMove:
    """A move of a game: frozen, equal by value. `str` gives its notation, which `parse` reads."""

    __slots__ = ()


class GameView:
    """A round as one seat may know it, or everybody: frozen, equal by value.

    Hidden cards never get in here, so neither a panel nor a robot can leak them.
    """

    __slots__ = ()


S = TypeVar("S", bound=GameState)
M = TypeVar("M", bound=GameMove)
V = TypeVar("V", bound=GameView)


@dataclass(frozen=True, slots=True)
class Skill:
    """The strength of a robot: its pace, attention and order, not its knowledge.

    `pace` is the mean of seconds between two actions; `attention` the share of playable cards that
    it notices, `foresight` the share of moves that prepare others; without `orderly` it takes any
    of them as it comes.
    """

    pace: float
    attention: float
    foresight: float = 1.0
    orderly: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts of a panel that are the table's.

    `head` is its first line, `note` the line of what the player's last press led to, and `news`
    that of what the others did. A note that `is_refusal` says why a press changed nothing: a game
    may put a line of its own in the place of other notes, never of that one. `half` is the first
    half of a move whose other half is asked for now; with `assist` the panel points out what fits.
    While it is `covered`, the count is running: the panel shows nothing that is the player's own,
    every button is off, and all stands where it will stand in the round.
    """

    head: Line
    note: Line
    half: str | None = None
    assist: bool = False
    news: Line | None = None
    covered: bool = False
    is_refusal: bool = False

    def told(self, note: Line | None = None) -> Words:
        """Return the block of what has happened, the others' news first.

        `note`: a line instead of the frame's own.
        """
        own = self.note if note is None else note
        return Words((own,) if self.news is None else (self.news, own), news=True)


class Game(ABC, Generic[S, M, V]):
    """The facts and rules of one game, whose rounds are `S`, moves `M` and views `V`.

    Seats are counted from 0, and every tuple by seat has one item per seat of the table.
    """

    # -- facts ------------------------------------------------------------------------------

    key: str
    """The command, and the game's name in journals and records: an identifier, never changed.

    Its words: `game.key`, `name.key` and `command.key` name the game and its command; `key.stop`
    says that a player has finished, `key.hint` stands above the options, `key.left` above what
    everybody has left, and `key.own_left` before what a player has; `key.rules.leave` says in the
    rules what becomes of it when they leave.
    """
    seats: range
    """The numbers of players that a table takes (C1, D1): `stop` itself is one too many."""
    rules_version: int = 1
    """Raise it when a stored match would play differently now: earlier tables are then closed."""
    is_taught: bool = False
    """True if `/learn` teaches it: its tables offer that to newcomers."""
    options: tuple[Option, ...] = ()
    """The host's choices for the table, with words under `option.<key>`.

    Tables know two of them: `rounds`, how many are agreed, and `target`, the points that end a
    match, or `off` (M2).
    """
    together: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Options that share a list, since not every choice of one goes with every choice of another.

    By the list's key, with words under `options.<key>`: its values, each as what it sets, like
    `variant=standard,refill=hand`.
    """
    seat_options: tuple[Option, ...] = ()
    """The host's choices for one seat each. They reach the rules as `<option>.<seat>`."""
    with_seats: tuple[str, ...] = ()
    """The keys of the table's options that are chosen together with those of the seats."""
    abort_counts: bool = True
    """True if a round that the table stops is scored as it stands, False if it is dealt again."""
    openers: tuple[str, ...] = ()
    """The icons of the cards or dice that can be played first: all of them, for `key.opening`."""
    luck: float = 10.0
    """The amount of chance in a round: `beta` in `docs/ratings.md`, which says how to find it."""
    no_fit: StrEnum | None = None
    """The refusal of a move whose place is not there, or no longer there: the lost races."""

    # -- a match ----------------------------------------------------------------------------

    @abstractmethod
    def rounds(self, options: Options, seats: int) -> int:
        """Return the number of rounds agreed for this many seats without a points target (M2)."""

    def check(self, options: Options, seats: int) -> Refused | None:
        """Return why these options don't work for this number of seats; None if they do."""
        return None

    def share(self, options: Options, seats: int, seat: Seat) -> Text | None:
        """Return a text of what a seat will be dealt; None if every seat is dealt the same."""
        return None

    @abstractmethod
    def in_short(
        self, part: RulesPart, options: Options | None, dealt: Dealt | None
    ) -> tuple[Text, ...]:
        """Return the paragraphs of one part of the rules in short, each with its subject in bold.

        They tell only what holds with these `options`, those of the seats among them. None: at no
        table, where the defaults hold and the options part tells what a host can choose. `dealt`:
        None if it isn't known who plays.
        """

    # -- a round ----------------------------------------------------------------------------

    @abstractmethod
    def deal(self, dealt: tuple[bool, ...], options: Options, chance: Chance) -> S:
        """Deal a new round. `dealt`: True by seat for those in the round, `seats.start` or more."""

    @abstractmethod
    def play(self, state: S, seat: Seat, move: M, chance: Chance) -> Played[S] | Refused:
        """Return the round after this move, or why it is refused. Never raises.

        Tables call it in a live round only. It refuses a seat that was not dealt in or has left,
        and any move that `parse` can read but no button offered. Moves come in the order in which
        they arrived: the first takes a place (C7, D8).
        """

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterator[M]:
        """Yield every move that `play` would accept from this seat.

        Tables don't ask, and robots go by views: it is how tests and tools look into the rules.
        """

    @abstractmethod
    def leave(self, state: S, seat: Seat) -> S:
        """Return the round without this player. What they placed and still have counts on."""

    @abstractmethod
    def ending(self, state: S) -> Ending | None:
        """Return how the round has ended; None while it goes on. Called after every move."""

    @abstractmethod
    def scores(self, state: S) -> tuple[Points, ...]:
        """Score the round as it stands, by seat. A seat that was not dealt in scores 0."""

    @abstractmethod
    def left(self, state: S) -> tuple[int | None, ...]:
        """Count what each seat still has to get rid of; None for a seat that was not dealt in."""

    @abstractmethod
    def most_dealt(self, state: S) -> int:
        """Return the most that a seat had to get rid of at the deal: a full bar."""

    # -- moves ------------------------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> M:
        """Read a move's notation. Raises ValueError for any text that is not the `str` of a move.

        A notation is printable ASCII, 73 characters at most, and no text that a table has for its
        own buttons.
        """

    def half(self, state: S, seat: Seat, word: str) -> Text | Refused | None:
        """Read the first half of a move made in two presses.

        Return the question for the other half, or why it is not possible; None for a word that is
        not half a move.
        """
        return None

    def claim(self, move: M) -> str | None:
        """Return the place that a move takes from everybody else; None if it takes none.

        It is the name of an icon, with words under `icon.<name>`. Moves for one place are a race.
        Of a move that takes none, others see nothing but what its player has `left`.
        """
        return None

    def lapsed(self, refused: Refused) -> bool:
        """Return whether a refused press, such as a second one, broke no rule: the log omits it."""
        return False

    # -- what is seen -----------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return the round as this seat may see it, or as everybody may for None."""

    @abstractmethod
    def centre(self, view: V) -> tuple[Line, ...]:
        """Draw what everybody sees. It is the same for every seat's view."""

    @abstractmethod
    def panel(self, view: V, frame: Frame) -> tuple[Block, ...]:
        """Draw a view for its seat, with the frame's lines.

        A button's word is a move, half a move, `panel` to go back from a half, or anything if it is
        off. No word appears twice.
        """

    @abstractmethod
    def choose(self, view: V, skill: Skill, chance: Chance) -> M | None:
        """Choose a robot's next move, or None to wait. Only a legal move is chosen."""

    # -- the match log ----------------------------------------------------------------------

    def log_start(self, options: Options, seats: int) -> Mapping[str, object]:
        """Return the game's part of the log's first line, as JSON values.

        It has `game`, and the host's choices that change the rules.
        """
        return {"game": self.key}

    @abstractmethod
    def log_deal(self, state: S) -> Mapping[str, object]:
        """Return a round as dealt, as JSON values.

        `seats` has what each seat was dealt, None for a seat that is not in the round.
        """

    @abstractmethod
    def written(self, seen: S, seat: Seat, move: M) -> LogMove | None:
        """Return a refused move for the log; None if its card was not there.

        It is named by the place of its card in `seen`, the state that its player was last shown.
        """


AnyGame: TypeAlias = Game[GameState, GameMove, GameView]
"""A game as tables know it. They can't look into its values, only hand them back to it."""
