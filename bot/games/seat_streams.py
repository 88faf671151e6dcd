"""The second scheme of chance, in which each seat draws from its own streams (`docs/chance.md`)."""

from collections.abc import Sequence
from typing import TypeVar

from bot.games.chance import Chance
from bot.games.values import Seat

T = TypeVar("T")


class SeatStreams(Chance):
    """The chance of one round, independent between seats.

    What a seat draws never depends on who else is dealt in, leaves or presses, or on when it draws.
    `streams` holds each seat's number among the `started` seats that were there at Start.
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
        """Shuffle the items and deal them in turn to the seats that were there at Start.

        Each seat keeps its first `counts[seat]` items. Items that nobody keeps fill up the seats
        that lack some, in order.
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
