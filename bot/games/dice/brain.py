"""The computer player. It is given a View, like everybody else."""

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.dice.model import Move, Place, Roll
from bot.games.dice.screens import View


def choose(view: View, skill: Skill, chance: Chance) -> Move | None:
    """Place the first die that fits and is noticed; roll again when none is.

    Which one comes first hardly matters, so every level goes in order.
    """
    own = view.own
    if own is None or not own.left:
        return None
    for number, die in enumerate(own.dice):
        if view.fits(die) and chance.fraction() < skill.attention:
            return Place(die.colour, die.value, number)
    return Roll(own.rolls)
