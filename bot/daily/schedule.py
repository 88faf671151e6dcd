"""The robots' share after a press: which of them have turns, and in what order."""

from bot.games.chance import Chance
from bot.games.values import Seat

PLAYER = Seat(0)
ROBOTS = (Seat(1), Seat(2))
SEATS = (PLAYER, *ROBOTS)
ROUND = 1
"""The number of a daily's only round, as deals are drawn for it."""
TURNS = (0, 1, 1, 2)
"""A robot's turns in a share: one of these, each as likely as the others."""


def share(seed: bytes, press: int) -> tuple[Seat, ...]:
    """Return whose turn it is after an accepted press, in order. `press`: its number, from 1.

    It follows from nothing but the day's seed and this number (`docs/chance.md`).
    """
    chance = Chance(seed, ROUND, "robots", press)
    counts = [TURNS[chance.below(len(TURNS))] for _ in ROBOTS]
    turns = [seat for seat, count in zip(ROBOTS, counts, strict=True) for _ in range(count)]
    return chance.shuffled(turns)
