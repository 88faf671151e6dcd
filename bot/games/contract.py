"""What a game is: a record of pure functions over frozen values.

Nothing here or below performs I/O. Chance comes in as an argument, so that the same seed and
the same moves always lead to the same state, today and after a restart.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Generic, NewType, TypeAlias, TypeVar

from bot.games.screen import Block, Line, Text, Values

Seat = NewType("Seat", int)
Scores: TypeAlias = tuple[int, ...]
Options: TypeAlias = Mapping[str, str]
LogMove: TypeAlias = tuple[tuple[str | int | tuple[str | int, ...], ...], str | None]
"""A move as the match log writes it, and the card or die meant: `(("play", "row0", 2), "R7")`."""

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
T = TypeVar("T")


class Chance:
    """The only source of randomness in a game: HMAC-SHA256 of a label and a draw number.

    Anyone who knows the match's 32 byte seed can recompute every deal and roll (see
    `docs/chance.md`). The label is round and move here, 0 for the deal: the first scheme of chance,
    in which all seats draw from one stream. `bot.games.streams` has the second.
    """

    def __init__(self, seed: bytes, *label: int | str) -> None:
        self._seed = seed
        self._label = "/".join(map(str, label))
        self._draws = 0

    def of(self, seat: Seat, time: int, die: int | None = None) -> "Chance":  # noqa: ARG002 one for all
        """The stream of what this seat gets from chance: at the deal (`time` 0), or when it rolls
        or takes up its discard pile for the `time`-th time in the round. `die`: one of its dice.
        """
        return self

    def shared_out(self, items: Sequence[T], counts: Sequence[int]) -> tuple[tuple[T, ...], ...]:
        """The items, shuffled, to the seats in their order: so many to each, from the front."""
        bag = iter(self.shuffled(items))
        return tuple(tuple(islice(bag, count)) for count in counts)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each equally likely."""
        limit = bound * (2**256 // bound)
        while (block := self._block()) >= limit:
            pass
        return block % bound

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def fraction(self) -> float:
        """A number from 0 up to, not including, 1."""
        return self.below(2**53) / 2**53

    def _block(self) -> int:
        message = f"{self._label}/{self._draws}".encode()
        self._draws += 1
        return int.from_bytes(hmac.digest(self._seed, message, "sha256"))


@dataclass(frozen=True, slots=True)
class Refused:
    """A press that loses the race or breaks a rule: an ordinary outcome, not an error.

    The reason's value is the key of the words that explain it.
    """

    why: StrEnum
    values: Values = ()

    @property
    def text(self) -> Text:
        return Text(self.why.value, self.values)


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """An accepted press: the new state, what it was called, and its moves as the log counts them.

    One press can be two moves (turn the hand over and flip; play and refill).
    """

    state: S
    said: Text
    moves: tuple[LogMove, ...]


class Reason(StrEnum):
    """How a round ended; the values are those of the match log."""

    LIGRETTO = "ligretto"
    DICE = "dice"
    DEAD = "dead"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class Ending:
    reason: Reason
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """What a seat made in a round: plus points and minus points, both counted upwards."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the host has: its key, its values as words or numbers, and the default.

    `moot` says whether the other options leave this one without a meaning, so that nobody
    needs to be told of it.
    """

    key: str
    values: tuple[str, ...]
    default: str
    moot: Callable[[Options], bool] = lambda _: False


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
    """What a panel shows beside the game: its first line, and the line of what happened.

    `half` is the first half of a move whose other half is asked for now; with `assist` the
    panel points out what fits.
    """

    head: Line
    note: Line
    half: str | None = None
    assist: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, M, V]):
    """The rules of one game. `str(move)` and `parse` are inverse: the move's notation.

    `deal` takes who is dealt in, seat by seat. `scores` counts the round as it stands. `left`
    is what a seat still has to get rid of, None where it was not dealt in.

    `log_start` is what the match log says of the game in its first line, for so many seats: its
    name there, its rules and what the host has chosen; `log_deal` a round as it is dealt, as the
    log writes it.

    `rules` names the parts of the rules in short, each with words under `key.rules`.

    `seat_options` are the host's choices for one seat each; they reach `deal` as `key.seat`.
    `check` says why options are not possible for so many seats, `share` what a seat will get
    when seats differ, and `rounds` how many rounds they make. `abort_counts`: a round stopped
    from outside is scored as it stands, else it is dropped and dealt again. `numbered`: the
    centre tells seats by a number.

    `claim` names the place a move takes from everybody else, None for a move that takes none;
    `no_fit` is the refusal of a move whose place is not there, or not any more. `lapsed` tells
    a refusal that breaks no rule (a second press), which the log leaves out; `written` gives a
    refused move as the log writes it, by where its card lay when the player last saw it.

    `half` reads the first half of a move made in two presses: what is asked for next, why it
    is not possible, or None for a word that is no half of a move.

    `panel` draws a view for its seat in a frame; `centre` draws it for everybody.
    """

    key: str
    log_start: Callable[[Options, int], Mapping[str, Any]]
    log_deal: Callable[[S], Mapping[str, Any]]
    seats: range
    rules_version: int
    rules: tuple[str, ...]
    options: tuple[Option, ...]
    seat_options: tuple[Option, ...]
    check: Callable[[Options, int], Refused | None]
    share: Callable[[Options, int, Seat], Text | None]
    rounds: Callable[[Options, int], int]
    abort_counts: bool
    numbered: bool
    deal: Callable[[tuple[bool, ...], Options, Chance], S]
    play: Callable[[S, Seat, M, Chance], Played[S] | Refused]
    moves: Callable[[S, Seat], Iterator[M]]
    leave: Callable[[S, Seat], S]
    ending: Callable[[S], Ending | None]
    scores: Callable[[S], tuple[Points, ...]]
    left: Callable[[S], tuple[int | None, ...]]
    view: Callable[[S, Seat | None], V]
    centre: Callable[[V], tuple[Line, ...]]
    panel: Callable[[V, Frame], tuple[Block, ...]]
    choose: Callable[[V, Skill, Chance], M | None]
    parse: Callable[[str], M]
    half: Callable[[S, Seat, str], Text | Refused | None]
    claim: Callable[[M], str | None]
    no_fit: StrEnum
    lapsed: Callable[[Refused], bool]
    written: Callable[[S, Seat, M], LogMove | None]


AnyGame: TypeAlias = Game[Any, Any, Any]
