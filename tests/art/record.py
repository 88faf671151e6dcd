"""Draws the golden sheets anew: `python -m tests.art.record`. Look at them before committing."""

from pathlib import Path

from bot.art.faces import faces
from tests.art.pixels import DARK, sheet

GOLDEN = Path(__file__).parent / "golden"
ACROSS, SIZE = 10, 44


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    picture = sheet(list(faces().values()), ACROSS, SIZE, DARK)
    picture.save(GOLDEN / "faces.png", optimize=True)


if __name__ == "__main__":
    main()
