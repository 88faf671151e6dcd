"""The places in a moving picture: a clock, the centre, the news, and a place per player.

From the top: the round's time as a bar, with its duels and the stop, and the clock; the centre; who
has just done what; the players. Up to four have a line each, with their row; more have two columns.
All lengths are pixels.
"""

from dataclasses import dataclass
from functools import cached_property

WIDTH, EDGE = 480, 10
CLOCK, NEWS, GAP = 26, 32, 8
"""Heights of the line with the clock and of the news, and the gap around the centre."""
LARGEST, SMALLEST = 52, 36
"""A pile of the centre, with its gap: at most, and where more don't fit into a line."""
FEW = 4
"""The most players who have a line each."""
TALL, LOW = 40, 32
"""The height of a player's place."""
DICE_IN_LINE = 13
"""Dice of a player who has more stand in two lines."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are outside."""


@dataclass(frozen=True)
class Layout:
    """The picture of a round. `seats`: those dealt in; `places`: by colour, those of its piles.

    `dice`: the most dice that a player has; 0 with cards.
    """

    seats: tuple[int, ...]
    places: int
    dice: int = 0

    @cached_property
    def colours_in_line(self) -> int:
        """4, 2 or 1 colours stand side by side in the centre."""
        fitting = (n for n in (4, 2) if n * self.places * SMALLEST <= WIDTH - 2 * EDGE)
        return next(fitting, 1) if self.places > 1 else 4

    @property
    def is_few(self) -> bool:
        return len(self.seats) <= FEW

    @cached_property
    def pile(self) -> int:
        """The width and height of a place in the centre, with its gap."""
        across = self.colours_in_line * self.places
        return min(LARGEST, (WIDTH - 2 * EDGE) // across)

    @property
    def news(self) -> int:
        """The top of the news."""
        return CLOCK + 2 * GAP + self.pile * (4 // self.colours_in_line)

    @property
    def players(self) -> int:
        """The top of the first player."""
        return self.news + NEWS + GAP

    @property
    def high(self) -> int:
        return TALL if self.is_few else LOW

    @cached_property
    def height(self) -> int:
        lines = len(self.seats) if self.is_few else -(-len(self.seats) // 2)
        return self.players + lines * self.high + GAP

    def pile_box(self, colour: int, place: int) -> Box:
        """Return where a pile stands: its colour from 0, and which of its colour's it is."""
        line, beside = divmod(colour, self.colours_in_line)
        across = self.colours_in_line * self.places * self.pile
        left = (WIDTH - across) // 2 + (beside * self.places + place) * self.pile
        top = CLOCK + GAP + line * self.pile
        return left, top, left + self.pile, top + self.pile

    def player_box(self, number: int) -> Box:
        """Return the place of a player, counted from 0 among those dealt in."""
        if self.is_few:
            top = self.players + number * self.high
            return EDGE // 2, top, WIDTH - EDGE // 2, top + self.high
        line, column = divmod(number, 2)
        left, top = column * WIDTH // 2, self.players + line * self.high
        return left + EDGE // 2, top, left + WIDTH // 2 - EDGE // 2, top + self.high
