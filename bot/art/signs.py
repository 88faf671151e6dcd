"""The signs beside the cards: piles, moves, and marks for players."""

from math import cos, pi, sin

from bot.art.digits import number
from bot.art.drawing import Drawing, Line
from bot.art.palette import GOLD, GREY, INK, LEAF, LIGHT, NIGHT, PAPER, SCREEN, SLATE, STOP
from bot.art.shapes import arc, area, box, moved, spot, stroke, tile

L: tuple[Line, ...] = (((38, 50), (38, 98), (68, 98)),)
DOWN: tuple[Line, ...] = (((58, 46), (58, 92)), ((40, 74), (58, 94), (76, 74)))
AROUND: tuple[Line, ...] = (arc((61, 70), (23, 23), 160, 350), ((69, 66), (84, 71), (92, 55)))
PIPS: Line = ((-24, -24), (24, -24), (0, 0), (-24, 24), (24, 24))
BACK: Line = box(64, 64, 80, 104)
CROWN: Line = ((14, 40), (40, 66), (64, 24), (88, 66), (114, 40), (104, 106), (24, 106))


def stack(x: float, y: float, count: int, marks: tuple[Line, ...]) -> Drawing:
    """Draw a stack of `count` cards with marks on the front one."""
    cards: Drawing = ()
    for level in reversed(range(count)):
        sheet = box(x + level * 12, y - level * 12, 60, 78)
        cards += (area(sheet, 9, INK), area(sheet, 5, SLATE if level else PAPER))
    return (*cards, *(stroke(mark, 14, INK) for mark in marks))


def covered(marks: tuple[Line, ...]) -> Drawing:
    """Draw a face-down card with marks."""
    return (*tile(BACK, 11, SLATE), *(stroke(mark, 14, PAPER) for mark in marks))


def back() -> Drawing:
    """Draw a face-down card with the four cuts in small."""
    small = (
        area(box(45, 43, 6, 10), 10, PAPER),
        area(((83, 29), (93, 37), (93, 49), (83, 57), (73, 49), (73, 37)), 4, PAPER),
        area(box(45, 86, 24, 30), 2, PAPER),
        area(((72, 72), (94, 72), (94, 92), (83, 100), (72, 92)), 3, PAPER),
    )
    return (*covered(()), *small)


def numbered_back(seat: int) -> Drawing:
    """Draw the back of one player's cards, with the number of their seat, from 1."""
    panel = area(box(64, 64, 58, 82), 6, NIGHT)
    height = 62 if seat < 10 else 54  # noqa: PLR2004 two digits
    return (*covered(()), panel, *number(seat, 64, height, PAPER))


def gap() -> Drawing:
    """Draw the four corners of a place for a card."""
    return tuple(
        stroke(((x - 26 * dx, y), (x, y), (x, y - 26 * dy)), 12, GREY)
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        for x, y in ((64 + 46 * dx, 64 + 46 * dy),)
    )


def roll() -> Drawing:
    """Draw a tilted die."""
    block = moved(box(0, 0, 70, 70), 64, 64, turn=16)
    pips = moved(PIPS, 64, 64, turn=16)
    return (area(block, 16, INK), area(block, 11, PAPER), *(spot(x, y, 20, INK) for x, y in pips))


def computer() -> Drawing:
    """Draw a robot's head."""
    mast = ((64, 16), (64, 40))
    head = box(64, 78, 84, 60)
    return (
        stroke(mast, 26, INK),
        stroke(mast, 15, PAPER),
        *(area(head, grow, shade) for grow, shade in ((18, INK), (13, PAPER), (0, SCREEN))),
        *(spot(x, 74, 24, LIGHT) for x in (44, 84)),
        stroke(((50, 97), (78, 97)), 8, LIGHT),
    )


def crown() -> Drawing:
    band = stroke(((34, 92), (94, 92)), 8, INK)
    return (area(CROWN, 11, INK), area(CROWN, 6, GOLD), band)


def stop() -> Drawing:
    """Draw a stop sign."""
    edge = tuple(
        (round(64 + 44 * cos(turn), 2), round(64 + 44 * sin(turn), 2))
        for turn in (pi / 8 + pi / 4 * corner for corner in range(8))
    )
    rings = ((17, INK), (12, PAPER), (2, STOP))
    return (
        *(area(edge, grow, shade) for grow, shade in rings),
        stroke(((44, 64), (84, 64)), 16, PAPER),
    )


def flag() -> Drawing:
    """Draw a white flag on its pole."""
    pole, cloth = ((36, 22), (36, 108)), ((40, 24), (106, 24), (92, 46), (106, 68), (40, 68))
    return (
        stroke(pole, 26, INK),
        area(cloth, 11, INK),
        area(cloth, 5, PAPER),
        stroke(pole, 14, GOLD),
    )


def ready() -> Drawing:
    """Draw a tick."""
    line = ((24, 68), (52, 98), (104, 32))
    return tuple(
        stroke(line, width, shade) for width, shade in ((40, INK), (34, PAPER), (22, LEAF))
    )


SIGNS: dict[str, Drawing] = {
    "pile": stack(52, 74, 3, L),
    "discard": stack(58, 70, 2, DOWN),
    "flip": covered(AROUND),
    "back": back(),
    "gap": gap(),
    "dot": (spot(64, 64, 26, GREY),),
    "roll": roll(),
    "computer": computer(),
    "crown": crown(),
    "stop": stop(),
    "flag": flag(),
    "ready": ready(),
}
