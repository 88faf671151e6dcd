"""The streams of a seed, shuffles, and both schemes of chance, as docs/chance.md has them."""

import hmac
from collections.abc import Sequence
from typing import Protocol

from bot.verify.log.errors import demand

DECK = [f"{colour}{number}" for colour in "RYGB" for number in range(1, 11)]
BAG = "RRRRRRYYYYYYGGGGGGBBBBBB"
FACES = 6
RANGE = 2**256
"""How many numbers a block can be."""


class Stream:
    """The numbers that a seed gives under one name."""

    def __init__(self, seed: bytes, *name: int | str) -> None:
        self._seed, self._name, self._drawn = seed, "".join(f"{part}/" for part in name), 0

    def below(self, bound: int) -> int:
        """Draw the next whole number below `bound`."""
        while True:
            message = f"{self._name}{self._drawn}".encode("ascii")
            self._drawn += 1
            block = int.from_bytes(hmac.digest(self._seed, message, "sha256"), "big")
            if block < bound * (RANGE // bound):
                return block % bound

    def shuffled(self, items: Sequence[str]) -> list[str]:
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled


class Scheme(Protocol):
    """The streams that a deal, or a move, draws from."""

    def of(self, seat: int, time: int, die: int | None = None) -> Stream:
        """Return the stream of a seat's deck (`time` 0), later order, or die."""

    def shared(self, sizes: Sequence[int]) -> list[list[str]]:
        """Return the colours of each seat's dice. `sizes` are 24 at most together."""


class FirstScheme:
    """All of a deal, or of a move, runs through one stream."""

    def __init__(self, seed: bytes, round_: int, move: int) -> None:
        self._stream = Stream(seed, round_, move)

    def of(self, seat: int, time: int, die: int | None = None) -> Stream:
        del seat, time, die
        return self._stream

    def shared(self, sizes: Sequence[int]) -> list[list[str]]:
        bag = self._stream.shuffled(BAG)
        return [[bag.pop(0) for _ in range(size)] for size in sizes]


class SecondScheme:
    """Each seat that there was at Start has streams of its own.

    `started` is as in the log's first line.
    """

    def __init__(self, seed: bytes, round_: int, started: Sequence[int | None]) -> None:
        self._seed, self._round, self._started = seed, round_, started

    def of(self, seat: int, time: int, die: int | None = None) -> Stream:
        name = [self._round, self._started.index(seat), time]
        return Stream(self._seed, *name, *([] if die is None else [die]))

    def shared(self, sizes: Sequence[int]) -> list[list[str]]:
        bag = Stream(self._seed, self._round, "bag").shuffled(BAG)
        shares: list[list[str]] = [[] for _ in sizes]
        rest: list[str] = []
        for place, die in enumerate(bag):
            seat = self._started[place % len(self._started)]
            if seat is not None and len(shares[seat]) < sizes[seat]:
                shares[seat].append(die)
            else:
                rest.append(die)
        for share, size in zip(shares, sizes, strict=True):
            while len(share) < size:
                share.append(rest.pop(0))
        return shares


def demand_dealt(given: object, due: object, part: str, seat: int) -> None:
    """Raise LogError unless a seat was dealt this, as the seed has it."""
    demand(given == due, "dealt", part=part, p=seat)
