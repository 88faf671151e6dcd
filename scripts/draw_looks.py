"""Draws the sheets in docs/pictures that docs/looks.md shows: `python -m scripts.draw_looks`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from bot.art.faces import CARDS, DICE, SEATS, faces
from bot.art.palette import FILL
from bot.art.signs import SIGNS
from tests.art.pixels import DARK, IN_TEXT, LIGHT, sheet
from tests.art.test_colours import APART, seen

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
LARGE = 44
CARD_NAMES = [f"{colour}{n}" for colour in FILL for n in range(1, CARDS + 1)]
DIE_NAMES = [f"{colour}d{n}" for colour in FILL for n in range(1, DICE + 1)]
SIGN_NAMES = [
    *SIGNS,
    *(f"{colour}{what}" for what in ("0", "full") for colour in FILL),
    *(f"s{n}" for n in range(1, SEATS + 1)),
]


def main() -> None:
    for name, names, across in (
        ("faces-cards", CARD_NAMES, CARDS),
        ("faces-dice", DIE_NAMES, DICE),
        ("faces-signs", SIGN_NAMES, 7),
    ):
        _save(name, _on_both(names, across))
    _save("faces-colour-blind", _colour_blind())


def _on_both(names: Sequence[str], across: int) -> Image.Image:
    """Draw the cards in two sizes, on a dark ground and on a light one."""
    drawings = [faces()[name] for name in names]
    return _beside(
        [
            sheet(drawings, across, size, ground)
            for ground in (DARK, LIGHT)
            for size in (LARGE, IN_TEXT)
        ]
    )


def _colour_blind() -> Image.Image:
    """Draw cards and dice as they are, and for three kinds of colour-blindness, from the left."""
    names = [f"{colour}{n}" for n in ("3", "8", "d5") for colour in FILL]
    plain = sheet([faces()[name] for name in names], len(FILL), LARGE, DARK)
    return _beside([_as_seen(plain, sight) for sight in APART])


def _as_seen(picture: Image.Image, sight: str) -> Image.Image:
    """Return a picture as one kind of colour-blindness sees it. `picture`: in RGB."""
    known: dict[bytes, bytes] = {}
    pixels = picture.tobytes()
    changed = bytearray()
    for at in range(0, len(pixels), 3):
        colour = pixels[at : at + 3]
        if colour not in known:
            fitted = seen(f"#{colour.hex()}", sight).fit("srgb").coords()
            known[colour] = bytes(round(255 * part) for part in fitted)
        changed += known[colour]
    return Image.frombytes("RGB", picture.size, bytes(changed))


def _beside(pictures: Sequence[Image.Image]) -> Image.Image:
    gap = 12
    size = (
        sum(one.width + gap for one in pictures) - gap,
        max(one.height for one in pictures),
    )
    whole, left = Image.new("RGBA", size), 0
    for one in pictures:
        whole.paste(one, (left, 0))
        left += one.width + gap
    return whole


def _save(name: str, picture: Image.Image) -> None:
    path = PICTURES / f"{name}.png"
    picture.save(path, optimize=True)
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
