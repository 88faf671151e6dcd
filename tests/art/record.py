"""Draws the golden pictures anew: `python -m tests.art.record`. Look at them before committing."""

import argparse
from pathlib import Path

from bot.art import rating, score
from bot.art.faces import faces
from bot.art.rating import Dated, RatingPoint
from bot.art.score import ScoreRow
from tests.art.pixels import DARK, sheet

GOLDEN = Path(__file__).parent / "golden"
ACROSS, SIZE = 10, 44
DAY = 24 * 3600 * 1000
CURVE = tuple(
    RatingPoint(int(day * DAY), shown, margin)
    for day, shown, margin in (
        (0, 1000, 350), (0.1, 1064, 281), (0.2, 1018, 232), (6, 1090, 200), (7, 1060, 171),
        (7.2, 1104, 148), (15, 1131, 121), (29, 1102, 98), (29.1, 1155, 84), (41, 1150, 62),
    )
)  # fmt: skip
CURVE_DATES = tuple(
    Dated(day * DAY, words)
    for day, words in ((9, "Nov 9, 2026"), (23, "Nov 23, 2026"), (37, "Dec 7, 2026"))
)
EVENING = (
    ScoreRow(2, 1, "Benedikta-Charlotte", (12, 7, 14)),
    ScoreRow(1, 2, "Anna", (5, -3, 9)),
    ScoreRow(4, 3, "Robot 1", (-8, 11, 0)),
    ScoreRow(3, 4, "王小明", (-6, 0, -12)),
)
NAMES = ("Ben", "Zoë ✨", "Αλέξανδρος", "Дмитрий", "王小明", "محمد", "ñandú_77", "Łukasz Żółć")
TWELVE = tuple(
    ScoreRow(n, place, (*NAMES, "Robot 1", "Robot 2", "Robot 10", "🦊")[n - 1], (9 - n, 16 - 2 * n))
    for n, place in enumerate((1, 2, 2, 4, 5, 6, 7, 8, 9, 9, 11, 12), 1)
)
DICE = (
    ScoreRow(1, 1, "Anna", (4, 2)),
    ScoreRow(3, 2, "Cem", (-6, 1)),
    ScoreRow(2, 3, "Ben", (9, 3), left=True),
)
SCORES = {"score": EVENING, "score-12": TWELVE, "score-dice": DICE}
"""Scores of four players after three rounds, of twelve after two, and of three after two of dice,
from which seat 2 has left. Seat 2 ended the last round.
"""


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    picture = sheet(list(faces().values()), ACROSS, SIZE, DARK)
    picture.save(GOLDEN / "faces.png", optimize=True)
    curve = rating.png("Zoë Łukasz ✨", "1150 ± 62", CURVE, CURVE_DATES)
    (GOLDEN / "rating.png").write_bytes(curve)
    for name, shown in SCORES.items():
        (GOLDEN / f"{name}.png").write_bytes(score.png(shown, 2))


if __name__ == "__main__":
    argparse.ArgumentParser("python -m tests.art.record", description=__doc__).parse_args()
    main()
