"""A robot of Ligretto notices some moves and overlooks others."""

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.ligretto.model import parse
from bot.games.ligretto.robot import choose
from bot.games.ligretto.view import view
from tests.games.ligretto.board import ANNA, SEED, board

FULL_ROW = """
    centre r1
    0  row g7 y8 r9 | ligretto b5 | hand y1 | discard y4 y3 {top}
    1  row b6 b7 b8 | ligretto y9 y8 | hand r5
"""


def chosen(skill: Skill, top: str) -> object:
    """The move of a robot with b5 for its g7, and with this card on its discard pile."""
    state = board(FULL_ROW.format(top=top), expert=True)
    return choose(view(state, ANNA), skill, Chance(SEED, 1, 1))


def test_a_card_laid_on_a_column_takes_foresight_and_one_for_the_centre_attention() -> None:
    heedless, attentive = Skill(1.0, 0.0, 1.0), Skill(1.0, 1.0, 0.0)
    assert chosen(heedless, "y2") == chosen(heedless, "r2") == parse("b5>0")
    assert chosen(attentive, "r2") == parse("r2")
    assert chosen(attentive, "y2") not in {parse("b5>0"), parse("y2")}
