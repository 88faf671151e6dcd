"""Rounds in short, for words about them, and the one of a match that is worth seeing first."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.watch.rounds.values import Face, WatchedRound


@dataclass(frozen=True, slots=True)
class ClosestDuel:
    """The duel with the smallest margin, in ms. `card`: what the loser wanted to lay, if known."""

    winner: int
    loser: int
    margin: int
    card: Face | None


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round in short. `dealt`: the seats dealt in; `scores`: by seat; `reason`: as in the log."""

    number: int
    dealt: tuple[int, ...]
    reason: str
    by: int | None
    scores: tuple[int, ...]
    lasted: int
    duels: int
    closest: ClosestDuel | None

    @property
    def ranking(self) -> tuple[int, ...]:
        """The seats dealt in, most points first."""
        return tuple(sorted(self.dealt, key=lambda seat: (-self.scores[seat], seat)))


def facts(round_: WatchedRound) -> RoundFacts:
    duels = round_.duels
    closest = None
    if duels:
        one = min(duels, key=lambda duel: duel.margin)
        assert one.seat is not None, "a duel has a winner"
        assert one.loser is not None, "a duel has a loser"
        closest = ClosestDuel(one.seat, one.loser, one.margin, one.card)
    return RoundFacts(
        round_.number,
        round_.dealt,
        round_.reason,
        round_.by,
        round_.scores,
        round_.lasted,
        len(duels),
        closest,
    )


def most_dramatic(rounds: Sequence[RoundFacts]) -> RoundFacts:
    """Return the round with the most duels; of equal ones the closest, then the last."""
    return max(rounds, key=lambda one: (one.duels, -_lead(one), one.number))


def _lead(one: RoundFacts) -> int:
    """Return by how many points the best was ahead of the next."""
    first, second, *_ = *(one.scores[seat] for seat in one.ranking), 0, 0
    return first - second
