"""The example rounds of docs/rules.md: played by the rules, drawn and told as they went."""

import pytest
from PIL import Image

from bot.verify.referee import Referee
from bot.watch.rounds.reading import read, rounds
from bot.watch.rounds.values import Happening
from scripts.draw_race import log_of
from scripts.draw_rules import CARDS, DICE, PAGE, PICTURES, Example, shots, written
from tests.art.pixels import apart


@pytest.mark.parametrize("example", [CARDS, DICE], ids=["cards", "dice"])
async def test_pictures_show_a_round_that_the_rules_allow(example: Example) -> None:
    """A referee of its own finds every move legal, and each picture is of the step it tells of."""
    log = await log_of(example.seed, example.game)
    Referee(log).check()
    (round_,) = rounds(read(log))
    for shot in example.shots:
        step = round_.steps[shot.step]
        assert (step.kind, step.seat, step.card) == (shot.kind, shot.seat, shot.card), shot.said
    drawn = dict(shots(example, round_))
    assert len(drawn) == len(example.shots)
    for file, image in drawn.items():
        with Image.open(PICTURES / file) as kept:
            assert apart(image.convert("RGB"), kept.convert("RGB")) < 1, f"{file}: draw it again"


async def test_ending_the_round_of_cards_has_lost_it() -> None:
    """C27: what the last picture is there to show."""
    (round_,) = rounds(read(await log_of(CARDS.seed, CARDS.game)))
    stop = round_.steps[-1]
    assert (stop.kind, round_.by) == (Happening.END, stop.seat)
    assert round_.scores == (12, 17)
    assert stop.seat == 0
    assert "21 − 2 × 2 = 17" in CARDS.shots[-1].said


def test_page_has_the_words_and_pictures_of_the_rounds() -> None:
    page = PAGE.read_text("utf-8")
    assert written(page) == page, "python -m scripts.draw_rules"
