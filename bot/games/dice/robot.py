"""The robot of Ligretto Dice. It sees only a View, like everybody else."""

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.dice.model import Move, Place, Roll
from bot.games.dice.screens import View


def choose(view: View, skill: Skill, chance: Chance) -> Move | None:
    """Place the first fitting die it notices, or else roll again. None if it has no dice left.

    The order hardly matters, so every level goes through the dice in turn.
    """
    own = view.own
    if own is None or not own.left:
        return None
    for number, die in enumerate(own.dice):
        if view.fits(die) and chance.fraction() < skill.attention:
            return Place(die.colour, die.value, number)
    return Roll(own.rolls)
