"""Draws the example rounds of docs/rules.md, and writes their words into it.

`python -m scripts.draw_rules`. Each is a whole round, raced through at a table of the bot from a
seed, and drawn as Watch draws it.
"""

import asyncio
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from PIL import Image

from bot.watch.drawing.picture import drawn_frames
from bot.watch.drawing.plan import FramePlan
from bot.watch.rounds.pace import Frame
from bot.watch.rounds.values import Face, Happening, WatchedRound
from scripts.draw_race import NAMES, played

DOCS = Path(__file__).parent.parent / "docs"
PAGE, PICTURES = DOCS / "rules.md", DOCS / "pictures"
COLUMNS = 100
ANNA, BEN = range(len(NAMES))


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the step's number, what happens in it, what it shows, and what is said of it."""

    step: int
    kind: Happening
    seat: int | None
    card: Face | None
    alt: str
    said: str


@dataclass(frozen=True, slots=True)
class Example:
    """A round from its seed, and the pictures of it, in order."""

    game: str
    seed: int
    shots: tuple[Shot, ...]


CARDS = Example(
    "ligretto",
    203,
    (
        Shot(
            0,
            Happening.DEAL,
            None,
            None,
            "Anna's row: R3, Y5, B7, Y2, R5. Ben's: R9, G9, G2, R4, G7. The centre is empty",
            "**What you hold.** With two players everyone has a row of five and a Ligretto pile of"
            " ten: Anna's shows R10, Ben's Y8. The hands of 25, face down, aren't in the picture."
            " Only a 1 can begin, and nobody has one on top.",
        ),
        Shot(
            1,
            Happening.LAID,
            BEN,
            "y1",
            "Ben has played Y1, the first card in the centre",
            "**What fits.** Both flip. Ben turns up a yellow 1 and plays it, which opens a pile."
            " A yellow 2 comes next, anyone's.",
        ),
        Shot(
            2,
            Happening.LAID,
            ANNA,
            "y2",
            "Anna has played Y2 on Ben's Y1, and R10 has taken its place in her row",
            "**A gap fills.** Anna plays the Y2 of her row. The top of her Ligretto pile, R10,"
            " takes its place by itself; nine cards are left in the pile.",
        ),
        Shot(
            6,
            Happening.DUEL,
            BEN,
            "g2",
            "Ben was first to G2, 126 milliseconds before Anna",
            "**A race.** Both have a G2 and press. Ben's press is first, by 126 ms. Anna's is"
            " refused: she keeps her G2, and that is all.",
        ),
        Shot(
            32,
            Happening.LAID,
            ANNA,
            "r10",
            "Anna has one Ligretto card left and a gap in her row; Ben has three left",
            "**The last card.** Half a minute later R10 completes a red pile. Anna's gap stays"
            " open: her last Ligretto card, B5, would end the round, so it waits for her press.",
        ),
        Shot(
            36,
            Happening.END,
            ANNA,
            None,
            "Anna has stopped the round with 12 points; Ben has 17",
            "**Ligretto stop!** Anna presses, and the round is over. She has 12 cards in the centre"
            " and none in her Ligretto pile: 12 points. Ben has 21 and 2:"
            " 21 − 2 × 2 = 17. Anna has ended the round, and Ben has won it.",
        ),
    ),
)
DICE = Example(
    "dice",
    2,
    (
        Shot(
            0,
            Happening.DEAL,
            None,
            None,
            "Anna and Ben have rolled twelve dice each; all rows of the board are empty",
            "**What you hold.** With two players everyone has twelve dice and rolls them all."
            " Anna has four 1s, Ben has none.",
        ),
        Shot(
            2,
            Happening.LAID,
            ANNA,
            "bd1",
            "Anna has placed the blue 1",
            "**What fits.** Ben rolls all twelve again. Anna places her blue 1: the blue row takes"
            " a 2 next.",
        ),
        Shot(
            6,
            Happening.DUEL,
            BEN,
            "rd1",
            "Ben was first to the red 1, 65 milliseconds before Anna",
            "**A race.** Both have a red 1. Ben's press is first, by 65 ms. Anna keeps her die and"
            " has to roll it again: the space is taken.",
        ),
        Shot(
            14,
            Happening.MOVED,
            ANNA,
            None,
            "Anna has rolled her seven remaining dice",
            "**A roll.** None of Anna's seven dice fits now, so she rolls all seven. Now her"
            " yellow 1s and her green 4 fit.",
        ),
        Shot(
            33,
            Happening.END,
            ANNA,
            None,
            "Anna has placed her last die: 3 points. Ben has three dice left: −3 points",
            "**Ligretto STOP!** Anna places her last die. Ben has three left: she scores 3, and he"
            " loses 3.",
        ),
    ),
)


def shots(example: Example, round_: WatchedRound) -> Iterator[tuple[str, Image.Image]]:
    """Yield the file name and the picture of each shot."""
    steps = [round_.steps[shot.step] for shot in example.shots]
    plan = FramePlan(round_, NAMES, (round_.steps[0].at, round_.steps[-1].at))
    tiles, images = drawn_frames(plan, [Frame(step, 0) for step in steps])
    for number, image in enumerate(images, 1):
        image.putpalette(tiles.palette)
        yield name(example, number), image


def name(example: Example, number: int) -> str:
    return f"rules-{example.game}-{number}.png"


def written(page: str) -> str:
    """Return the page with the pictures and sentences of both rounds between their marks."""
    for example in (CARDS, DICE):
        begin, end = f"<!-- example: {example.game} -->\n", "<!-- end of the example -->\n"
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}{_told(example)}{end}{after}"
    return page


def _told(example: Example) -> str:
    pictures = (f"pictures/{name(example, n)}" for n in range(1, 1 + len(example.shots)))
    told = zip(example.shots, pictures, strict=True)
    return "".join(f"![{shot.alt}]({at})\n\n{fill(shot.said, COLUMNS)}\n\n" for shot, at in told)


async def main() -> None:
    for example in (CARDS, DICE):
        for file, image in shots(example, await played(example.seed, example.game)):
            out = io.BytesIO()
            image.save(out, "PNG", optimize=True)
            (PICTURES / file).write_bytes(out.getvalue())
            sys.stdout.write(f"{file}: {len(out.getvalue()) // 1024} KiB\n")
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
