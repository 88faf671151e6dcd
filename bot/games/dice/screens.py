"""A seat's view of a round of Ligretto Dice, and its screens.

On a real table all dice lie open. Here players see only their own, and how many the others have.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from bot.games.contract import Frame, GameView
from bot.games.dice.model import FACES, Colour, Die, Place, Roll, State
from bot.games.hints import HINTS_ON
from bot.games.hints import fits as hinted
from bot.games.values import Seat
from bot.screen import (
    OFF_PREFIX,
    Block,
    Choice,
    Line,
    Look,
    Row,
    Sentence,
    Style,
    Track,
    Words,
    rows_of,
)
from bot.text import Icon, Text, bare

KEPT = 1024
"""Roll's buttons in the cache: each names a number of rolls, which others reach as well."""


@dataclass(frozen=True, slots=True)
class Own:
    """A player's dice by number, how often they have rolled again, and the gaps since then."""

    dice: tuple[Die, ...]
    rolls: int
    gaps: tuple[int, ...] = ()

    @property
    def left(self) -> int:
        return sum(not die.placed for die in self.dice)

    def shown(self) -> list[int]:
        """Return the dice that have a button, by number, in the order of the buttons."""
        order = list(Colour)

        def place(number: int) -> tuple[int, int, int]:
            die = self.dice[number]
            return order.index(die.colour), die.value, number

        there = (n for n, die in enumerate(self.dice) if not die.placed or n in self.gaps)
        return sorted(there, key=place)


@dataclass(frozen=True, slots=True)
class View(GameView):
    """A round as one seat sees it, or as everybody does if `own` is None.

    `board` holds, by colour, the seats that placed its 1, its 2, and so on. `left` holds the dice
    left by seat, None for a seat that was not dealt in.
    """

    board: tuple[tuple[Colour, tuple[Seat, ...]], ...]
    left: tuple[int | None, ...]
    own: Own | None = None

    def fits(self, die: Die) -> bool:
        """Check whether a die's number is the next in its colour's row (D6, D7)."""
        placed = len(dict(self.board)[die.colour])
        return not die.placed and die.value == placed + 1


def view(state: State, seat: Seat | None) -> View:
    own = None if seat is None else state.seats[seat]
    return View(
        board=tuple((row.colour, row.owners) for row in state.board),
        left=tuple(None if dice is None else dice.left for dice in state.seats),
        own=None if own is None or own.gone else Own(own.dice, own.rolls, own.gaps),
    )


def centre(view: View) -> tuple[Line, ...]:
    """Draw the board: the placed dice, and in each row the next place as an outline."""
    return tuple(_track(colour, len(owners)) for colour, owners in view.board)


@cache
def _track(colour: Colour, placed: int) -> Track:
    icons = (
        f"{colour}d{n}" if n <= placed else "gap" if n == placed + 1 else "dot"
        for n in range(1, FACES + 1)
    )
    return Track(colour.value, tuple(icons), FACES)


def panel(view: View, frame: Frame) -> tuple[Block, ...]:
    """Draw a player's own dice as buttons, in order of colour and number, below Roll.

    A placed die leaves a gap until the next roll, which closes up the dice that are left. Nothing
    stands below them, so that no button ever moves up or down.
    """
    own = view.own
    above = Words((frame.head, *centre(view)))
    if own is None:
        return (above, frame.told())
    numbers = own.shown()
    helps = frame.assist and not frame.covered
    fits = {number for number in numbers if helps and view.fits(own.dice[number])}
    slots = tuple(_slot(number, own.dice[number], fits=number in fits) for number in numbers)
    if frame.covered:
        slots = tuple(map(_covered, range(len(slots))))
    hints: tuple[Line, ...] = ()
    if frame.assist:
        named = dict.fromkeys(_icon(own.dice[n]) for n in numbers if n in fits)
        hints = (_hint(None if frame.covered else tuple(named)),)
    roll = _roll(own.left, None if frame.covered or not own.left else own.rolls)
    return (
        above,
        *((Words(hints),) if hints else ()),
        frame.told(),
        Row((roll,)),
        *rows_of(slots, places=True),
    )


@lru_cache(KEPT)
def _hint(fits: tuple[str, ...] | None) -> Sentence:
    """Name the dice that fit, by their icons; None while all are covered."""
    return Sentence(HINTS_ON if fits is None else hinted(fits), Look.SMALL)


@lru_cache(KEPT)
def _roll(dice: int, rolls: int | None) -> Choice:
    """Draw Roll for whoever has so many dice and has rolled so often, disabled for None."""
    word = f"{OFF_PREFIX}roll" if rolls is None else str(Roll(rolls))
    label = Text("dice.roll", (("n", dice),))
    return Choice(label, word, "roll", Style.PRIMARY, off=rolls is None)


@cache
def _covered(number: int) -> Choice:
    """Draw the button of a die that nobody may see yet."""
    return Choice(Text("dice.hidden"), f"{OFF_PREFIX}{number}", "gap", off=True)


def _slot(number: int, die: Die, *, fits: bool) -> Choice:
    """Draw a die's button, or the gap that it has left."""
    if die.placed:
        return _gap(number)
    return _playing(die.colour, die.value, number, Style.SUCCESS if fits else Style.SECONDARY)


@cache
def _gap(number: int) -> Choice:
    return Choice(Text("dice.gap"), f"{OFF_PREFIX}{number}", "gap", off=True)


@cache
def _playing(colour: Colour, value: int, number: int, style: Style) -> Choice:
    """Draw the button that places a die."""
    icon = f"{colour}d{value}"
    return Choice(bare(Icon(icon)), str(Place(colour, value, number)), icon, style)


def _icon(die: Die) -> str:
    return f"{die.colour}d{die.value}"
