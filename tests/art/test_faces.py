"""Faces look as they were approved, and can be told apart in a line of text."""

import re
from itertools import combinations

import pytest
from PIL import Image

from bot.art.drawing import digest, render
from bot.art.faces import CARDS, DICE, SEATS, faces
from bot.art.palette import FILL
from tests.art.pixels import DARK, LIGHT, apart, cell, full, on
from tests.art.record import ACROSS, GOLDEN, SIZE

TOLERANCE = 2.0
"""What another release of Pillow may draw differently: the mean of all channels, of 255."""
CLEAR = 3.5
"""What two faces of 22 pixels differ by at least, of 255; a green 2 and 3 are a pip apart.

How often they are taken for each other: `tests/art/test_observer.py`.
"""
MOST_BYTES = 256 * 1024


def test_there_is_a_face_for_everything_on_a_table() -> None:
    cards = {f"{c}{n}" for c in FILL for n in range(1, CARDS + 1)}
    dice = {f"{c}d{n}" for c in FILL for n in range(1, DICE + 1)}
    seats = {f"s{n}" for n in range(1, SEATS + 1)}
    assert (len(cards), len(dice), len(seats)) == (40, 24, 12)
    assert cards | dice | seats <= faces().keys()


@pytest.mark.parametrize("number", range(len(faces())), ids=list(faces()))
def test_a_face_looks_as_it_was_approved(number: int) -> None:
    with Image.open(GOLDEN / "faces.png") as golden:
        before = golden.convert("RGB").crop(cell(number, ACROSS, SIZE))
    now = on(DARK, list(faces().values())[number], SIZE)
    assert apart(before, now) < TOLERANCE


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
def test_all_faces_differ_clearly_at_the_size_of_text(ground: str) -> None:
    small = {name: on(ground, drawing) for name, drawing in faces().items()}
    close = {(a, b): apart(small[a], small[b]) for a, b in combinations(small, 2)}
    nearest = min(close, key=lambda pair: close[pair])
    assert close[nearest] >= CLEAR, nearest


def test_each_colour_has_a_shape_of_its_own() -> None:
    """Without any colour: what the silhouettes cover differs by a tenth of their area or more."""
    covered = {colour: full(faces()[f"{colour}5"]).getchannel("A") for colour in FILL}
    for one, other in combinations(covered.values(), 2):
        assert apart(one, other) > 255 / 20


def test_discord_takes_every_picture() -> None:
    for name, drawing in faces().items():
        assert len(render(drawing)) < MOST_BYTES
        assert re.fullmatch(r"\w{2,32}", f"{name}_{digest(drawing)}", re.ASCII)


def test_a_digest_is_the_drawing_s_own() -> None:
    digests = {digest(drawing) for drawing in faces().values()}
    assert len(digests) == len(faces())
    assert digest(faces()["r7"]) == digest(tuple(faces()["r7"])), "and the same every time"
