"""Draws the golden pictures anew: `python -m tests.art.record`. Look at them before committing."""

import argparse
from pathlib import Path

from bot.art import rating, score
from bot.art.faces import faces
from bot.art.score import Standing
from tests.art.pixels import DARK, sheet

GOLDEN = Path(__file__).parent / "golden"
ACROSS, SIZE = 10, 44
RATINGS = (1000, 1030, 1010, 1060, 1100, 1080, 1150)
EVENING = (
    Standing(2, 1, (12, 7, 14), 33),
    Standing(1, 2, (5, -3, 9), 11),
    Standing(4, 3, (-8, 11, 0), 3),
    Standing(3, 4, (-6, 0, -12), -18),
)
STOPPED = (2, 4, None)


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    picture = sheet(list(faces().values()), ACROSS, SIZE, DARK)
    picture.save(GOLDEN / "faces.png", optimize=True)
    (GOLDEN / "rating.png").write_bytes(rating.png(RATINGS))
    (GOLDEN / "score.png").write_bytes(score.png(EVENING, STOPPED))


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.art.record", description=__doc__).parse_args()
    main()
