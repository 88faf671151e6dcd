"""What a game is: a record of pure functions over frozen values. Nothing here performs I/O."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

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

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")


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
