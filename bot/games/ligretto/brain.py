"""The computer player. It is given a View, like everybody else."""

from collections.abc import Iterator

from bot.games.kernel import Chance, Skill
from bot.games.ligretto.model import Flip, Lay, Move, Play
from bot.games.ligretto.screens import View


def choose(view: View, skill: Skill, chance: Chance) -> Move | None:
    """The first useful move that it notices, else a flip; None when there is nothing to do.

    The Ligretto pile comes first, since its cards cost points and the last one ends the round.
    """
    for move in _useful(view):
        if chance.fraction() < skill.attention:
            return move
    own = view.own
    return Flip(own.flips) if own is not None and own.can_turn else None


def _useful(view: View) -> Iterator[Move]:
    own = view.own
    if own is None:
        return
    if own.ligretto in view.fits and own.ligretto is not None:
        yield Play(own.ligretto)
    if own.ligretto is not None and own.gap is not None:
        yield Lay(own.ligretto, own.gap)
    for card in (*own.row, own.discard):
        if card is not None and card in view.fits:
            yield Play(card)
