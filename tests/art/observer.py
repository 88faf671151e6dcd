"""How often faces are taken for each other at a glance, and how far apart they are.

    python -m tests.art.observer            ten times the samples, in every sight and size

An ideal observer sees a face from afar: blurred, and with noise. It names the face whose picture is
nearest. It is no eye, but it orders faces as eyes do, and says the same every time.

Only the distances between the templates matter to it, so that the noise is drawn in as many
dimensions as there are faces and not as there are pixels: it is the same observer, in a hundredth
of the time.
"""

import argparse
import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import mul
from statistics import median
from typing import TypeAlias

from PIL import Image, ImageFilter

from bot.art.drawing import Drawing
from bot.art.faces import CARDS, DICE, faces
from bot.art.palette import FILL
from tests.art.color_vision import SIGHTS, Triple, lab, light
from tests.art.pixels import DARK, IN_TEXT, LIGHT, on

BLUR, NOISE = 1.6, 0.5
"""The observer's: the blur's radius in pixels, and the noise of every channel, of 1."""
GLANCES = 60
"""How often each face is looked at."""
EDGE = 3
"""Pixels of ground around a face."""
GAMMA = 1 / 2.2
DISTANCE_BLUR = 0.7

Face: TypeAlias = tuple[str, int]
"""A colour's letter and a number."""

CARD_FACES: Mapping[Face, Drawing] = {
    (c, n): faces()[f"{c}{n}"] for c in FILL for n in range(1, CARDS + 1)
}
DIE_FACES: Mapping[Face, Drawing] = {
    (c, n): faces()[f"{c}d{n}"] for c in FILL for n in range(1, DICE + 1)
}


@dataclass(frozen=True, slots=True)
class Misread:
    """The shares of glances, 0 to 1, that named another number, and another colour."""

    numbers: float
    colours: float


@dataclass(frozen=True, slots=True)
class Apart:
    """Mean CIE76 per pixel: between numbers of one colour, and between colours of one number."""

    least_number: float
    median_number: float
    least_colour: float


def misread(
    drawings: Mapping[Face, Drawing],
    ground: str,
    sight: str = "normal",
    size: int = IN_TEXT,
    glances: int = GLANCES,
) -> Misread:
    """Return how often the observer is wrong about these faces."""
    names = list(drawings)
    seen = [_channels(one, ground, sight, size) for one in drawings.values()]
    gram = [[0.0] * len(names) for _ in names]
    for i, one in enumerate(seen):
        for j in range(i + 1):
            gram[i][j] = gram[j][i] = sum(map(mul, one, seen[j]))
    factor = _cholesky(gram)
    bases = [[gram[j][j] / 2 - gram[i][j] for j in range(len(names))] for i in range(len(names))]
    chance = random.Random(1)
    wrong_numbers = wrong_colours = 0
    for _ in range(glances):
        for base, (colour, number) in zip(bases, names, strict=True):
            noise = [chance.gauss(0, NOISE) for _ in names]
            far = [at - sum(map(mul, row, noise)) for at, row in zip(base, factor, strict=True)]
            named = names[far.index(min(far))]
            wrong_colours += named[0] != colour
            wrong_numbers += named[1] != number
    looked = glances * len(names)
    return Misread(wrong_numbers / looked, wrong_colours / looked)


def apart(drawings: Mapping[Face, Drawing], ground: str, sight: str = "normal") -> Apart:
    """Return how far these faces are apart at the size of text."""
    seen = {face: _labs(one, ground, sight) for face, one in drawings.items()}
    pairs = list(combinations(seen, 2))
    numbers = [_mean(seen[a], seen[b]) for a, b in pairs if a[0] == b[0]]
    colours = [_mean(seen[a], seen[b]) for a, b in pairs if a[1] == b[1]]
    return Apart(min(numbers), median(numbers), min(colours))


def _blurred(drawing: Drawing, ground: str, size: int, blur: float, edge: int) -> Image.Image:
    picture = Image.new("RGB", (size + 2 * edge, size + 2 * edge), ground)
    picture.paste(on(ground, drawing, size), (edge, edge))
    return picture.filter(ImageFilter.GaussianBlur(blur))


def _channels(drawing: Drawing, ground: str, sight: str, size: int) -> list[float]:
    """Return a blurred face as one list of channels, 0 to 1, as evenly spaced as eyes have them."""
    pixels = light(_blurred(drawing, ground, size, BLUR, EDGE), sight)
    return [channel**GAMMA for pixel in pixels for channel in pixel]


def _labs(drawing: Drawing, ground: str, sight: str) -> list[Triple]:
    return [lab(one) for one in light(_blurred(drawing, ground, IN_TEXT, DISTANCE_BLUR, 2), sight)]


def _mean(one: Sequence[Triple], other: Sequence[Triple]) -> float:
    return sum(map(math.dist, one, other)) / len(one)


def _cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the lower triangle whose product with its transpose is this positive matrix."""
    lower: list[list[float]] = []
    for i, row in enumerate(matrix):
        new: list[float] = []
        for j in range(i):
            new.append((row[j] - sum(map(mul, new, lower[j]))) / lower[j][j])
        new.append(math.sqrt(max(row[i] - sum(one * one for one in new), 1e-9)))
        lower.append(new)
    return lower


def main() -> None:
    for kind, drawings in (("cards", CARD_FACES), ("dice", DIE_FACES)):
        for ground in (DARK, LIGHT):
            for sight in SIGHTS:
                far = apart(drawings, ground, sight)
                said = f"{kind} on {ground}, {sight}: numbers {far.least_number:.1f} at least, "
                said += f"median {far.median_number:.1f}; colours {far.least_colour:.1f}; misread"
                for size in (IN_TEXT, 28, 33):
                    wrong = misread(drawings, ground, sight, size, 10 * GLANCES)
                    said += f"  {size} px {wrong.numbers:.1%} / {wrong.colours:.2%}"
                sys.stdout.write(f"{said}\n")


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.art.observer", description=__doc__).parse_args()
    main()
