"""The computer player. It is given a View, like everybody else."""

from collections.abc import Iterator

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.ligretto.fits import columns_for, takes
from bot.games.ligretto.model import TOP, Card, Flip, Lay, Move, Play
from bot.games.ligretto.screens import Own, View


def choose(view: View, skill: Skill, chance: Chance) -> Move | None:
    """The first useful move that it notices, else a flip; None when there is nothing to do."""
    own = view.own
    if own is None:
        return None
    useful = tuple(_useful(view, own))
    for move in useful if skill.orderly else chance.shuffled(useful):
        if chance.fraction() < _notice(move, own, skill):
            return move
    return Flip(own.flips) if own.can_turn else None


def _notice(move: Move, own: Own, skill: Skill) -> float:
    """How likely it sees this move. A card on a column only prepares others: that is expert."""
    on_column = isinstance(move, Lay) and bool(own.columns[move.column])
    return skill.foresight if on_column else skill.attention


def _useful(view: View, own: Own) -> Iterator[Move]:
    """The Ligretto pile first, since its cards cost points and the last one ends the round."""
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
    """Where the card goes in the row: best on the lowest card, since lower ones are needed
    first; a gap last, since it takes anything.
    """
    columns = columns_for(own.columns, card, expert=expert)
    return sorted(columns, key=lambda i: own.columns[i][-1].value if own.columns[i] else TOP + 1)


def _bridge(own: Own) -> Iterator[Lay]:
    """A discard card on the row that the Ligretto top can then be laid on."""
    card, ligretto = own.discard, own.ligretto
    if card is not None and ligretto is not None and takes((card,), ligretto, expert=True):
        yield from (Lay(card, column) for column in _columns(own, card, expert=True)[:1])
