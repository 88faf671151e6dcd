"""The robot of Ligretto. It sees only a View, like everybody else."""

from collections.abc import Iterator

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.ligretto.fits import columns_for, takes
from bot.games.ligretto.model import TOP, Card, Flip, Lay, Move, Play
from bot.games.ligretto.view import Own, View


def choose(view: View, skill: Skill, chance: Chance) -> Move | None:
    """Choose the first useful move it notices, or else a flip. None if it can do neither."""
    own = view.own
    if own is None:
        return None
    useful = tuple(_useful(view, own))
    for move in useful if skill.orderly else chance.shuffled(useful):
        if chance.fraction() < _notice(move, own, skill):
            return move
    return Flip(own.flips) if own.can_turn else None


def _notice(move: Move, own: Own, skill: Skill) -> float:
    """Return the probability of noticing a move.

    A card laid on a column only prepares other moves, so it takes foresight (expert game).
    """
    on_column = isinstance(move, Lay) and bool(own.columns[move.column])
    return skill.foresight if on_column else skill.attention


def _useful(view: View, own: Own) -> Iterator[Move]:
    """Yield the useful moves, the best first.

    The Ligretto pile comes first, since its cards cost points and the last one ends the round.
    """
    into_row = () if own.ligretto is None else _columns(own, own.ligretto, expert=view.expert)
    if own.ligretto is not None:
        if own.ligretto in view.fits:
            yield Play(own.ligretto)
        if into_row:
            yield Lay(own.ligretto, into_row[0])
    for card in (*own.row, own.discard):
        if card is not None and card in view.fits:
            yield Play(card)
    if view.expert and not into_row:
        yield from _bridge(own)


def _columns(own: Own, card: Card, *, expert: bool) -> list[int]:
    """Return the columns for a card, the best first.

    It goes best on the lowest card, since lower cards are needed first. A gap comes last, since it
    takes any card.
    """
    columns = columns_for(own.columns, card, expert=expert)
    return sorted(columns, key=lambda i: own.columns[i][-1].value if own.columns[i] else TOP + 1)


def _bridge(own: Own) -> Iterator[Lay]:
    """Yield the move that lays the discard top where the Ligretto top can then cover it, if any."""
    card, ligretto = own.discard, own.ligretto
    if card is not None and ligretto is not None and takes((card,), ligretto, expert=True):
        yield from (Lay(card, column) for column in _columns(own, card, expert=True)[:1])
