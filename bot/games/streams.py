"""The second scheme of chance: each seat draws from streams of its own (`docs/chance.md`)."""

from collections.abc import Sequence
from typing import TypeVar

from bot.games.chance import Chance
from bot.games.values import Seat

T = TypeVar("T")


class Streams(Chance):
    """The chance of one round. What a seat draws is the same whoever else is dealt in, leaves or
    presses, and whenever it draws.

    `streams`: by seat, its number among the `started` seats that there were at Start.
    """

    def __init__(self, seed: bytes, round_: int, streams: Sequence[int], started: int) -> None:
        super().__init__(seed, round_, "bag")
        self._round = round_
        self._streams = streams
        self._started = started

    def of(self, seat: Seat, time: int, die: int | None = None) -> Chance:
        label = (self._round, self._streams[seat], time)
        return Chance(self._seed, *label, *(() if die is None else (die,)))

    def shared_out(self, items: Sequence[T], counts: Sequence[int]) -> tuple[tuple[T, ...], ...]:
        """The items, shuffled, one by one to the seats that there were at Start: a seat keeps the
        first of those. What nobody keeps goes to the seats that lack some, from the front.
        """
        bag = self.shuffled(items)
        kept = [
            [*range(stream, len(bag), self._started)][:count]
            for stream, count in zip(self._streams, counts, strict=True)
        ]
        taken = {place for places in kept for place in places}
        rest = [place for place in range(len(bag)) if place not in taken]
        for places, count in zip(kept, counts, strict=True):
            lacking = count - len(places)
            places.extend(rest[:lacking])
            del rest[:lacking]
        return tuple(tuple(bag[place] for place in places) for places in kept)
